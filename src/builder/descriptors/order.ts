/** What ordering needs to know of a component. */
export interface OrderNode {
  id: string;
  name: string;
  dependsOn: readonly string[];
}

export interface ComponentOrder {
  /** Positions in the input, dependencies first and by name where there is a choice. Members of cycles are left out. */
  order: number[];
  /** The groups of components that need each other or themselves, each in the order of the walk. */
  cycles: string[][];
}

/** Ids are URNs, which compare without regard to case. */
export const sameId = (id: string): string => id.toLowerCase();

/** Orders components the same way whatever order they came in. Dependencies on unknown ids count as met. */
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

/** By code unit, so that the order does not change with the machine's locale. */
const compareNodes = (a: OrderNode, b: OrderNode): number =>
  compareText(a.name, b.name) || compareText(a.id, b.id);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The groups of nodes that reach each other (Tarjan): every cycle lies in one of them. */
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

/** A binary heap of ranks, smallest first: a sorted array would make large flat systems quadratic. */
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
