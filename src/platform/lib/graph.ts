/**
 * Pure: orders and cycles of graphs. The nodes of `Edges` are whole numbers: `edges[a]` lists what `a` points to.
 * Nothing recurses, so long chains are safe.
 */
export type Edges = readonly (readonly number[])[];

/**
 * The nodes for which `included` holds, each after the nodes it waits for. Deterministic: ties keep the order
 * of the input. Nodes on a cycle, or behind one, are left out.
 */
export function topologicalOrder(waitsFor: Edges, included?: (node: number) => boolean): number[] {
  const dependants = dependantsOf(waitsFor, included);
  const order = dependants.free;
  for (let placed = 0; placed < order.length; placed += 1) release(dependants, order[placed]!, order);
  return order;
}

/** The same with the smallest of all possible nodes next. */
export function smallestFirstOrder(waitsFor: Edges): number[] {
  const dependants = dependantsOf(waitsFor);
  // Ascending numbers are a heap already.
  const ready = createHeap(dependants.free);
  const order: number[] = [];
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    order.push(node);
    release(dependants, node, ready);
  }
  return order;
}

interface Dependants {
  /** Nodes that wait for nothing, ascending. */
  free: number[];
  /** Of each node, how many edges it still waits for. */
  open: Int32Array;
  /** Where the dependants of a node begin in `waiting`; those of the next one follow. */
  starts: Int32Array;
  waiting: Int32Array;
}

function dependantsOf(waitsFor: Edges, included?: (node: number) => boolean): Dependants {
  const size = waitsFor.length;
  const open = new Int32Array(size);
  const starts = new Int32Array(size + 1);
  const isIn = new Uint8Array(size);
  for (let node = 0; node < size; node += 1) isIn[node] = included === undefined || included(node) ? 1 : 0;
  for (let node = 0; node < size; node += 1) {
    if (isIn[node] === 0) continue;
    for (const other of waitsFor[node]!) {
      if (isIn[other] === 0) continue;
      open[node]! += 1;
      starts[other + 1]! += 1;
    }
  }
  for (let node = 0; node < size; node += 1) starts[node + 1]! += starts[node]!;
  const waiting = new Int32Array(starts[size]!);
  const next = starts.slice(0, size);
  const free: number[] = [];
  for (let node = 0; node < size; node += 1) {
    if (isIn[node] === 0) continue;
    if (open[node] === 0) free.push(node);
    for (const other of waitsFor[node]!) {
      if (isIn[other] === 1) waiting[next[other]!++] = node;
    }
  }
  return { free, open, starts, waiting };
}

/** Passes on the dependants that wait for nothing more once `node` is placed. */
function release(
  { open, starts, waiting }: Dependants,
  node: number,
  ready: { push: (node: number) => unknown },
): void {
  for (let at = starts[node]!; at < starts[node + 1]!; at += 1) {
    const dependant = waiting[at]!;
    open[dependant]! -= 1;
    if (open[dependant] === 0) ready.push(dependant);
  }
}

/** A binary heap of numbers, smallest first; inserting into a sorted array would be quadratic for flat graphs. */
function createHeap(heap: number[]): { push: (value: number) => void; pop: () => number | undefined } {
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };
  return {
    push(value) {
      heap.push(value);
      let at = heap.length - 1;
      while (at > 0 && heap[at]! < heap[(at - 1) >> 1]!) {
        swap(at, (at - 1) >> 1);
        at = (at - 1) >> 1;
      }
    },
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return first;
      heap[0] = last;
      for (let at = 0; ;) {
        const left = 2 * at + 1;
        let least = at;
        if (left < heap.length && heap[left]! < heap[least]!) least = left;
        if (left + 1 < heap.length && heap[left + 1]! < heap[least]!) least = left + 1;
        if (least === at) return first;
        swap(at, least);
        at = least;
      }
    },
  };
}

/** The reversed edges; lists are in ascending order. */
export function reversed(edges: Edges): number[][] {
  const result: number[][] = edges.map(() => []);
  for (let node = 0; node < edges.length; node += 1) {
    for (const other of edges[node]!) result[other]!.push(node);
  }
  return result;
}

/** Strongly connected groups of two nodes or more, members ascending, groups by their first member. */
export function cyclicGroups(edges: Edges): number[][] {
  const groups = connectedGroups(edges, () => false);
  for (const group of groups) group.sort((a, b) => a - b);
  return groups.sort((a, b) => a[0]! - b[0]!);
}

/**
 * The same with nodes that point to themselves; members as a walk from the smallest node meets them, and each
 * group after the groups that it points to.
 */
export const cyclicGroupsAsMet = (edges: Edges): number[][] =>
  connectedGroups(edges, (node) => edges[node]!.includes(node));

/** Every cycle lies within one of these groups. Single nodes are among them where `isGroup` holds. */
function connectedGroups(edges: Edges, isGroup: (node: number) => boolean): number[][] {
  const walk: TarjanWalk = {
    edges,
    isGroup,
    visited: new Int32Array(edges.length),
    lowest: new Int32Array(edges.length),
    onStack: new Uint8Array(edges.length),
    counter: 0,
    stack: [],
    groups: [],
  };
  for (let node = 0; node < edges.length; node += 1) {
    if (walk.visited[node] === 0) visitFrom(walk, node);
  }
  return walk.groups;
}

interface TarjanWalk {
  edges: Edges;
  isGroup: (node: number) => boolean;
  /** Order of the first visit, from 1; 0 is not visited. */
  visited: Int32Array;
  lowest: Int32Array;
  onStack: Uint8Array;
  counter: number;
  stack: number[];
  groups: number[][];
}

/** Tarjan's algorithm with its call stack as two arrays: the node, and how many of its edges are done. */
function visitFrom(walk: TarjanWalk, start: number): void {
  const path = [start];
  const done = [0];
  enter(walk, start);
  while (path.length > 0) {
    const node = path.at(-1)!;
    const edges = walk.edges[node]!;
    const at = done.at(-1)!;
    if (at < edges.length) {
      done[done.length - 1] = at + 1;
      const other = edges[at]!;
      if (walk.visited[other] === 0) {
        enter(walk, other);
        path.push(other);
        done.push(0);
      } else if (walk.onStack[other] === 1) lower(walk, node, walk.visited[other]!);
      continue;
    }
    path.pop();
    done.pop();
    const parent = path.at(-1);
    if (parent !== undefined) lower(walk, parent, walk.lowest[node]!);
    if (walk.lowest[node] === walk.visited[node]) close(walk, node);
  }
}

function enter(walk: TarjanWalk, node: number): void {
  walk.counter += 1;
  walk.visited[node] = walk.counter;
  walk.lowest[node] = walk.counter;
  walk.onStack[node] = 1;
  walk.stack.push(node);
}

function lower(walk: TarjanWalk, node: number, to: number): void {
  if (to < walk.lowest[node]!) walk.lowest[node] = to;
}

function close(walk: TarjanWalk, node: number): void {
  const group: number[] = [];
  for (;;) {
    const member = walk.stack.pop()!;
    walk.onStack[member] = 0;
    group.push(member);
    if (member === node) break;
  }
  if (group.length > 1 || walk.isGroup(node)) walk.groups.push(group.toReversed());
}

/** What each node points to, by node. */
export type EdgeMap<Node> = ReadonlyMap<Node, readonly Node[]>;

/**
 * A shortest path from `start` over one of its `next` nodes back to itself, both ends included; null when there is
 * none. `next` replaces the edges that `start` has in the graph.
 */
export function shortestCycle<Node>(edges: EdgeMap<Node>, start: Node, next: readonly Node[]): Node[] | null {
  const reachedFrom = new Map<Node, Node>(next.map((node) => [node, start]));
  // Breadth first: the map lists nodes in the order in which they were reached.
  for (const here of reachedFrom.keys()) {
    if (here === start) return pathBack(reachedFrom, start);
    for (const other of edges.get(here) ?? []) if (!reachedFrom.has(other)) reachedFrom.set(other, here);
  }
  return null;
}

function pathBack<Node>(reachedFrom: ReadonlyMap<Node, Node>, start: Node): Node[] {
  const path = [start];
  for (let at = reachedFrom.get(start); at !== undefined && at !== start; at = reachedFrom.get(at))
    path.push(at);
  return [...path, start].toReversed();
}
