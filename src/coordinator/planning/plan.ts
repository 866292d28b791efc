import type { Problem } from "../../platform/errors/failure.ts";
import { checkStructure } from "./descriptor/checks.ts";
import type { UnitGraph } from "./descriptor/checks.ts";
import type { OwnCall } from "./descriptor/inner-graph.ts";
import { hashComponent, hashRoot } from "./descriptor/hash.ts";
import { newProblemList, problemsOf, report, reportAll } from "./descriptor/problem-list.ts";
import type { Component, Unit } from "./descriptor/unit.ts";
import { absent, baseAction, chooseBaseActions, preserved, removal, undeployment } from "./base-action.ts";
import type { Decision } from "./base-action.ts";
import { checkAdapters, checkContext } from "./check-request.ts";
import { describe } from "./describe.ts";
import type { Described } from "./describe.ts";
import type {
  KnownStatus,
  LastKnownComponent,
  PlanInput,
  PlanResponse,
  PlanContext,
  PlannedChange,
} from "./model.ts";
import { isProvisioned } from "./effective-needs.ts";
import { orderPlan, listingOrder } from "./order.ts";
import type { PlanOrder } from "./order.ts";
import { settle } from "./settle.ts";
import type { Conflict } from "./settle.ts";
import { chooseTargets } from "./targets.ts";
import { buildPlanGraph, isComponentChanged, isPartPresent } from "./plan-graph.ts";
import type { PlanGraph, PlanNode, PlanPart } from "./plan-graph.ts";

/** A decided plan: the answer, and the input of the task graph and of the messages. */
export interface ProvisioningPlan extends PlanResponse {
  problems?: undefined;
  /** For the unprovision calls of this plan only. */
  removeData: boolean;
  planGraph: PlanGraph;
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
 * Decides what happens to each component of a unit: a pure function of the descriptor, the last known state
 * and the request. All problems of the request are returned as `problems`; contradicting targets are a plan
 * with outcome KO.
 */
export function planProvisioning(input: PlanInput): PlanResult {
  const { unit, configured, mode } = input;
  // 1. Check the descriptor and the request.
  const { problems: structural, graph } = checkStructure(unit);
  const found = newProblemList();
  reportAll(found, input.problems ?? []);
  reportAll(found, structural);
  reportAll(found, checkContext(unit, configured));
  // 2. Build the graph of nodes that the plan decides about.
  const planGraph = buildPlanGraph(unit, graph, input.last);
  reportAll(found, checkAdapters(planGraph, configured));
  // 3. Choose the target of each node.
  const { targets, entries, problems: ofTargets } = chooseTargets(planGraph, input.targets, mode);
  reportAll(found, ofTargets);
  if (found.listed.length > 0) return { problems: problemsOf(found) };
  // 4. Choose the action of each node by itself.
  const base = chooseBaseActions(planGraph, targets, input.preventRedeploy);
  // 5 and 6. Apply dependencies: move open nodes, find conflicts.
  const { decisions, conflicts } = settle(planGraph, { base, targets, mode });
  const partDecisions = planGraph.nodes.map((node, index) => decideParts(node, decisions[index]!));
  // 7. Describe the decisions in their order.
  const decided = { decisions, partDecisions };
  const order = orderPlan(planGraph, decided);
  const { changes, parts } = describe(planGraph, decided);
  const listed = listingOrder(planGraph, decisions, order);
  const inConflict = new Set(conflicts.flatMap(({ node, needs }) => [node, needs]));
  return {
    outcome: conflicts.length === 0 ? "OK" : "KO",
    operations: inListingOrder(listed, { changes, parts }),
    conflictingOperations: listed.filter((index) => inConflict.has(index)).map((index) => changes[index]!),
    removeData: input.removeData,
    planGraph,
    ...decided,
    order,
    conflicts,
    targetEntries: entries,
  };
}

const noDecisions: readonly Decision[] = [];

/**
 * Decides for the subcomponents of a node that have calls of their own. They are deployed with their
 * component and undeployed before it. For an unchanged component, those that are not as the descriptor says
 * are still provisioned: their tasks had failed or never started.
 */
function decideParts(node: PlanNode, decision: Decision): readonly Decision[] {
  if (node.parts.length === 0) return noDecisions;
  return node.parts.map((part) => decidePart(part, node, decision));
}

function decidePart(part: PlanPart, node: PlanNode, decision: Decision): Decision {
  const { action, reason, completes } = decision;
  if (isProvisioned(decision)) {
    if (part.removed) return part.isAbsorbed ? preserved : removal;
    return { action: part.current === "DEPLOYED" ? "REDEPLOY" : "DEPLOY", reason };
  }
  if (action === "UNDEPLOY") return isPartPresent(part) ? { action, reason } : absent;
  if (completes === true && node.current === "DEPLOYED") return complete(part);
  const isGone = reason === absent.reason || (completes === true && node.current === "NOT_DEPLOYED");
  if (isGone) return isPartPresent(part) ? undeployment : absent;
  return preserved;
}

function complete(part: PlanPart): Decision {
  if (part.removed) return part.isAbsorbed ? preserved : removal;
  const isChanged = part.current === "DEPLOYED" && isComponentChanged(part);
  return baseAction(part.current, isChanged ? "CHANGED" : "UNCHANGED", true);
}

function inListingOrder(listed: readonly number[], { changes, parts }: Described): PlannedChange[] {
  const operations: PlannedChange[] = [];
  for (const index of listed) {
    operations.push(changes[index]!);
    for (const part of parts[index]!) operations.push(part);
  }
  return operations;
}

/** The part of a plan that is answered. */
export function planResponse({ outcome, operations, conflictingOperations }: ProvisioningPlan): PlanResponse {
  return { outcome, operations, conflictingOperations };
}

/** Step 8. Why a start refuses a plan with outcome KO: one problem per contradicting pair. */
export function conflictProblems(plan: ProvisioningPlan): Problem[] {
  const changes = new Map(plan.conflictingOperations.map((change) => [change.componentId, change]));
  const changeOf = (index: number): PlannedChange => changes.get(plan.planGraph.nodes[index]!.id)!;
  const problems = newProblemList();
  for (const { node, needs } of plan.conflicts) {
    const dependant = changeOf(node);
    const dependency = changeOf(needs);
    const endOf = (change: PlannedChange, index: number): string =>
      describeEnd(change, plan.planGraph.nodes[index]!.current);
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
 * Checks a unit without planning it, for validations. `where` is a JSON pointer into the request, or
 * `environment` for the query parameter.
 */
export function checkUnit(unit: Unit, configured: PlanContext): Problem[] {
  const { problems, graph } = checkStructure(unit);
  const planGraph = buildPlanGraph(unit, graph, { components: [] });
  const found = newProblemList();
  reportAll(found, problems);
  reportAll(found, checkContext(unit, configured));
  reportAll(found, checkAdapters(planGraph, configured));
  return problemsOf(found);
}

export type Snapshot = Required<Pick<LastKnownComponent, "componentId" | "hash" | "name">> & {
  dependsOn: string[];
  infrastructureTemplateId: string | undefined;
  ownerId: string | undefined;
};

/**
 * The stored snapshot of each component, of the root, and of each subcomponent with a call of its own. A
 * subcomponent depends on others of the same component only, and follows its component.
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
