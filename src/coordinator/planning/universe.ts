import { hashComponent, hashRoot } from "../descriptor/hash.ts";
import { idKey } from "../descriptor/ids.ts";
import type { UnitGraph } from "../descriptor/checks.ts";
import type { Component, Unit } from "../descriptor/unit.ts";
import type { KnownStatus, LastKnownComponent, LastKnownState } from "./model.ts";

/** One thing that a plan decides about: a component of the descriptor, a removed one, or the root. */
export interface PlanNode {
  /** As the descriptor spells it; as the state spells it when removed. */
  id: string;
  current: KnownStatus;
  /** Whether the descriptor no longer has it. */
  removed: boolean;
  isRoot: boolean;
  component: Component | undefined;
  last: LastKnownComponent | undefined;
  /** Of the descriptor, or of the snapshot when removed. */
  infrastructureTemplateId: string | undefined;
}

/** The nodes of a plan and both versions of their dependencies, by node index. */
export interface Universe {
  unit: Unit;
  /** Root first, then components in the descriptor's order, then removed ones. */
  nodes: readonly PlanNode[];
  /** Index of the node with this `idKey`, or of the one whose subcomponent has it. */
  find: (key: string) => number | undefined;
  /** What each node needs once it is deployed from the descriptor; empty for removed ones. */
  newNeeds: readonly (readonly number[])[];
  /** What each node's deployed snapshot needs; empty when there is none. */
  oldNeeds: readonly (readonly number[])[];
}

/**
 * Step 2. The universe: components of the descriptor, components that are deployed or corrupt and no longer in
 * it, and the root when the unit itself is provisioned. Each component needs the root; a root that the
 * descriptor dropped is needed by nobody any more and is only undeployed last.
 */
export function buildUniverse(unit: Unit, graph: UnitGraph, last: LastKnownState): Universe {
  const hasRoot = unit.infrastructureTemplateId !== undefined;
  const rootKnown = isPresent(last.root);
  const first = hasRoot || rootKnown ? 1 : 0;
  const { lastOf, removed } = assignKnown(unit, graph, last);
  const nodes: PlanNode[] = first === 1 ? [rootNode(unit, last.root, hasRoot)] : [];
  for (let index = 0; index < unit.components.length; index += 1) {
    nodes.push(componentNode(unit.components[index]!, lastOf[index]));
  }
  const extra = new Map<string, number>();
  if (first === 1) extra.set(unit.key, 0);
  for (const [key, known] of removed) {
    extra.set(key, nodes.length);
    nodes.push(removedNode(known));
  }
  const find = (key: string) => {
    const index = graph.indexOf.get(key);
    return index === undefined ? extra.get(key) : index + first;
  };
  const base: Nodes = { unit, nodes, find };
  return {
    ...base,
    newNeeds: newNeeds(base, graph, hasRoot),
    oldNeeds: oldNeeds(base, hasRoot && rootKnown),
  };
}

/** Which known component belongs to which of the descriptor, and which to none although it is still there. */
function assignKnown(unit: Unit, graph: UnitGraph, last: LastKnownState) {
  const lastOf: (LastKnownComponent | undefined)[] = unit.components.map(() => undefined);
  const removed = new Map<string, LastKnownComponent>();
  for (const known of last.components) {
    const key = idKey(known.componentId);
    const index = graph.indexOf.get(key);
    if (index === undefined) {
      if (isPresent(known)) removed.set(key, known);
    } else if (unit.components[index]!.key === key) lastOf[index] = known;
  }
  return { lastOf, removed };
}

/** Whether the descriptor differs from the deployed snapshot; hashes on demand, since few questions need it. */
export function isChanged(universe: Universe, index: number): boolean {
  const node = universe.nodes[index]!;
  const known = node.last?.hash;
  if (known === undefined || node.removed) return true;
  if (node.component !== undefined) return hashComponent(node.component.descriptor) !== known;
  return hashRoot(universe.unit.descriptor) !== known;
}

function isPresent(known: LastKnownComponent | undefined): known is LastKnownComponent {
  return known !== undefined && known.status !== "NOT_DEPLOYED";
}

function rootNode(unit: Unit, last: LastKnownComponent | undefined, hasRoot: boolean): PlanNode {
  return {
    id: unit.id,
    current: last?.status ?? "NOT_DEPLOYED",
    removed: !hasRoot,
    isRoot: true,
    component: undefined,
    last,
    infrastructureTemplateId: hasRoot ? unit.infrastructureTemplateId : last?.infrastructureTemplateId,
  };
}

function componentNode(component: Component, last: LastKnownComponent | undefined): PlanNode {
  return {
    id: component.id,
    current: last?.status ?? "NOT_DEPLOYED",
    removed: false,
    isRoot: false,
    component,
    last,
    infrastructureTemplateId: component.infrastructureTemplateId,
  };
}

function removedNode(last: LastKnownComponent): PlanNode {
  return {
    id: last.componentId,
    current: last.status,
    removed: true,
    isRoot: false,
    component: undefined,
    last,
    infrastructureTemplateId: last.infrastructureTemplateId,
  };
}

type Nodes = Pick<Universe, "unit" | "nodes" | "find">;

const nothing: readonly number[] = [];

function newNeeds({ unit, nodes }: Nodes, graph: UnitGraph, hasRoot: boolean): (readonly number[])[] {
  const needs: (readonly number[])[] = nodes.map(() => nothing);
  const first = nodes[0]?.isRoot === true ? 1 : 0;
  for (let index = 0; index < unit.components.length; index += 1) {
    const dependencies = graph.dependencies[index]!;
    const mapped: number[] = hasRoot ? [0] : [];
    for (const dependency of dependencies) mapped.push(dependency + first);
    needs[index + first] = mapped;
  }
  return needs;
}

/** A snapshot's dependency that exists nowhere any more is no concern of a plan. */
function oldNeeds({ nodes, find }: Nodes, needsRoot: boolean): (readonly number[])[] {
  const seenBy = new Int32Array(nodes.length).fill(-1);
  return nodes.map((node, index) => {
    if (node.current === "NOT_DEPLOYED" || node.isRoot) return nothing;
    const needs: number[] = needsRoot ? [0] : [];
    for (const id of node.last?.dependsOn ?? []) {
      const other = find(idKey(id));
      if (other === undefined || other === index || nodes[other]!.isRoot) continue;
      if (seenBy[other] === index) continue;
      seenBy[other] = index;
      needs.push(other);
    }
    return needs;
  });
}
