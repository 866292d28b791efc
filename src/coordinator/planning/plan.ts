import type { Problem } from "../../platform/errors/failure.ts";
import { checkStructure } from "../descriptor/checks.ts";
import type { UnitGraph } from "../descriptor/checks.ts";
import type { OwnCall } from "../descriptor/inner-graph.ts";
import { hashComponent, hashRoot } from "../descriptor/hash.ts";
import { newProblemList, problemsOf, report, reportAll } from "../descriptor/problem-list.ts";
import type { Component, Unit } from "../descriptor/unit.ts";
import { chooseBaseActions } from "./base-action.ts";
import type { Decision } from "./base-action.ts";
import { checkAdapters, checkSurroundings } from "./check-request.ts";
import { describe } from "./describe.ts";
import type { Described } from "./describe.ts";
import type {
  KnownStatus,
  LastKnownComponent,
  PlanInput,
  PlanResponse,
  PlanSurroundings,
  PlannedChange,
} from "./model.ts";
import { orderPlan, tellingOrder } from "./order.ts";
import type { PlanOrder } from "./order.ts";
import { decideParts } from "./parts.ts";
import { additionalReasons } from "./reasons.ts";
import { settle } from "./settle.ts";
import type { Conflict } from "./settle.ts";
import { chooseTargets } from "./targets.ts";
import { buildUniverse } from "./universe.ts";
import type { Universe } from "./universe.ts";

/** A decided plan: what travels, and what the task graph and the messages are made from. */
export interface ProvisioningPlan extends PlanResponse {
  problems?: undefined;
  /** For the unprovision calls of this plan only. */
  removeData: boolean;
  universe: Universe;
  decisions: readonly Decision[];
  /** By node index: of each of its parts. */
  partDecisions: readonly (readonly Decision[])[];
  order: PlanOrder;
  conflicts: readonly Conflict[];
  /** By node index: entry of `targetStatus` that asked for it, or -1. */
  targetEntries: readonly number[];
}

export type PlanResult = ProvisioningPlan | { problems: Problem[] };

/**
 * Decides what happens to each component of a unit: a pure function of the descriptor, the last known
 * state and the request. Everything wrong with the request comes back as `problems`; components that
 * contradict each other are an answer of their own, outcome KO.
 */
export function planProvisioning(input: PlanInput): PlanResult {
  const { unit, configured, mode } = input;
  // 1. What can be said of the descriptor and the request alone.
  const { problems: structural, graph } = checkStructure(unit);
  const found = newProblemList();
  reportAll(found, input.problems ?? []);
  reportAll(found, structural);
  reportAll(found, checkSurroundings(unit, configured));
  // 2. What the plan decides about.
  const universe = buildUniverse(unit, graph, input.last);
  reportAll(found, checkAdapters(universe, configured));
  // 3. What each is wanted to be.
  const { targets, entries, problems: ofTargets } = chooseTargets(universe, input.targets, mode);
  reportAll(found, ofTargets);
  if (found.told.length > 0) return { problems: problemsOf(found) };
  // 4. What each asks for by itself.
  const base = chooseBaseActions(universe, targets, input.preventRedeploy);
  // 5 and 6. What that means for those that need each other.
  const { decisions, conflicts } = settle(universe, { base, targets, mode });
  const partDecisions = universe.nodes.map((node, index) => decideParts(node, decisions[index]!));
  // 7. What else is to be said, and the order to say it in.
  const decided = { decisions, partDecisions };
  const order = orderPlan(universe, decided);
  const { changes, parts } = describe(universe, decided, additionalReasons(universe, decisions));
  const told = tellingOrder(universe, decisions, order);
  const inConflict = new Set(conflicts.flatMap(({ node, needs }) => [node, needs]));
  return {
    outcome: conflicts.length === 0 ? "OK" : "KO",
    operations: inTellingOrder(told, { changes, parts }),
    conflictingOperations: told.filter((index) => inConflict.has(index)).map((index) => changes[index]!),
    removeData: input.removeData,
    universe,
    ...decided,
    order,
    conflicts,
    targetEntries: entries,
  };
}

function inTellingOrder(told: readonly number[], { changes, parts }: Described): PlannedChange[] {
  const operations: PlannedChange[] = [];
  for (const index of told) {
    operations.push(changes[index]!);
    for (const part of parts[index]!) operations.push(part);
  }
  return operations;
}

/** The part of a plan that travels. */
export function planResponse({ outcome, operations, conflictingOperations }: ProvisioningPlan): PlanResponse {
  return { outcome, operations, conflictingOperations };
}

/** Step 8. Why a start refuses a plan whose outcome is KO, one problem per contradicting pair. */
export function conflictProblems(plan: ProvisioningPlan): Problem[] {
  const changes = new Map(plan.conflictingOperations.map((change) => [change.componentId, change]));
  const changeOf = (index: number): PlannedChange => changes.get(plan.universe.nodes[index]!.id)!;
  const problems = newProblemList();
  for (const { node, needs } of plan.conflicts) {
    const dependant = changeOf(node);
    const dependency = changeOf(needs);
    const endOf = (change: PlannedChange, index: number): string =>
      describeEnd(change, plan.universe.nodes[index]!.current);
    const entry = [node, needs].map((index) => plan.targetEntries[index]!).find((at) => at >= 0);
    report(problems, {
      where: entry === undefined ? "/targetStatus" : `/targetStatus/${entry}`,
      message: `${endOf(dependant, node)} and needs ${dependency.componentId}, but ${endOf(dependency, needs)}.`,
      solution: `Deploy ${dependency.componentId} as well, or undeploy ${dependant.componentId}.`,
    });
  }
  return problemsOf(problems);
}

function describeEnd({ componentId, action, reason }: PlannedChange, current: KnownStatus): string {
  const verb = { DEPLOY: "deployed", REDEPLOY: "redeployed", UNDEPLOY: "undeployed" };
  if (action === "NONE") return `${componentId} stays as it is (${current}, ${reason})`;
  return `${componentId} is to be ${verb[action]} (${reason})`;
}

/**
 * Checks a unit without planning it: what validate answers. `where` is a JSON pointer into the request, or
 * `environment` for the query parameter.
 */
export function checkUnit(unit: Unit, configured: PlanSurroundings): Problem[] {
  const { problems, graph } = checkStructure(unit);
  const universe = buildUniverse(unit, graph, { components: [] });
  const found = newProblemList();
  reportAll(found, problems);
  reportAll(found, checkSurroundings(unit, configured));
  reportAll(found, checkAdapters(universe, configured));
  return problemsOf(found);
}

export type Snapshot = Required<Pick<LastKnownComponent, "componentId" | "hash" | "name">> & {
  dependsOn: string[];
  infrastructureTemplateId: string | undefined;
  ownerId: string | undefined;
};

/**
 * What the store keeps of each component, of the root, and of each subcomponent with a call of its own; by component id
 * as in the plan. A subcomponent depends on others of the same component only, and follows its component.
 */
export function snapshotsOf(unit: Unit, graph: UnitGraph = checkStructure(unit).graph): Snapshot[] {
  const snapshots = unit.components.flatMap((component, index) => [
    snapshotOf(component, {
      dependsOn: graph.dependencies[index]!.map((other) => unit.components[other]!.id),
    }),
    ...partSnapshots(component, graph.ownCalls[index]!),
  ]);
  if (unit.infrastructureTemplateId !== undefined) {
    snapshots.unshift({
      componentId: unit.id,
      hash: hashRoot(unit.descriptor),
      name: unit.name,
      dependsOn: [],
      infrastructureTemplateId: unit.infrastructureTemplateId,
      ownerId: undefined,
    });
  }
  return snapshots;
}

function partSnapshots(component: Component, calls: readonly OwnCall[]): Snapshot[] {
  return calls.map((call) => {
    const before = call.after.map((place) => calls[place]!.component);
    const owner = before.find(({ key }) => key === call.ownerKey) ?? component;
    const dependsOn = before.filter((other) => other !== owner).map(({ id }) => id);
    return snapshotOf(call.component, { dependsOn, ownerId: owner.id });
  });
}

const snapshotOf = (
  component: Component,
  { dependsOn, ownerId }: { dependsOn: string[]; ownerId?: string },
): Snapshot => ({
  componentId: component.id,
  hash: hashComponent(component.descriptor),
  name: component.name,
  dependsOn,
  infrastructureTemplateId: component.infrastructureTemplateId,
  ownerId,
});
