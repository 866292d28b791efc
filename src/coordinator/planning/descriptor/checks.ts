import type { Problem } from "../../../platform/errors/failure.ts";
import { cyclicGroups } from "../../../platform/lib/graph.ts";
import { idKey } from "../../ids.ts";
import { readInner, type InnerEdge, type InnerReading, type OwnCall } from "./inner-graph.ts";
import { descriptorLimits } from "./limits.ts";
import { newProblemList, problemsOf, report, reportAll } from "./problem-list.ts";
import type { ProblemList } from "./problem-list.ts";
import type { Component, Unit } from "./unit.ts";

/** The dependencies among the components of a unit, by their index in `unit.components`. */
export interface UnitGraph {
  /** `idKey` of a component or a subcomponent -> index of the component it belongs to. */
  indexOf: ReadonlyMap<string, number>;
  /** Per component, including those of its subcomponents; without duplicates and without itself. */
  dependencies: readonly (readonly number[])[];
  /** Per component, its subcomponents that have calls of their own. Empty for most. */
  ownCalls: readonly (readonly OwnCall[])[];
}

export interface StructureReading {
  problems: Problem[];
  graph: UnitGraph;
}

/**
 * Checks the components by the descriptor alone: duplicate ids, unknown dependencies, cycles, limits. All
 * problems are collected. A subcomponent is deployed with its parent or right after it, so other components
 * see its dependencies as those of the parent: the graph has components only, with the order of calls within
 * each beside it.
 */
export function checkStructure(unit: Unit): StructureReading {
  const problems = newProblemList();
  const indexOf = indexIds(unit, problems);
  const dependencies: number[][] = [];
  const entries = countDependencies(unit);
  if (entries > descriptorLimits.dependencies) {
    report(problems, tooManyDependencies(entries, unit));
    const nothing = unit.components.map(() => []);
    return { problems: problemsOf(problems), graph: { indexOf, dependencies: nothing, ownCalls: nothing } };
  }
  const inner: InnerReading[] = [];
  const seenBy = new Int32Array(unit.components.length).fill(-1);
  for (let index = 0; index < unit.components.length; index += 1) {
    const component = unit.components[index]!;
    const place: Place = { unit, indexOf, problems, index, found: [], seenBy, inner: [] };
    resolve(place, component);
    for (const subcomponent of component.subcomponents) resolve(place, subcomponent);
    dependencies.push(place.found);
    inner.push(readInner(component, place.inner));
  }
  reportAll(problems, longCycles(unit, dependencies));
  for (let index = 0; index < inner.length; index += 1) {
    reportAll(problems, innerCycles(unit.components[index]!, inner[index]!));
  }
  const ownCalls = inner.map((reading) => reading.ownCalls);
  return { problems: problemsOf(problems), graph: { indexOf, dependencies, ownCalls } };
}

function countDependencies(unit: Unit): number {
  let count = 0;
  for (const component of unit.components) {
    count += component.dependsOn.length;
    for (const subcomponent of component.subcomponents) count += subcomponent.dependsOn.length;
  }
  return count;
}

function indexIds(unit: Unit, problems: ProblemList): Map<string, number> {
  const indexOf = new Map<string, number>();
  const firstPlace = new Map<string, Component>();
  const add = (component: Component, index: number) => {
    if (component.id === "") return;
    const before = firstPlace.get(component.key);
    if (before !== undefined) report(problems, duplicate(component, before.pointer));
    else {
      firstPlace.set(component.key, component);
      indexOf.set(component.key, index);
    }
  };
  for (let index = 0; index < unit.components.length; index += 1) {
    const component = unit.components[index]!;
    if (component.key === unit.key && unit.key !== "") report(problems, duplicate(component, unit.pointer));
    add(component, index);
    for (const subcomponent of component.subcomponents) add(subcomponent, index);
  }
  return indexOf;
}

function duplicate(component: Component, firstPointer: string): Problem {
  return {
    where: `${component.pointer}/id`,
    message: `The id ${component.id} is used twice, case aside; it is first used at ${firstPointer}.`,
    solution: "Give each component and subcomponent an id of its own.",
  };
}

interface Place {
  unit: Unit;
  indexOf: ReadonlyMap<string, number>;
  problems: ProblemList;
  /** Index of the component whose dependencies, or whose subcomponent's, are resolved. */
  index: number;
  found: number[];
  /** Per component, the last dependant that was found; avoids duplicates. */
  seenBy: Int32Array;
  inner: InnerEdge[];
}

function resolve(place: Place, component: Component): void {
  for (let entry = 0; entry < component.dependsOn.length; entry += 1) {
    const id = component.dependsOn[entry]!;
    if (id === "") continue;
    const key = idKey(id);
    const target = place.indexOf.get(key);
    if (key === component.key) report(place.problems, selfDependency(component, entry));
    else if (target === undefined) {
      const isRoot = place.unit.infrastructureTemplateId !== undefined && key === place.unit.key;
      // The unit itself is provisioned before its components anyway.
      if (!isRoot) report(place.problems, outside(component, entry));
    } else if (target === place.index) place.inner.push({ from: component, entry, toKey: key });
    else if (place.seenBy[target] !== place.index) {
      place.seenBy[target] = place.index;
      place.found.push(target);
    }
  }
}

function selfDependency(component: Component, entry: number): Problem {
  return {
    where: `${component.pointer}/dependsOn/${entry}`,
    message: `${component.id} depends on itself.`,
    solution: "Remove the entry.",
  };
}

function outside(component: Component, entry: number): Problem {
  return {
    where: `${component.pointer}/dependsOn/${entry}`,
    message: `${component.id} depends on ${component.dependsOn[entry]}, which is not a component of this unit.`,
    solution: "Correct the id, or add the component to the descriptor.",
  };
}

function tooManyDependencies(count: number, unit: Unit): Problem {
  return {
    where: `${unit.pointer}/components`,
    message: `The dependsOn lists have ${count} entries; at most ${descriptorLimits.dependencies} are allowed.`,
    solution: "Remove dependencies that follow from others, or split the deployment unit.",
  };
}

function longCycles(unit: Unit, dependencies: number[][]): Problem[] {
  return cyclicGroups(dependencies).map((group) => {
    const first = unit.components[group[0]!]!;
    const keys = new Set<string>();
    for (const member of group) {
      keys.add(unit.components[member]!.key);
      for (const subcomponent of unit.components[member]!.subcomponents) keys.add(subcomponent.key);
    }
    const names = group.map((member) => unit.components[member]!.id);
    return cycle(names, placeOfDependency(first, keys));
  });
}

/** Cycles among the subcomponents of one component, which the graph of components does not contain. */
function innerCycles(component: Component, { within, cycles }: InnerReading): Problem[] {
  const problems = cycles.map(({ names, where }) => cycle(names, where));
  if (within.length === 0) return problems;
  const parts = component.subcomponents;
  const numberOf = new Map(parts.map((part, number) => [part.key, number]));
  const graph: number[][] = parts.map(() => []);
  for (const edge of within) {
    const from = numberOf.get(edge.from.key);
    const to = numberOf.get(edge.toKey);
    if (from !== undefined && to !== undefined) graph[from]!.push(to);
  }
  for (const group of cyclicGroups(graph)) {
    const members = group.map((number) => parts[number]!);
    const where = placeOfDependency(members[0]!, new Set(members.map((member) => member.key)));
    const names = members.map((member) => member.id);
    problems.push(cycle(names, where));
  }
  return problems;
}

function cycle(names: string[], where: string): Problem {
  return {
    where,
    message: `The dependencies of ${names.join(", ")} form a cycle.`,
    solution: "Remove one of the dependsOn entries between them.",
  };
}

/** Pointer of the first entry of `component`, or of its parts, that leads to one of `keys`. */
function placeOfDependency(component: Component, keys: ReadonlySet<string>): string {
  const own = new Set([component.key, ...component.subcomponents.map((part) => part.key)]);
  for (const part of [component, ...component.subcomponents]) {
    const entry = part.dependsOn.findIndex((id) => keys.has(idKey(id)) && !own.has(idKey(id)));
    if (entry >= 0) return `${part.pointer}/dependsOn/${entry}`;
  }
  return `${component.pointer}/dependsOn`;
}
