import { cyclicGroups, reversed, topologicalOrder, type Edges } from "../../platform/lib/graph.ts";
import type { Decision } from "./base-action.ts";
import type { Decided } from "./describe.ts";
import { effectiveNeeds, isProvisioned } from "./effective-needs.ts";
import type { PlanGraph } from "./plan-graph.ts";

/** The dependencies between tasks, and an order that respects them. Both halves are free of cycles. */
export interface PlanOrder {
  /** Nodes that are deployed or left alone; each node after those it waits for, root first. */
  provisionSequence: number[];
  provisionWaits: Edges;
  /** Nodes that are undeployed or left alone; a removed or undeployed root is not among them. */
  unprovisionSequence: number[];
  /**
   * For an undeployed node: the nodes whose snapshots depend on it, including those that are deployed again.
   */
  unprovisionWaits: Edges;
  /**
   * Nodes that are deployed while some of their subcomponents are undeployed. In the unprovision half these
   * subcomponents have a second place, after those of all nodes.
   */
  shedding: readonly number[];
}

/** The node at a place of the unprovision half. */
export function nodeAt(planGraph: PlanGraph, shedding: readonly number[], place: number): number {
  const { length } = planGraph.nodes;
  return place < length ? place : shedding[place - length]!;
}

/**
 * The order of execution. Deployments wait for deployments only, and undeployments for both, so the two
 * halves cannot form a cycle with each other; each is made free of cycles by itself.
 *
 * Both can have a cycle although the descriptor has none, because a preserved component keeps the
 * dependencies of an older descriptor: B was deployed onto C; now C needs A, A needs B, and B, which no
 * longer needs C, is preserved. Within such a group the older dependencies are dropped (see `loosenSnapshots`
 * and `loosenByAge`).
 */
export function orderPlan(planGraph: PlanGraph, { decisions, partDecisions }: Decided): PlanOrder {
  const isRemoval = (index: number) => decisions[index]!.action === "UNDEPLOY";
  const { nodes } = planGraph;

  const needs = decisions.map((decision, index) => effectiveNeeds(planGraph, decision, index));
  const stays = (index: number) => !isRemoval(index);
  const provision = orderHalf(needs, stays, (edges, group) =>
    loosenSnapshots(planGraph, { decisions, partDecisions }, { edges, group }),
  );

  const shedding: number[] = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const goes = partDecisions[index]!.some(({ action }) => action === "UNDEPLOY");
    if (goes && isProvisioned(decisions[index]!)) shedding.push(index);
  }
  const standsOn = withShedding(reversed(planGraph.oldNeeds), shedding);
  const goes = (place: number) =>
    place >= nodes.length ||
    (!isProvisioned(decisions[place]!) && !(nodes[place]!.isRoot && isRemoval(place)));
  const age = (place: number) => nodes[nodeAt(planGraph, shedding, place)]!.last?.deployedOrder ?? 0;
  const unprovision = orderHalf(standsOn, goes, (edges, group) => loosenByAge(edges, group, age));

  return {
    provisionSequence: provision.sequence,
    provisionWaits: provision.waits,
    unprovisionSequence: unprovision.sequence,
    unprovisionWaits: unprovision.waits,
    shedding,
  };
}

/** Dependants of a node may depend on its removed subcomponents, and these may depend on other nodes. */
function withShedding(standsOn: number[][], shedding: readonly number[]): Edges {
  if (shedding.length === 0) return standsOn;
  const { length } = standsOn;
  const secondPlace = new Map(shedding.map((node, number) => [node, length + number]));
  const both = (node: number) => {
    const second = secondPlace.get(node);
    return second === undefined ? [node] : [node, second];
  };
  const edges = standsOn.map((list) => list.flatMap(both));
  return [...edges, ...shedding.map((node) => edges[node]!)];
}

/** All nodes in the order of the answer: deployed and preserved ones, then undeployed ones, the root last. */
export function listingOrder(
  planGraph: PlanGraph,
  decisions: readonly Decision[],
  order: PlanOrder,
): number[] {
  const isRemoval = (index: number) => decisions[index]!.action === "UNDEPLOY";
  const goes = order.unprovisionSequence.filter((place) => place < decisions.length && isRemoval(place));
  const listed = [...order.provisionSequence, ...goes];
  const rootGoes = planGraph.nodes[0]?.isRoot === true && isRemoval(0);
  if (rootGoes) listed.push(0);
  return listed;
}

type Loosen = (edges: Edges, group: ReadonlySet<number>) => Edges;

function orderHalf(
  edges: Edges,
  included: (index: number) => boolean,
  loosen: Loosen,
): { sequence: number[]; waits: Edges } {
  let count = 0;
  for (let index = 0; index < edges.length; index += 1) if (included(index)) count += 1;
  const sequence = topologicalOrder(edges, included);
  if (sequence.length === count) return { sequence, waits: edges };
  const inside = edges.map((list, index) => (included(index) ? list.filter(included) : []));
  let waits = edges;
  for (const group of cyclicGroups(inside)) waits = loosen(waits, new Set(group));
  return { sequence: topologicalOrder(waits, included), waits };
}

interface CyclicGroup {
  edges: Edges;
  group: ReadonlySet<number>;
}

/**
 * Within a cyclic group, preserved nodes wait for nothing, or for what the descriptor says where some of their
 * subcomponents are deployed. The remaining edges are those of the descriptor, which has no cycle.
 */
function loosenSnapshots(
  { newNeeds }: PlanGraph,
  { decisions, partDecisions }: Decided,
  { edges, group }: CyclicGroup,
): Edges {
  return edges.map((list, index) => {
    if (!group.has(index) || isProvisioned(decisions[index]!)) return list;
    const outside = list.filter((other) => !group.has(other));
    if (!partDecisions[index]!.some(isProvisioned)) return outside;
    return [...outside, ...newNeeds[index]!.filter((other) => group.has(other))];
  });
}

/**
 * Within a cyclic group, younger nodes are undeployed first, and edges that contradict this are dropped. A
 * node cannot have been deployed onto one that was deployed later, so such an edge of an older snapshot is
 * stale.
 */
function loosenByAge(edges: Edges, group: ReadonlySet<number>, age: (place: number) => number): Edges {
  const goesBefore = (a: number, b: number) => age(a) > age(b) || (age(a) === age(b) && a > b);
  return edges.map((list, index) => {
    if (!group.has(index)) return list;
    return list.filter((other) => !group.has(other) || goesBefore(other, index));
  });
}
