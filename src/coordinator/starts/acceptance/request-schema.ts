/** Wire shapes of starts and previews, and the requests that they make. */
import { Type, type Static } from "typebox";
import { descriptorLimits } from "../../planning/descriptor/limits.ts";
import type { PlanMode } from "../../planning/model.ts";
import { closedEnvironment } from "../../windows/schema.ts";
import { policyPhase } from "../policies/schema.ts";

const targetStatus = Type.Enum(["DEPLOYED", "NOT_DEPLOYED"]);
const action = Type.Enum(["DEPLOY", "REDEPLOY", "UNDEPLOY", "NONE"]);

/** Pattern of a plan hash. */
export const planHashForm = String.raw`[A-Za-z0-9_-]{22}(?:\.[A-Za-z0-9_-]*)?`;

export const provisioningBody = Type.Object({
  descriptor: Type.Object(
    {},
    {
      additionalProperties: true,
      description: "Deployment unit descriptor: id, name, version, components (id, name, dependsOn, …).",
    },
  ),
  targetStatus: Type.Array(
    Type.Object({
      componentId: Type.String({ minLength: 1, maxLength: 512 }),
      targetStatus,
      action: Type.Optional(action),
    }),
    { maxItems: 20_000 },
  ),
  removeData: Type.Boolean({ default: false }),
  preventRedeploy: Type.Boolean({ default: false }),
  confirmDataRemoval: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
      maxItems: 20_000,
      description: "Components with `deletionProtection` whose data may be removed all the same.",
    }),
  ),
  planHash: Type.Optional(
    Type.String({
      maxLength: 4096,
      pattern: `^${planHashForm}$`,
      description: "Of a preview: a start is refused with 409 when its plan would be another one by now.",
    }),
  ),
});
export type ProvisioningBody = Static<typeof provisioningBody>;

const operationRef = Type.Optional(Type.String({ minLength: 1, maxLength: 256 }));

export const rollbackBody = Type.Object(
  {
    operationId: operationRef,
    executionPlanId: operationRef,
    removeData: provisioningBody.properties.removeData,
    preventRedeploy: Type.Boolean({
      default: true,
      description: "Leaves components alone that are deployed as they were then.",
    }),
    confirmDataRemoval: provisioningBody.properties.confirmDataRemoval,
    planHash: provisioningBody.properties.planHash,
  },
  { description: "An earlier operation that SUCCEEDED, by one of its two names." },
);
export type RollbackBody = Static<typeof rollbackBody>;

const plannedChange = Type.Object({
  componentId: Type.String(),
  targetStatus,
  action,
  reason: Type.String(),
  additionalReasons: Type.Array(Type.String()),
  dependencyOf: Type.Array(Type.String()),
  dependantOn: Type.Array(Type.String()),
});

const startPermission = Type.Object({
  verdict: Type.Enum(["approval", "deny"] as const),
  rule: Type.String({ description: "The rule about whose units the caller may touch." }),
  owners: Type.Array(Type.String()),
  whoMay: Type.Array(Type.String(), { description: "Whose approval it needs; or who may start it instead." }),
});
export type StartPermission = Static<typeof startPermission>;

export const provisioningPlan = Type.Object({
  outcome: Type.Enum(["OK", "KO"]),
  operations: Type.Array(plannedChange),
  conflictingOperations: Type.Array(plannedChange),
  planHash: Type.String({
    description: "Hash of this plan; a start that sends it carries out exactly this plan.",
  }),
  policyResults: Type.Optional(
    Type.Array(policyPhase, {
      description:
        "What the policies say of the unit, and of each component to be deployed that they find something wrong with. FAILED: a start would end before anything is touched.",
    }),
  ),
  permission: Type.Optional({
    ...startPermission,
    description:
      "A start by the caller would wait for an approval, or be refused; absent where neither is so.",
  }),
  closed: Type.Optional({
    ...closedEnvironment,
    description: "The environment's maintenance windows let nothing begin now; absent where they do.",
  }),
  protectedData: Type.Optional(
    Type.Array(Type.String(), {
      description: "Components whose data a start would remove only if `confirmDataRemoval` names them.",
    }),
  ),
});

export interface ProvisioningRequest {
  unitId: string;
  environment: string;
  mode: PlanMode;
  body: ProvisioningBody;
}

/** A requested start of one unit in one environment. */
export interface RequestedStart extends ProvisioningRequest {
  /** Hash of the preview that the plan must still equal. */
  planHash?: string | undefined;
  /** Begins at its turn whatever the environment's windows say. */
  overridesWindows?: boolean;
}

/** Body of the deprecated starts. */
export const descriptorWrapper = Type.Object({
  descriptor: Type.String({
    minLength: 1,
    maxLength: descriptorLimits.characters,
    description: "YAML of the deployment unit, which names its environment.",
  }),
  removeData: Type.Boolean({ default: false }),
});
export type DescriptorWrapper = Static<typeof descriptorWrapper>;

const byComponent = (description: string) =>
  Type.Object({}, { additionalProperties: true, description: `${description}, by component id.` });

export const legacyStatus = Type.Object({
  status: Type.Enum(["RUNNING", "COMPLETED", "FAILED", "TERMINATING", "TERMINATED"]),
  result: Type.String({ description: "Why it failed; otherwise the result of its only task, if any." }),
  info: Type.Object({
    publicInfo: byComponent("What the adapters returned for everybody"),
    privateInfo: byComponent("What the adapters returned for the platform"),
  }),
});
