import type { Problem } from "../../platform/errors/failure.ts";
import type { Unit } from "./descriptor/unit.ts";

export type TargetStatus = "DEPLOYED" | "NOT_DEPLOYED";
export type ChangeAction = "DEPLOY" | "REDEPLOY" | "UNDEPLOY" | "NONE";
export type KnownStatus = "DEPLOYED" | "NOT_DEPLOYED" | "CORRUPT";

export type Reason =
  | "REQUESTED"
  | "DESCRIPTOR_CHANGED"
  | "CORRUPT"
  | "UNCHANGED"
  | "ALREADY_NOT_DEPLOYED"
  | "PRESERVED"
  | "REMOVED_FROM_DESCRIPTOR"
  | "REQUIRED_BY_DEPENDANT"
  | "DEPENDENCY_UNDEPLOYED"
  | "DEPENDENCY_REDEPLOYED"
  | "PARENT_DEPLOYED"
  | "ROOT_FIRST";

/** `autofill` and `unsafe` preserve what has no target; only `autofill` then pulls in what others need. */
export type PlanMode = "strict" | "autofill" | "unsafe";

/** One entry of the request's `targetStatus`. */
export interface RequestedTarget {
  componentId: string;
  targetStatus: TargetStatus;
  /** NONE leaves the component as it is; any other value only has to fit `targetStatus`. */
  action?: ChangeAction | undefined;
}

/** The last known state of a component, or of the unit's root, in one environment. */
export interface LastKnownComponent {
  componentId: string;
  status: KnownStatus;
  /** `hashComponent` (`hashRoot` for the root) of the deployed snapshot; unknown counts as changed. */
  hash?: string | undefined;
  /** Component ids of the deployed snapshot, as `snapshotOf` gives them; ignored when NOT_DEPLOYED. */
  dependsOn?: readonly string[] | undefined;
  name?: string | undefined;
  infrastructureTemplateId?: string | undefined;
  /** Rises with each deployment of the unit in the environment (a sequence or a time in ms). */
  deployedOrder?: number | undefined;
  /** For a subcomponent with a call of its own: the component or subcomponent whose call comes before. */
  ownerId?: string | undefined;
  /** For a component: whether its deployed snapshot has a subcomponent with a call of its own that is not deployed. */
  isIncomplete?: boolean | undefined;
}

export interface LastKnownState {
  /** Components, and of the subcomponents those with calls of their own. */
  components: readonly LastKnownComponent[];
  /** Present when the unit itself was provisioned once. */
  root?: LastKnownComponent | undefined;
}

/** Configuration and request parameters that the planner checks. */
export interface PlanContext {
  /** Undefined where the operation takes the descriptor's own environment (validate, deprecated starts). */
  environment?: string | undefined;
  environments: readonly string[];
  /** Whether an enabled deployment of this template's adapter exists in `environment`. */
  hasAdapter: (infrastructureTemplateId: string) => boolean;
  /** The id in the path; undefined where the operation has none. */
  pathUnitId?: string | undefined;
  /** Configured pattern of unit ids, if any. */
  unitIdPattern?: RegExp | undefined;
}

export interface PlanInput {
  unit: Unit;
  last: LastKnownState;
  targets: readonly RequestedTarget[];
  mode: PlanMode;
  preventRedeploy: boolean;
  removeData: boolean;
  configured: PlanContext;
  /** Problems found while reading the descriptor; reported together with those of planning. */
  problems?: readonly Problem[] | undefined;
}

/** An entry of `operations` in its wire shape. */
export interface PlannedChange {
  componentId: string;
  targetStatus: TargetStatus;
  action: ChangeAction;
  reason: Reason;
  additionalReasons: Reason[];
  /** Direct dependants in the plan. */
  dependencyOf: string[];
  /** Direct dependencies in the plan. */
  dependantOn: string[];
}

/** The provisioning plan response. */
export interface PlanResponse {
  outcome: "OK" | "KO";
  operations: PlannedChange[];
  conflictingOperations: PlannedChange[];
}
