import { expect, it } from "vitest";
import { verdictOn, type Attempt } from "./verdict.ts";

const at = new Date("2026-11-21T08:00:00.000Z");
const answer = (status: number | null, more: Partial<Attempt> = {}): Attempt => ({
  attempts: 1,
  at,
  status,
  fault: null,
  retryAfter: undefined,
  ...more,
});
const delays = [1_000, 60_000];

it.each<[string, Attempt, string, string | null, string | null]>([
  ["200", answer(200), "delivered", null, null],
  ["204", answer(204), "delivered", null, null],
  ["299", answer(299), "delivered", null, null],
  ["500", answer(500), "retry", "08:00:01", "The receiver answered 500."],
  ["400", answer(400), "retry", "08:00:01", "The receiver answered 400."],
  ["a redirect", answer(302), "retry", "08:00:01", "with a redirect (302); none is followed."],
  ["no answer", answer(null, { fault: "No connection." }), "retry", "08:00:01", "No connection."],
  ["a second failure", answer(500, { attempts: 2 }), "retry", "08:01:00", "The receiver answered 500."],
  ["the last failure", answer(500, { attempts: 3 }), "dead", null, "It was attempt 3, the last one."],
  ["410", answer(410), "gone", null, "it wants no more events."],
  ["Retry-After in seconds", answer(429, { retryAfter: "7" }), "retry", "08:00:07", "answered 429."],
  ["Retry-After that is over", answer(503, { retryAfter: "0" }), "retry", "08:00:01", "answered 503."],
  [
    "Retry-After as a date",
    answer(503, { retryAfter: "Sat, 21 Nov 2026 08:00:30 GMT" }),
    "retry",
    "08:00:30",
    "503.",
  ],
  ["Retry-After that is none", answer(503, { retryAfter: "soon" }), "retry", "08:00:01", "answered 503."],
])("%s", (...[, attempt, result, next, error]) => {
  const verdict = verdictOn(attempt, delays);
  expect(verdict.result).toBe(result);
  expect(verdict.nextAttemptAt?.toISOString().slice(11, 19) ?? null).toBe(next);
  if (error === null) expect(verdict.error).toBeNull();
  else expect(verdict.error).toContain(error);
});

it("waits no longer than a day for a receiver that asks for more", () => {
  const { nextAttemptAt } = verdictOn(answer(503, { retryAfter: "999999999" }), delays);
  expect(nextAttemptAt?.toISOString()).toBe("2026-11-22T08:00:00.000Z");
});
