import { describe, expect, it } from "vitest";
import { createPollPace, type Polled, type PollPace } from "./poll-pace.ts";

const limits = { pollInitialMs: 1_000, pollFactor: 1.5, pollMaxMs: 15_000 };
const newPolled = (seed: string): Polled => ({ kind: "a|provision", seed, askedMs: 0, polls: 0, hints: 0 });

/** A wave of tasks that all begin now and take as long as `takes` says; re-asks for due times every 250 ms. */
function runWave(pace: PollPace, takes: number[]): { seenMs: number; polls: number }[] {
  const open = takes.map((doneMs, n) => ({ doneMs, polled: newPolled(`task-${n}`), seenMs: 0 }));
  const over: typeof open = [];
  for (let now = 0; over.length < takes.length; now += 10) {
    for (const task of open) {
      if (task.seenMs > 0 || pace.dueMs(task.polled, limits) > now) continue;
      pace.asked(task.polled, now);
      if (now < task.doneMs) continue;
      task.seenMs = now;
      pace.learn(task.polled.kind, now);
      over.push(task);
    }
  }
  return open.map(({ seenMs, polled }) => ({ seenMs, polls: polled.polls }));
}

const repeat = (times: number, value: number): number[] => Array.from({ length: times }, () => value);

describe("the pace of polls", () => {
  it("grows from the first wait by the factor up to the longest, spread over its second half", () => {
    const pace = createPollPace();
    const polled = newPolled("a");
    const waits: number[] = [];
    for (let n = 0; n < 12; n++) {
      const due = pace.dueMs(polled, limits);
      waits.push(due - polled.askedMs);
      pace.asked(polled, due);
    }
    waits.forEach((wait, n) => {
      const whole = Math.min(1_000 * 1.5 ** n, 15_000);
      expect(wait).toBeGreaterThanOrEqual(whole / 2);
      expect(wait).toBeLessThanOrEqual(whole);
    });
  });

  it("is the same for the same task and another for another", () => {
    const due = (seed: string): number => createPollPace().dueMs(newPolled(seed), limits);
    expect(due("a")).toBe(due("a"));
    expect(due("a")).not.toBe(due("b"));
  });

  it.each([900, 5_000, 20_000])("notices work of %i ms within a tenth, with few polls", (takes) => {
    const pace = createPollPace();
    runWave(pace, repeat(100, takes));
    for (const { seenMs, polls } of runWave(pace, repeat(100, takes))) {
      expect(seenMs).toBeLessThanOrEqual(takes * 1.1);
      expect(polls).toBeLessThanOrEqual(takes > 10_000 ? 9 : 6);
    }
  });

  it("helps within the first wave already", () => {
    const seen = runWave(createPollPace(), repeat(100, 5_000)).map(({ seenMs }) => seenMs);
    expect(Math.max(...seen)).toBeLessThanOrEqual(5_500);
  });

  it("asks soon again after work that takes a little longer than all before it", () => {
    const pace = createPollPace();
    runWave(pace, repeat(100, 5_000));
    for (const { seenMs, polls } of runWave(pace, repeat(40, 5_300))) {
      expect(seenMs).toBeLessThanOrEqual(5_800);
      expect(polls).toBeLessThanOrEqual(6);
    }
  });

  it("costs work of all lengths at most four polls more", () => {
    const takes = Array.from({ length: 100 }, (_, n) => 500 + n * 150);
    const alone = takes.map((ms) => runWave(createPollPace(), [ms])[0]!.polls);
    const pace = createPollPace();
    runWave(pace, takes);
    runWave(pace, takes).forEach(({ polls }, n) => expect(polls).toBeLessThanOrEqual(alone[n]! + 4));
  });

  it("forgets how it was when the work gets quicker", () => {
    const pace = createPollPace();
    runWave(pace, repeat(64, 9_000));
    runWave(pace, repeat(64, 2_000));
    const seen = runWave(pace, repeat(64, 2_000)).map(({ seenMs }) => seenMs);
    expect(Math.max(...seen)).toBeLessThanOrEqual(2_200);
  });

  it("keeps a bounded number of kinds", () => {
    const pace = createPollPace();
    for (let n = 0; n < 1_001; n++) for (let m = 0; m < 3; m++) pace.learn(`kind-${n}`, 100);
    const due = (kind: string): number => pace.dueMs({ ...newPolled("a"), kind }, limits);
    expect(due("kind-0")).toBeGreaterThan(400);
    expect(due("kind-1000")).toBe(100);
  });
});
