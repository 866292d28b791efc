import { cyclicGroupsAsMet, smallestFirstOrder } from "../../platform/lib/graph.ts";

/** A component as far as ordering needs it. */
export interface OrderNode {
  id: string;
  name: string;
  dependsOn: readonly string[];
}

export interface ComponentOrder {
  /** Indexes of the input, dependencies first, ties by name. Members of cycles are omitted. */
  order: number[];
  /** The groups of components that depend on each other or on themselves, each in traversal order. */
  cycles: string[][];
}

/** Ids are URNs, which are compared ignoring case. */
export const sameId = (id: string): string => id.toLowerCase();

/** Orders components independently of the input order. Dependencies on unknown ids count as satisfied. */
export const orderComponents = (nodes: readonly OrderNode[]): ComponentOrder => {
  const byName = nodes.map((_, position) => position).sort((a, b) => compareNodes(nodes[a]!, nodes[b]!));
  const rankOf = new Map(byName.map((position, rank) => [position, rank]));
  const idRanks = new Map(nodes.map(({ id }, position) => [sameId(id), rankOf.get(position)!]));
  const needs = byName.map((position) => [
    ...new Set(nodes[position]!.dependsOn.flatMap((id) => idRanks.get(sameId(id)) ?? [])),
  ]);
  const order = smallestFirstOrder(needs).map((rank) => byName[rank]!);
  const cycles = order.length === nodes.length ? [] : cyclicGroupsAsMet(needs);
  return { order, cycles: cycles.map((ranks) => ranks.map((rank) => nodes[byName[rank]!]!.id)) };
};

/** By code unit, so that the order does not depend on the locale. */
const compareNodes = (a: OrderNode, b: OrderNode): number =>
  compareText(a.name, b.name) || compareText(a.id, b.id);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
