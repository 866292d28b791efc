import { hashComponent, hashRoot } from "./descriptor/hash.ts";
import { idKey } from "../ids.ts";
import type { UnitGraph } from "./descriptor/checks.ts";
import type { OwnCall } from "./descriptor/inner-graph.ts";
import type { Component, Unit } from "./descriptor/unit.ts";
import type { KnownStatus, LastKnownComponent, LastKnownState } from "./model.ts";

/** A node of a plan: a component of the descriptor, a removed one, or the root. */
export interface PlanNode {
  /** As the descriptor spells it; as the state spells it when removed. */
  id: string;
  current: KnownStatus;
  /** Whether the descriptor no longer has it. */
  removed: boolean;
  isRoot: boolean;
  component: Component | undefined;
  last: LastKnownComponent | undefined;
  /** The template in the descriptor, or in the snapshot of a removed component. */
  infrastructureTemplateId: string | undefined;
  /**
   * Its subcomponents that have calls of their own: those of the descriptor, parents first, then removed
   * ones.
   */
  parts: readonly PlanPart[];
}

/** A subcomponent with a call of its own. It follows its component and is in no dependency between nodes. */
export interface PlanPart extends Omit<PlanNode, "isRoot" | "parts"> {
  /** The new descriptor has it without a call of its own: its owner's call takes it over. */
  isAbsorbed: boolean;
  /** Indexes of the parts that are provisioned before it. */
  after: readonly number[];
}

/** The nodes of a plan and both versions of their dependencies, by node index. */
export interface PlanGraph {
  unit: Unit;
  /** Root first, then components in the descriptor's order, then removed ones. */
  nodes: readonly PlanNode[];
  /** Index of the node with this `idKey`, or of the one whose subcomponent has or had it. */
  find: (key: string) => number | undefined;
  /** What each node needs once it is deployed from the descriptor; empty for removed ones. */
  newNeeds: readonly (readonly number[])[];
  /** What each node's deployed snapshot needs; empty when there is none. */
  oldNeeds: readonly (readonly number[])[];
}

/**
 * Step 2. The nodes of a plan: components of the descriptor, components that are deployed or corrupt and no
 * longer in it, and the root when the unit itself is provisioned. Each component needs the root; nothing
 * needs a root that the descriptor dropped, and it is undeployed last.
 */
export function buildPlanGraph(unit: Unit, graph: UnitGraph, last: LastKnownState): PlanGraph {
  const hasRoot = unit.infrastructureTemplateId !== undefined;
  const rootKnown = isPresent(last.root);
  const first = hasRoot || rootKnown ? 1 : 0;
  const state = readState(unit, graph, last);
  const nodes: PlanNode[] = first === 1 ? [rootNode(unit, last.root, hasRoot)] : [];
  for (let index = 0; index < unit.components.length; index += 1) {
    nodes.push(componentNode(unit.components[index]!, graph.ownCalls[index]!, { state, at: index }));
  }
  const extra = new Map<string, number>();
  if (first === 1) extra.set(unit.key, 0);
  for (const [key, known] of state.removed) {
    const home = state.homes.get(key);
    if (home !== undefined) continue;
    extra.set(key, nodes.length);
    nodes.push(removedNode(known, state.partsOf.get(key)));
  }
  for (const [key, home] of state.homes) {
    extra.set(key, typeof home === "number" ? home + first : extra.get(home)!);
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

/** A component of the descriptor by its index, or a removed one by its key. */
type Home = number | string;

/** The last known components, and for removed subcomponents the component that they belong to. */
interface State {
  known: ReadonlyMap<string, LastKnownComponent>;
  removed: ReadonlyMap<string, LastKnownComponent>;
  /** For a removed subcomponent the component that it belonged to; absent where that was removed as well. */
  homes: ReadonlyMap<string, Home>;
  partsOf: ReadonlyMap<Home, readonly LastKnownComponent[]>;
}

function readState(unit: Unit, graph: UnitGraph, last: LastKnownState): State {
  const called = new Set(unit.components.map(({ key }) => key));
  for (const calls of graph.ownCalls) for (const { component } of calls) called.add(component.key);
  const known = new Map<string, LastKnownComponent>();
  const removed = new Map<string, LastKnownComponent>();
  for (const each of last.components) {
    const key = idKey(each.componentId);
    known.set(key, each);
    if (!called.has(key) && isPresent(each)) removed.set(key, each);
  }
  const homes = new Map<string, Home>();
  const partsOf = new Map<Home, LastKnownComponent[]>();
  for (const [key, part] of removed) {
    const home = homeOf(key, { graph, removed });
    if (home === key) continue;
    homes.set(key, home);
    const parts = partsOf.get(home);
    if (parts) parts.push(part);
    else partsOf.set(home, [part]);
  }
  return { known, removed, homes, partsOf };
}

/** The component that a removed part belongs to; its own key when there is none. */
function homeOf(
  key: string,
  { graph, removed }: { graph: UnitGraph; removed: ReadonlyMap<string, LastKnownComponent> },
): Home {
  let at = key;
  const absorbedBy = graph.indexOf.get(key);
  if (absorbedBy !== undefined) return absorbedBy;
  for (const passed = new Set<string>(); !passed.has(at);) {
    passed.add(at);
    const ownerId = removed.get(at)?.ownerId;
    if (ownerId === undefined) return at;
    const ownerKey = idKey(ownerId);
    const index = graph.indexOf.get(ownerKey);
    if (index !== undefined) return index;
    if (!removed.has(ownerKey)) return at;
    at = ownerKey;
  }
  return key;
}

/** Whether the descriptor differs from the deployed snapshot; hashed on demand. */
export function isChanged(planGraph: PlanGraph, index: number): boolean {
  const node = planGraph.nodes[index]!;
  if (!node.isRoot) return isComponentChanged(node);
  const known = node.last?.hash;
  return known === undefined || node.removed || hashRoot(planGraph.unit.descriptor) !== known;
}

/** The same of a component or a subcomponent. */
export function isComponentChanged({ component, last }: Pick<PlanPart, "component" | "last">): boolean {
  if (component === undefined || last?.hash === undefined) return true;
  return hashComponent(component.descriptor) !== last.hash;
}

function isPresent(known: LastKnownComponent | undefined): known is LastKnownComponent {
  return known !== undefined && known.status !== "NOT_DEPLOYED";
}

const noParts: readonly PlanPart[] = [];

function rootNode(unit: Unit, last: LastKnownComponent | undefined, hasRoot: boolean): PlanNode {
  return {
    id: unit.id,
    current: last?.status ?? "NOT_DEPLOYED",
    removed: !hasRoot,
    isRoot: true,
    component: undefined,
    last,
    infrastructureTemplateId: hasRoot ? unit.infrastructureTemplateId : last?.infrastructureTemplateId,
    parts: noParts,
  };
}

function componentNode(
  component: Component,
  ownCalls: readonly OwnCall[],
  { state, at }: { state: State; at: number },
): PlanNode {
  const removed = state.partsOf.get(at);
  const isPlain = ownCalls.length === 0 && removed === undefined;
  return {
    ...describedPart(component, state),
    isRoot: false,
    parts: isPlain
      ? noParts
      : [
          ...ownCalls.map((call) => ({
            ...describedPart(call.component, state),
            after: call.after,
            isAbsorbed: false,
          })),
          ...removedParts(removed, new Set(component.subcomponents.map(({ key }) => key))),
        ],
  };
}

type Described = Omit<PlanNode, "isRoot" | "parts">;

function describedPart(component: Component, { known }: State): Described {
  const last = known.get(component.key);
  return {
    id: component.id,
    current: last?.status ?? "NOT_DEPLOYED",
    removed: false,
    component,
    last,
    infrastructureTemplateId: component.infrastructureTemplateId,
  };
}

const removedNode = (
  last: LastKnownComponent,
  parts: readonly LastKnownComponent[] | undefined,
): PlanNode => ({ ...removedPart(last), isRoot: false, parts: removedParts(parts, noKeys) });

const noKeys: ReadonlySet<string> = new Set();

const removedParts = (
  parts: readonly LastKnownComponent[] | undefined,
  described: ReadonlySet<string>,
): readonly PlanPart[] =>
  parts === undefined
    ? noParts
    : parts.map((last) => ({
        ...removedPart(last),
        after: nothing,
        isAbsorbed: described.has(idKey(last.componentId)),
      }));

const removedPart = (last: LastKnownComponent): Described => ({
  id: last.componentId,
  current: last.status,
  removed: true,
  component: undefined,
  last,
  infrastructureTemplateId: last.infrastructureTemplateId,
});

type Nodes = Pick<PlanGraph, "unit" | "nodes" | "find">;

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

/** Whether the subcomponent may be deployed. */
export const isPartPresent = ({ current }: PlanPart): boolean => current !== "NOT_DEPLOYED";

/** Dependencies of snapshots on nodes that no longer exist are ignored. */
function oldNeeds({ nodes, find }: Nodes, needsRoot: boolean): (readonly number[])[] {
  const seenBy = new Int32Array(nodes.length).fill(-1);
  return nodes.map((node, index) => {
    const isThere = node.current !== "NOT_DEPLOYED" || node.parts.some(isPartPresent);
    if (!isThere || node.isRoot) return nothing;
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
