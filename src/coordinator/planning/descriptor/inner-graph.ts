/** Pure. The order of calls within one component: its own call and those of its subcomponents. */
import { cyclicGroups } from "../../../platform/lib/graph.ts";
import { hasOwnCall, ownerKeys } from "./own-calls.ts";
import type { Component } from "./unit.ts";

/** A dependency between a component and its subcomponents, or between two of these. */
export interface InnerEdge {
  from: Component;
  /** Place in the `dependsOn` of `from`. */
  entry: number;
  toKey: string;
}

/** A subcomponent with a call of its own. */
export interface OwnCall {
  component: Component;
  /** The component or subcomponent whose call comes before. */
  ownerKey: string;
  /** Indexes of the calls that come before it, including its owner unless that is the component itself. */
  after: readonly number[];
}

export interface InnerReading {
  /** Parents first. */
  ownCalls: readonly OwnCall[];
  /** Cycles of calls that wait for each other, each with the place of one of its dependencies. */
  cycles: { names: string[]; where: string }[];
  /** Dependencies within one and the same call. */
  within: readonly InnerEdge[];
}

const noCalls: readonly OwnCall[] = [];

export function readInner(component: Component, edges: readonly InnerEdge[]): InnerReading {
  const called = component.subcomponents.filter(hasOwnCall);
  if (called.length === 0) return { ownCalls: noCalls, cycles: [], within: edges };
  const calls = [component, ...called];
  const owners = ownerKeys(component);
  const numberOf = new Map(calls.map(({ key }, number) => [key, number]));
  const callOf = (key: string): number => numberOf.get(key) ?? numberOf.get(owners.get(key) ?? "") ?? 0;
  const waits = calls.map(({ key }, number) =>
    number === 0 ? new Set<number>() : new Set([numberOf.get(owners.get(key) ?? "") ?? 0]),
  );
  const across: InnerEdge[] = [];
  const within: InnerEdge[] = [];
  for (const edge of edges) {
    const [from, to] = [callOf(edge.from.key), callOf(edge.toKey)];
    if (from === to) within.push(edge);
    else {
      waits[from]!.add(to);
      across.push(edge);
    }
  }
  const cycles = cyclicGroups(waits.map((set) => [...set])).map((group) => {
    const members = new Set(group);
    const edge = across.find(
      ({ from, toKey }) => members.has(callOf(from.key)) && members.has(callOf(toKey)),
    );
    const where = edge ? `${edge.from.pointer}/dependsOn/${edge.entry}` : component.pointer;
    return { names: group.map((number) => calls[number]!.id), where };
  });
  const ownCalls = called.map((each, place) => ({
    component: each,
    ownerKey: owners.get(each.key) ?? component.key,
    after: [...waits[place + 1]!].filter((number) => number > 0).map((number) => number - 1),
  }));
  return { ownCalls, cycles, within };
}
