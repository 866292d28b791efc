/** From a request and the state of its unit to a decided plan. */
import type { CoordinatorSettings } from "../context.ts";
import { idKey } from "../descriptor/ids.ts";
import { ownCallIds } from "../descriptor/own-calls.ts";
import { asConfigured, readUnit as readDescriptor, type Unit } from "../descriptor/unit.ts";
import type { ProvisioningBody } from "../deployment-units/schema.ts";
import type { ComponentRow, EnabledAdapter, UnitKey } from "../deployment-units/store.ts";
import { Failure, type Problem } from "../../platform/errors/failure.ts";
import { invalidDescriptor } from "../errors.ts";
import type { LastKnownComponent, LastKnownState, PlanMode, PlanSurroundings } from "../planning/model.ts";
import { checkUnit, conflictProblems, planProvisioning, type ProvisioningPlan } from "../planning/plan.ts";
import { markProblems, protectedFromRemoval, protectionProblems } from "./data-protection.ts";
import { movedSince } from "./plan-hash.ts";
import type { UnitState } from "./unit-state-store.ts";

/** What is asked of one unit in one environment. */
export interface Asked {
  unitId: string;
  environment: string;
  mode: PlanMode;
  body: ProvisioningBody;
  /** Of the preview that the plan must still be equal to. */
  planHash?: string | undefined;
}

export interface Decided {
  plan: ProvisioningPlan;
  unit: Unit;
  known: ComponentRow[];
  adapters: Map<string, EnabledAdapter>;
  /** Components whose data would go although they are protected. */
  protectedIds: string[];
}

export const unitKeyOf = (asked: Pick<Asked, "unitId" | "environment">): UnitKey => ({
  unitKey: idKey(asked.unitId),
  environment: asked.environment,
});

/** Throws a Failure with every problem of the input; conflicts between components are an answer (KO). */
export function decide(settings: CoordinatorSettings, state: UnitState, asked: Asked): Decided {
  const { body } = asked;
  const { unit, problems } = readUnit(settings, body);
  if (!unit) throw invalidDescriptor(problems);
  const at = unitKeyOf(asked);
  const { components: known, adapters } = state;
  const plan = planProvisioning({
    unit,
    problems,
    last: lastKnownState(
      settings.rootProvisioning ? known : known.filter(({ key }) => key !== at.unitKey),
      at.unitKey,
    ),
    targets: body.targetStatus,
    mode: asked.mode,
    preventRedeploy: body.preventRedeploy,
    removeData: body.removeData,
    configured: surroundings(settings, asked, adapters),
  });
  if (plan.problems) throw invalidDescriptor(plan.problems);
  const unitDescriptor = plan.removeData ? state.descriptor : null;
  const deployed = known.filter(({ status }) => status !== "NOT_DEPLOYED");
  return {
    plan,
    unit,
    known,
    adapters,
    protectedIds: protectedFromRemoval({ plan, deployed, unitDescriptor }),
  };
}

/** Throws unless the decided plan may start as it is. */
export function refuseUnfit({ plan, protectedIds }: Decided, { body, planHash }: Asked): void {
  const moved = planHash === undefined ? [] : movedSince(planHash, plan);
  if (moved.length > 0) {
    throw new Failure({
      kind: "conflict",
      code: "COORD_PLAN_MOVED",
      message: "The plan is no longer the one that was previewed.",
      problems: moved,
    });
  }
  const conflicts = plan.outcome === "KO" ? conflictProblems(plan) : [];
  const unnamed = protectionProblems(protectedIds, body.confirmDataRemoval ?? []);
  if (conflicts.length + unnamed.length === 0) return;
  const isConflict = conflicts.length > 0;
  throw new Failure({
    kind: "invalid",
    code: isConflict ? "COORD_CONFLICTING_TARGETS" : "COORD_DATA_PROTECTED",
    message: isConflict
      ? "The wanted statuses contradict the dependencies of the components."
      : "Data that is protected would be removed without being named.",
    problems: [...conflicts, ...unnamed],
  });
}

/** What can be said of a request whose unit is busy: all but what depends on the state it will then meet. */
export function checkAhead(settings: CoordinatorSettings, { adapters }: UnitState, asked: Asked): Unit {
  const { unit, problems } = readUnit(settings, asked.body);
  if (!unit) throw invalidDescriptor(problems);
  const found = [...problems, ...checkUnit(unit, surroundings(settings, asked, adapters))];
  if (found.length > 0) throw invalidDescriptor(found);
  return unit;
}

function readUnit(
  settings: CoordinatorSettings,
  { descriptor }: ProvisioningBody,
): { unit: Unit | undefined; problems: Problem[] } {
  const { unit, problems } = readDescriptor(descriptor);
  if (!unit) return { unit, problems };
  return { unit: asConfigured(unit, settings), problems: [...problems, ...markProblems(descriptor)] };
}

const surroundings = (
  settings: CoordinatorSettings,
  { environment, unitId }: Asked,
  adapters: Map<string, EnabledAdapter>,
): PlanSurroundings => ({
  environment,
  environments: settings.environments,
  hasAdapter: (template) => adapters.has(template),
  pathUnitId: unitId,
  unitIdPattern: settings.unitIdPattern,
});

/** A subcomponent without a call of its own is what its owner is. */
function lastKnownState(known: readonly ComponentRow[], unitKey: string): LastKnownState {
  const called = known.filter((row) => row.parentKey === null || row.infrastructureTemplateId !== null);
  const byKey = new Map(called.map((row) => [row.key, row]));
  const states = called.map((row) => asLastKnown(row, byKey));
  return {
    components: states.filter((_, place) => called[place]!.key !== unitKey),
    root: states[called.findIndex(({ key }) => key === unitKey)],
  };
}

function asLastKnown(row: ComponentRow, byKey: ReadonlyMap<string, ComponentRow>): LastKnownComponent {
  const isDeployed = (id: string): boolean => byKey.get(idKey(id))?.status === "DEPLOYED";
  const owner = row.parentKey === null ? undefined : byKey.get(row.parentKey);
  return {
    componentId: row.id,
    status: row.status,
    hash: row.hash,
    dependsOn: row.dependsOn,
    name: row.name ?? undefined,
    infrastructureTemplateId: row.infrastructureTemplateId ?? undefined,
    deployedOrder: row.updatedAt.getTime(),
    ownerId: owner?.id,
    isIncomplete: row.parentKey === null && !ownCallIds(row.descriptor, row.id).every(isDeployed),
  };
}
