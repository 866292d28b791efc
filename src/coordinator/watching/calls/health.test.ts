import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { healthOf, quantile, type Outcome, type PastCall } from "./health.ts";

const now = new Date("2026-01-02T00:00:00.000Z");
/** The last one first, a minute apart. */
const calls = (...list: [Outcome, seconds?: number][]): PastCall[] =>
  list.map(([outcome, seconds = 1], n) => {
    const stoppedAt = new Date(now.getTime() - (n + 1) * 60_000);
    return {
      executionPlanId: `plan-${n}`,
      taskId: "task",
      action: "PROVISION",
      outcome,
      startedAt: new Date(stoppedAt.getTime() - seconds * 1000),
      stoppedAt,
      message: outcome === "COMPLETED" ? null : "No.",
    };
  });
const minutesAgo = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString();
const verdict = (list: PastCall[], waiting: { reason: string; since: string }[] = []) => {
  const open = waiting.map((each) => ({ waiting: each }));
  const { health, since, reason } = healthOf(list, open, now);
  return { health, since, reason };
};
const many = (count: number, seconds: number): [Outcome, number][] =>
  Array.from({ length: count }, () => ["COMPLETED", seconds]);

describe("the health of an adapter", () => {
  it.each<[string, PastCall[], string, string | null]>([
    ["without a call", [], "UNKNOWN", null],
    ["with ended plans only", calls(["TERMINATED"]), "UNKNOWN", null],
    ["that answered", calls(["COMPLETED"], ["COMPLETED"]), "ANSWERING", minutesAgo(2)],
    ["that answered that it failed", calls(["FAILED"], ["UNANSWERED"]), "ANSWERING", minutesAgo(1)],
    ["that did not answer", calls(["UNANSWERED"], ["COMPLETED"]), "FAILING", minutesAgo(1)],
    ["that may have acted", calls(["TERMINATED"], ["UNKNOWN"], ["UNANSWERED"]), "FAILING", minutesAgo(3)],
    ["that became slow", calls(...many(5, 9), ...many(10, 2)), "SLOW", expect.any(String) as never],
    ["that was always slow", calls(...many(15, 9)), "ANSWERING", minutesAgo(15)],
    ["of which too little is known", calls(...many(5, 9), ...many(9, 2)), "ANSWERING", minutesAgo(14)],
    ["with two slow calls", calls(...many(2, 9), ...many(13, 2)), "ANSWERING", minutesAgo(15)],
    [
      "that is three times as slow, and fast",
      calls(...many(5, 0.9), ...many(10, 0.1)),
      "ANSWERING",
      minutesAgo(15),
    ],
  ])("%s", (_what, list, health, since) => {
    expect(verdict(list)).toMatchObject({ health, since });
  });

  it("is not known after a day of silence", () => {
    const old = calls(["COMPLETED"]).map((call) => ({
      ...call,
      stoppedAt: new Date("2025-12-31T23:59:59.000Z"),
    }));
    expect(verdict(old)).toEqual({
      health: "UNKNOWN",
      since: "2025-12-31T23:59:59.000Z",
      reason: "It has not been called for a day.",
    });
  });

  it("is failing while a call is repeated, since the first of these", () => {
    const waiting = [
      { reason: "Late.", since: minutesAgo(1) },
      { reason: "No connection.", since: minutesAgo(5) },
    ];
    expect(verdict(calls(["COMPLETED"]), waiting)).toEqual({
      health: "FAILING",
      since: minutesAgo(5),
      reason: "A call is repeated: No connection.",
    });
  });

  it("counts how calls ended, and has the last error", () => {
    const list = calls(
      ["COMPLETED", 2],
      ["UNKNOWN"],
      ["FAILED"],
      ["UNANSWERED"],
      ["TERMINATED"],
      ["COMPLETED", 4],
    );
    expect(healthOf(list, [{ waiting: null }], now)).toMatchObject({
      calls: { completed: 2, failed: 1, unanswered: 2, terminated: 1 },
      atWork: 1,
      medianMs: 3_000,
      p90Ms: 3_800,
      lastCallAt: minutesAgo(1),
      lastError: { executionPlanId: "plan-1", outcome: "UNKNOWN", at: minutesAgo(2), message: "No." },
    });
  });
});

it("a quantile is between its neighbours and grows with its share", () => {
  expect(quantile([], 0.5)).toBeNull();
  fc.assert(
    fc.property(
      fc.array(fc.nat(), { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, share) => {
        const found = quantile(values, share)!;
        expect(found).toBeGreaterThanOrEqual(Math.min(...values));
        expect(found).toBeLessThanOrEqual(quantile(values, 1)!);
        expect(quantile(values, share / 2)!).toBeLessThanOrEqual(found + 1e-6);
      },
    ),
  );
});
