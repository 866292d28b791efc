import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timingOf, type Durations, type TaskTimes } from "./timing.ts";

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const waiting: Omit<TaskTimes, "id"> = {
  stage: 1,
  action: "PROVISION",
  adapterId: "a",
  dependsOn: [],
  status: "WAITING",
  attempts: 0,
  startedAt: null,
  intentAt: null,
  acceptedAt: null,
  stoppedAt: null,
};
const ended = (id: string, from: number, to: number, more: Partial<TaskTimes> = {}): TaskTimes => ({
  ...waiting,
  id,
  status: "COMPLETED",
  attempts: 1,
  startedAt: at(from),
  intentAt: at(from),
  stoppedAt: at(to),
  ...more,
});
const running = (id: string, from: number, more: Partial<TaskTimes> = {}): TaskTimes => ({
  ...ended(id, from, from),
  status: "RUNNING",
  stoppedAt: null,
  ...more,
});
const known = (medianMs: number, p90Ms = medianMs): Durations => ({ samples: 9, medianMs, p90Ms });
const open = { startedAt: at(0), stoppedAt: null };
const zero = { predecessorsMs: 0, queueMs: 0, retriesMs: 0, callMs: 0, pollMs: 0 };

describe("where the time of a task went", () => {
  const splits = (tasks: TaskTimes[], now = 100) =>
    timingOf(open, tasks, { now: at(now), durationsOf: () => null }).splits;

  it("is its predecessors, the queue, attempts, the call and the polls", () => {
    const found = splits([
      ended("validate", 0, 10, { stage: 0 }),
      ended("first", 12, 20),
      ended("second", 21, 40, { dependsOn: ["first"], attempts: 3, intentAt: at(25), acceptedAt: at(26) }),
      running("third", 45, { dependsOn: ["second"], acceptedAt: at(46) }),
      { ...waiting, id: "last", dependsOn: ["third"] },
    ]);
    expect(Object.fromEntries(found)).toEqual({
      validate: { ...zero, callMs: 10_000 },
      first: { ...zero, predecessorsMs: 10_000, queueMs: 2_000, callMs: 8_000 },
      second: {
        predecessorsMs: 20_000,
        queueMs: 1_000,
        retriesMs: 4_000,
        callMs: 1_000,
        pollMs: 14_000,
      },
      third: { ...zero, predecessorsMs: 40_000, queueMs: 5_000, callMs: 1_000, pollMs: 54_000 },
      last: { ...zero, predecessorsMs: 100_000 },
    });
  });

  it("is nothing of a plan that has not begun", () => {
    const plan = { startedAt: null, stoppedAt: null };
    const { splits: found } = timingOf(plan, [{ ...waiting, id: "a" }], {
      now: at(9),
      durationsOf: () => null,
    });
    expect(found.get("a")).toEqual(zero);
  });

  it("adds up to the time since the plan began", () => {
    const times = fc.record({ from: fc.nat(50), call: fc.nat(9), took: fc.nat(50), attempts: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 6 }), (list) => {
        const tasks = list.map(({ from, call, took, attempts }, n) =>
          ended(`t${n}`, from, from + took, {
            attempts,
            intentAt: at(from + Math.min(call, took)),
            acceptedAt: call % 2 === 0 ? at(from + took) : null,
            dependsOn: n > 0 ? [`t${n - 1}`] : [],
          }),
        );
        const found = splits(tasks);
        for (const task of tasks) {
          const parts = Object.values(found.get(task.id)!);
          expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
          expect(parts.reduce((sum, each) => sum + each, 0)).toBe(
            task.stoppedAt!.getTime() - at(0).getTime(),
          );
        }
      }),
    );
  });
});

describe("what remains", () => {
  const tasks = [
    ended("a", 0, 10),
    running("b", 10, { dependsOn: ["a"] }),
    { ...waiting, id: "c", dependsOn: ["b"] },
    { ...waiting, id: "d", stage: 2, action: "PUBLISH" },
  ];

  it("is the longest chain of what is left", () => {
    const durationsOf = ({ action }: { action: string }) =>
      action === "PUBLISH" ? known(1_000, 2_000) : known(30_000, 60_000);
    const found = timingOf(open, tasks, { now: at(20), durationsOf });
    expect(found.remaining).toEqual({ medianMs: 51_000, p90Ms: 112_000, reason: null });
    expect(found.open.get("b")).toEqual({ medianMs: 20_000, p90Ms: 50_000, reason: null });
    expect(found.criticalPath).toEqual({ taskIds: ["a", "b", "c", "d"], ms: 71_000 });
  });

  it("is nothing of a task that takes longer than usual, but not less", () => {
    const found = timingOf(open, [running("b", 0)], {
      now: at(50),
      durationsOf: () => known(30_000, 60_000),
    });
    expect(found.remaining).toEqual({ medianMs: 0, p90Ms: 10_000, reason: null });
  });

  it("is not known where nothing is known of a kind of task, and says which", () => {
    const durationsOf = ({ action }: { action: string }) => (action === "PUBLISH" ? null : known(30_000));
    const { remaining, open: left } = timingOf(open, tasks, { now: at(20), durationsOf });
    expect(remaining).toEqual({
      medianMs: null,
      p90Ms: null,
      reason: "No earlier PUBLISH of a has completed.",
    });
    expect(left.get("c")?.medianMs).toBe(30_000);
    const none = timingOf(open, tasks, { now: at(20), durationsOf: () => null });
    expect(none.remaining.reason).toBe(
      "No earlier PROVISION of a has completed. 1 more such kinds of tasks.",
    );
  });

  it("is nothing of a plan that has ended, and not known of one that is queued", () => {
    const over = { startedAt: at(0), stoppedAt: at(10) };
    const left = { ...waiting, id: "c", status: "SKIPPED", stoppedAt: at(10) } as const;
    const found = timingOf(over, [ended("a", 0, 10), left], { now: at(99), durationsOf: () => null });
    expect(found.remaining).toEqual({ medianMs: 0, p90Ms: 0, reason: null });
    expect(found.criticalPath).toEqual({ taskIds: ["a"], ms: 10_000 });
    const queued = timingOf({ startedAt: null, stoppedAt: null }, [], {
      now: at(0),
      durationsOf: () => null,
    });
    expect(queued.remaining.reason).toContain("planned at its turn");
  });

  it("never shrinks when a kind of task takes longer, nor when the median grows to the p90", () => {
    fc.assert(
      fc.property(fc.nat(90_000), fc.nat(90_000), fc.nat(60), (usual, more, now) => {
        const remaining = (ms: number) =>
          timingOf(open, tasks, { now: at(10 + now), durationsOf: () => known(ms, ms + more) }).remaining;
        const [short, long] = [remaining(usual), remaining(usual + more)];
        expect(long.medianMs!).toBeGreaterThanOrEqual(short.medianMs!);
        expect(short.p90Ms!).toBeGreaterThanOrEqual(short.medianMs!);
      }),
    );
  });
});
