import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { longestPath, type TimedTask } from "./longest-path.ts";

const task = (id: string, ms: number, dependsOn: string[] = [], stage = 1): TimedTask => ({
  id,
  stage,
  dependsOn,
  ms,
});

/** Graphs in which a task depends on earlier ones of its stage or of those before. */
const graphs = fc
  .array(
    fc.record({
      ms: fc.integer({ min: 0, max: 1_000 }),
      step: fc.constantFrom(0, 0, 1),
      before: fc.array(fc.nat(30), { maxLength: 3 }),
    }),
    { maxLength: 12 },
  )
  .map((parts) => {
    let stage = 0;
    return parts.map(({ ms, step, before }, n) => {
      stage += step;
      return task(
        `t${n}`,
        ms,
        before.map((each) => `t${each}`).filter((id) => Number(id.slice(1)) < n),
        stage,
      );
    });
  });

/** Every chain, one by one: a task follows its predecessors and all tasks of earlier stages. */
function longestByAll(tasks: readonly TimedTask[]): number {
  const after = (one: TimedTask): number => {
    const next = tasks.filter((each) => each.dependsOn.includes(one.id) || each.stage > one.stage);
    return one.ms + Math.max(0, ...next.map(after));
  };
  return Math.max(0, ...tasks.map(after));
}

describe("the longest path", () => {
  it("goes through a barrier between stages", () => {
    const tasks = [task("a", 5, [], 0), task("b", 9, [], 0), task("c", 1), task("d", 2, ["c"]), task("e", 4)];
    expect(longestPath(tasks)).toEqual({ taskIds: ["b", "e"], ms: 13 });
  });

  it("prefers more tasks among equals, and is empty of none", () => {
    expect(longestPath([task("a", 0), task("b", 0, ["a"])])).toEqual({ taskIds: ["a", "b"], ms: 0 });
    expect(longestPath([])).toEqual({ taskIds: [], ms: 0 });
  });

  it("is as long as the longest of all chains, and is a chain", () => {
    fc.assert(
      fc.property(graphs, (tasks) => {
        const { taskIds, ms } = longestPath(tasks);
        const byId = new Map(tasks.map((each) => [each.id, each]));
        const path = taskIds.map((id) => byId.get(id)!);
        expect(ms).toBe(longestByAll(tasks));
        expect(path.reduce((sum, each) => sum + each.ms, 0)).toBe(ms);
        path.slice(1).forEach((each, n) => {
          const before = path[n]!;
          expect(each.dependsOn.includes(before.id) || each.stage > before.stage).toBe(true);
        });
      }),
    );
  });

  it("grows with every task", () => {
    fc.assert(
      fc.property(graphs, fc.nat(30), fc.nat(500), (tasks, place, more) => {
        const longer = tasks.map((each, n) => (n === place ? { ...each, ms: each.ms + more } : each));
        const difference = longestPath(longer).ms - longestPath(tasks).ms;
        expect(difference).toBeGreaterThanOrEqual(0);
        expect(difference).toBeLessThanOrEqual(more);
      }),
    );
  });

  it("does not depend on the order of the tasks", () => {
    fc.assert(
      fc.property(graphs, (tasks) => {
        expect(longestPath(tasks.toReversed()).ms).toBe(longestPath(tasks).ms);
      }),
    );
  });

  it("takes a chain of 20,000 tasks", () => {
    const chain = Array.from({ length: 20_000 }, (_, n) => task(`t${n}`, 1, n > 0 ? [`t${n - 1}`] : []));
    expect(longestPath(chain.toReversed())).toMatchObject({ ms: 20_000, taskIds: { length: 20_000 } });
  });
});
