/** Decides a plan from a request and the state of its unit. */
import type { ProvisioningBody, RequestedStart } from "./request-schema.ts";
import type { EnabledAdapter } from "../../adapters/store.ts";
import type { CoordinatorSettings } from "../../context.ts";
import { idKey } from "../../planning/descriptor/ids.ts";
import { ownCallIds } from "../../planning/descriptor/own-calls.ts";
import { asConfigured, readUnit as readDescriptor, type Unit } from "../../planning/descriptor/unit.ts";
import type { ComponentRow, UnitKey } from "../../units/store.ts";
import type { Problem } from "../../../platform/errors/failure.ts";
import { coordinatorFailure, invalidDescriptor } from "../../errors.ts";
import type { LastKnownComponent, LastKnownState, PlanContext } from "../../planning/model.ts";
import { checkUnit, conflictProblems, planProvisioning, type ProvisioningPlan } from "../../planning/plan.ts";
import { markProblems, protectedFromRemoval, protectionProblems } from "./data-protection.ts";
import { movedSince } from "./plan-hash.ts";
import type { UnitState } from "./unit-state-store.ts";

export interface Decided {
  plan: ProvisioningPlan;
  unit: Unit;
  known: ComponentRow[];
  adapters: Map<string, EnabledAdapter>;
  /** Protected components whose data would be removed. */
  protectedIds: string[];
}

export const unitKeyOf = (asked: Pick<RequestedStart, "unitId" | "environment">): UnitKey => ({
  unitKey: idKey(asked.unitId),
  environment: asked.environment,
});

/**
 * Throws a Failure with all problems of the input; conflicts between components give a plan with outcome KO.
 */
export function decide(settings: CoordinatorSettings, state: UnitState, asked: RequestedStart): Decided {
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
    configured: planContext(settings, asked, adapters),
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

/** Throws unless the decided plan may start. */
export function refuseUnfit({ plan, protectedIds }: Decided, { body, planHash }: RequestedStart): void {
  const moved = planHash === undefined ? [] : movedSince(planHash, plan);
  if (moved.length > 0) {
    throw coordinatorFailure("COORD_PLAN_MOVED", {
      message: "The plan is no longer the one that was previewed.",
      problems: moved,
    });
  }
  const conflicts = plan.outcome === "KO" ? conflictProblems(plan) : [];
  const unnamed = protectionProblems(protectedIds, body.confirmDataRemoval ?? []);
  if (conflicts.length + unnamed.length === 0) return;
  const isConflict = conflicts.length > 0;
  throw coordinatorFailure(isConflict ? "COORD_CONFLICTING_TARGETS" : "COORD_DATA_PROTECTED", {
    message: isConflict
      ? "The wanted statuses contradict the dependencies of the components."
      : "Data that is protected would be removed without being named.",
    problems: [...conflicts, ...unnamed],
  });
}

/** Checks a start that is queued: everything except what depends on the unit's state at its start. */
export function checkQueued(
  settings: CoordinatorSettings,
  { adapters }: UnitState,
  asked: RequestedStart,
): Unit {
  const { unit, problems } = readUnit(settings, asked.body);
  if (!unit) throw invalidDescriptor(problems);
  const found = [...problems, ...checkUnit(unit, planContext(settings, asked, adapters))];
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

const planContext = (
  settings: CoordinatorSettings,
  { environment, unitId }: RequestedStart,
  adapters: Map<string, EnabledAdapter>,
): PlanContext => ({
  environment,
  environments: settings.environments,
  hasAdapter: (template) => adapters.has(template),
  pathUnitId: unitId,
  unitIdPattern: settings.unitIdPattern,
});

/** Subcomponents without calls of their own are left out: they have the state of their owner. */
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
