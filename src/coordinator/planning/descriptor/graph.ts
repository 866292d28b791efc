/**
 * Graph algorithms over integer nodes: `edges[a]` lists what `a` points to. Nothing recurses, so long chains
 * are safe.
 */
export type Edges = readonly (readonly number[])[];

/**
 * The nodes for which `included` holds, each after the nodes it waits for. Deterministic: ties keep the order
 * of the input. Nodes on a cycle, or behind one, are left out.
 */
export function topologicalOrder(waitsFor: Edges, included?: (node: number) => boolean): number[] {
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
  const order: number[] = [];
  for (let node = 0; node < size; node += 1) {
    if (isIn[node] === 0) continue;
    if (open[node] === 0) order.push(node);
    for (const other of waitsFor[node]!) {
      if (isIn[other] === 1) waiting[next[other]!++] = node;
    }
  }
  for (let placed = 0; placed < order.length; placed += 1) {
    const node = order[placed]!;
    for (let at = starts[node]!; at < starts[node + 1]!; at += 1) {
      const dependant = waiting[at]!;
      open[dependant]! -= 1;
      if (open[dependant] === 0) order.push(dependant);
    }
  }
  return order;
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
  const walk: TarjanWalk = {
    edges,
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
  for (const group of walk.groups) group.sort((a, b) => a - b);
  return walk.groups.sort((a, b) => a[0]! - b[0]!);
}

interface TarjanWalk {
  edges: Edges;
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
  if (group.length > 1) walk.groups.push(group);
}
