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
  const positionOf = new Map(nodes.map((node, position) => [sameId(node.id), position]));
  const dependantsOf: number[][] = nodes.map(() => []);
  const waitingFor = nodes.map(() => 0);
  const needsOf = nodes.map((node) => [
    ...new Set(node.dependsOn.flatMap((id) => positionOf.get(sameId(id)) ?? [])),
  ]);
  needsOf.forEach((needs, position) => {
    waitingFor[position] = needs.length;
    for (const need of needs) dependantsOf[need]?.push(position);
  });

  const byName = nodes.map((_, position) => position).sort((a, b) => compareNodes(nodes[a]!, nodes[b]!));
  const rankOf = nodes.map(() => 0);
  byName.forEach((position, rank) => (rankOf[position] = rank));
  const ready = createRankHeap();
  byName.forEach((position) => waitingFor[position] === 0 && ready.push(rankOf[position]!));

  const order: number[] = [];
  for (let rank = ready.pop(); rank !== undefined; rank = ready.pop()) {
    const position = byName[rank]!;
    order.push(position);
    for (const dependant of dependantsOf[position]!) {
      waitingFor[dependant]! -= 1;
      if (waitingFor[dependant] === 0) ready.push(rankOf[dependant]!);
    }
  }
  const left = byName.filter((position) => waitingFor[position]! > 0);
  return {
    order,
    cycles: findCycles(left, needsOf).map((cycle) => cycle.map((position) => nodes[position]!.id)),
  };
};

/** By code unit, so that the order does not depend on the locale. */
const compareNodes = (a: OrderNode, b: OrderNode): number =>
  compareText(a.name, b.name) || compareText(a.id, b.id);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The strongly connected components (Tarjan): every cycle lies in one of them. */
const findCycles = (left: readonly number[], needsOf: readonly number[][]): number[][] => {
  const inside = new Set(left);
  const seenAt = new Map<number, number>();
  const lowest = new Map<number, number>();
  const path: number[] = [];
  const onPath = new Set<number>();
  const groups: number[][] = [];
  const visit = (node: number): void => {
    seenAt.set(node, seenAt.size);
    lowest.set(node, seenAt.get(node)!);
    path.push(node);
    onPath.add(node);
    for (const need of needsOf[node]!) {
      if (!inside.has(need)) continue;
      if (!seenAt.has(need)) {
        visit(need);
        lowest.set(node, Math.min(lowest.get(node)!, lowest.get(need)!));
      } else if (onPath.has(need)) {
        lowest.set(node, Math.min(lowest.get(node)!, seenAt.get(need)!));
      }
    }
    if (lowest.get(node) !== seenAt.get(node)) return;
    const group = path.splice(path.lastIndexOf(node));
    for (const member of group) onPath.delete(member);
    if (group.length > 1 || needsOf[node]!.includes(node)) groups.push(group);
  };
  for (const node of left) if (!seenAt.has(node)) visit(node);
  return groups;
};

/**
 * A binary heap of ranks, smallest first; inserting into a sorted array would be quadratic for large flat
 * systems.
 */
const createRankHeap = () => {
  const heap: number[] = [];
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };
  return {
    push(rank: number): void {
      heap.push(rank);
      let at = heap.length - 1;
      while (at > 0 && heap[at]! < heap[(at - 1) >> 1]!) {
        swap(at, (at - 1) >> 1);
        at = (at - 1) >> 1;
      }
    },
    pop(): number | undefined {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return first;
      heap[0] = last;
      let at = 0;
      for (;;) {
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
};
