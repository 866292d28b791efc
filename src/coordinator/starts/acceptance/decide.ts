/** Decides a plan from a request and the state of its unit. */
import type { ProvisioningBody, RequestedStart } from "./request-schema.ts";
import type { EnabledAdapter } from "../../adapters/store.ts";
import type { CoordinatorSettings } from "../../context.ts";
import { idKey } from "../../ids.ts";
import { ownCallIds } from "../../planning/descriptor/own-calls.ts";
import {
  asConfigured,
  readUnit as readDescriptor,
  type Unit,
  type Component,
} from "../../planning/descriptor/unit.ts";
import type { ComponentRow, UnitKey } from "../../units/store.ts";
import type { Problem } from "../../../platform/errors/failure.ts";
import { coordinatorFailure, invalidDescriptor } from "../../errors.ts";
import type { LastKnownComponent, LastKnownState, PlanContext } from "../../planning/model.ts";
import { checkUnit, conflictProblems, planProvisioning, type ProvisioningPlan } from "../../planning/plan.ts";
import type { AppliedPolicies } from "../policies/applied.ts";
import { movedSince } from "./plan-hash.ts";
import type { UnitState } from "../../units/unit-state-store.ts";

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
export function refuseUnfit(
  { plan, protectedIds }: Decided,
  { body, planHash }: RequestedStart,
  { fingerprint }: AppliedPolicies,
): void {
  const moved = planHash === undefined ? [] : movedSince(planHash, plan, fingerprint);
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

/**
 * Data protection: the field of a component, a subcomponent or the unit that protects its data. What it protects is removed
 * only when the request names it.
 */
const protectionField = "deletionProtection";

/** A deployed component: a later descriptor can drop the mark, but what is deployed stays protected. */
interface DeployedMark {
  key: string;
  parentKey: string | null;
  descriptor: object;
}

interface ProtectionInput {
  plan: ProvisioningPlan;
  deployed: readonly DeployedMark[];
  /** The unit's last accepted descriptor. */
  unitDescriptor: object | null;
}

/** Ids of protected components that this plan undeploys with their data, in the plan's order. */
function protectedFromRemoval({ plan, deployed, unitDescriptor }: ProtectionInput): string[] {
  if (!plan.removeData) return [];
  const { unit, nodes } = plan.planGraph;
  const isWholeProtected = isMarked(unit.descriptor) || isMarked(unitDescriptor);
  const marked = markedComponents(deployed);
  return nodes.flatMap((node, index) => {
    const own = node.component;
    const isProtected = (id: string, parts: readonly (Component | undefined)[]): boolean =>
      isWholeProtected || marked.has(idKey(id)) || parts.some((part) => isMarked(part?.descriptor));
    if (plan.decisions[index]!.action === "UNDEPLOY") {
      return isProtected(node.id, [own, ...(own?.subcomponents ?? [])]) ? [node.id] : [];
    }
    const going = node.parts.filter((_, place) => plan.partDecisions[index]![place]!.action === "UNDEPLOY");
    return going.filter((part) => isProtected(part.id, [part.component])).map(({ id }) => id);
  });
}

/** Keys of components that are marked, or have a marked part. */
function markedComponents(deployed: readonly DeployedMark[]): Set<string> {
  const owners = new Map(deployed.map(({ key, parentKey }) => [key, parentKey]));
  const marked = new Set<string>();
  for (const { key, descriptor } of deployed) {
    if (!isMarked(descriptor)) continue;
    for (let at: string | null | undefined = key; at && !marked.has(at); at = owners.get(at)) marked.add(at);
  }
  return marked;
}

/** One problem for each protected component that the request does not name. */
export function protectionProblems(ids: readonly string[], confirmed: readonly string[]): Problem[] {
  const named = new Set(confirmed.map(idKey));
  return ids
    .filter((id) => !named.has(idKey(id)))
    .map((id) => ({
      where: "/confirmDataRemoval",
      message: `${id} is protected: it would be undeployed with its data.`,
      solution: `Name ${id} in confirmDataRemoval, or start with removeData false.`,
    }));
}

/** A mark that is neither true nor false is refused: ignoring it could remove data. */
function markProblems(descriptor: object, pointer = "/descriptor"): Problem[] {
  const problems: Problem[] = [];
  const stack = [{ value: descriptor as Record<string, unknown>, where: pointer }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, where } = next;
    const mark = value[protectionField];
    if (mark !== undefined && mark !== null && typeof mark !== "boolean") {
      problems.push({
        where: `${where}/${protectionField}`,
        message: `${protectionField} is neither true nor false.`,
        solution: "Give true to protect the data, or leave the field out.",
      });
    }
    const parts: unknown[] = Array.isArray(value["components"]) ? value["components"] : [];
    for (let index = parts.length - 1; index >= 0; index--) {
      const part = parts[index];
      if (typeof part !== "object" || part === null || Array.isArray(part)) continue;
      stack.push({ value: part as Record<string, unknown>, where: `${where}/components/${index}` });
    }
  }
  return problems;
}

const isMarked = (descriptor: object | null | undefined): boolean =>
  (descriptor as Record<string, unknown> | null | undefined)?.[protectionField] === true;
