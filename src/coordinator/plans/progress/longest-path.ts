/** Pure. The longest chain of tasks: what a plan cannot be shorter than. */

export interface TimedTask {
  id: string;
  /** Its tasks begin when all of the earlier stages have ended. */
  stage: number;
  dependsOn: readonly string[];
  ms: number;
}

export interface TaskPath {
  taskIds: string[];
  ms: number;
}

/** Predecessors that are not among the tasks count for nothing. Of equal chains one; no recursion, so a chain may be of any length. */
export function longestPath(tasks: readonly TimedTask[]): TaskPath {
  const ends = new Map<string, PathEnd>();
  let last: PathEnd | null = null;
  const stages = [...Map.groupBy(tasks, ({ stage }) => stage)].toSorted(([a], [b]) => a - b);
  for (const [, members] of stages) {
    const before = last;
    for (const task of inOrder(members)) {
      let longest = before;
      for (const id of task.dependsOn) longest = longerOf(longest, ends.get(id) ?? null);
      const end = { id: task.id, ms: (longest?.ms ?? 0) + task.ms, before: longest };
      ends.set(task.id, end);
      last = longerOf(last, end);
    }
  }
  const taskIds: string[] = [];
  for (let end = last; end !== null; end = end.before) taskIds.push(end.id);
  return { taskIds: taskIds.toReversed(), ms: last?.ms ?? 0 };
}

interface PathEnd {
  id: string;
  ms: number;
  before: PathEnd | null;
}

/** The second where both are equal: it has more tasks. */
const longerOf = (one: PathEnd | null, other: PathEnd | null): PathEnd | null =>
  one === null || (other !== null && other.ms >= one.ms) ? other : one;

/** Each task after its predecessors of the same stage. */
function inOrder(members: readonly TimedTask[]): TimedTask[] {
  const byId = new Map(members.map((task) => [task.id, task]));
  const dependants = new Map<string, TimedTask[]>();
  const missing = new Map<string, number>();
  for (const task of members) {
    const own = [...new Set(task.dependsOn)].filter((id) => byId.has(id));
    missing.set(task.id, own.length);
    for (const id of own) dependants.set(id, [...(dependants.get(id) ?? []), task]);
  }
  const order = members.filter(({ id }) => missing.get(id) === 0);
  for (const task of order) {
    for (const after of dependants.get(task.id) ?? []) {
      const left = (missing.get(after.id) ?? 1) - 1;
      missing.set(after.id, left);
      if (left === 0) order.push(after);
    }
  }
  return order;
}
