import { describe, expect, it } from "vitest";
import { maxAttempts, nextDeath, nextError, shownReason, type LastError } from "./last-error.ts";

const at = new Date("2026-11-28T10:00:00.000Z");
const reason = "The database refused a statement (P0001); the server's log tells more.";

const pauseMs = ({ nextAttemptAt }: LastError): number => Date.parse(nextAttemptAt) - at.getTime();

describe("nextError", () => {
  it("waits longer from one attempt to the next, up to a limit", () => {
    const pauses: number[] = [];
    let last: LastError | null = null;
    for (let n = 1; n <= maxAttempts; n++) {
      last = nextError(last, { reason, progress: 3, at });
      expect(last.attempts).toBe(n);
      pauses.push(pauseMs(last));
    }
    expect(pauses.slice(0, 9)).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000]);
    expect(new Set(pauses.slice(8))).toEqual(new Set([30_000]));
  });

  it("begins to count again after progress, and only then", () => {
    const first = nextError(null, { reason, progress: 3, at });
    const later = new Date(at.getTime() + 60_000);
    expect(nextError(first, { reason: "Another.", progress: 3, at: later })).toMatchObject({
      reason: "Another.",
      since: at.toISOString(),
      attempts: 2,
    });
    expect(nextError(first, { reason, progress: 4, at: later })).toMatchObject({
      since: later.toISOString(),
      attempts: 1,
      progress: 4,
    });
    expect(nextError(first, { reason, progress: null, at })).toMatchObject({ attempts: 2, progress: 3 });
  });
});

describe("nextError of work that has gone on since", () => {
  it("begins to count again once the attempt has lasted", () => {
    const first = nextError(null, { reason, progress: 3, at });
    const attemptsAfter = (minutes: number): number =>
      nextError(first, { reason, progress: 3, at: new Date(at.getTime() + minutes * 60_000) }).attempts;
    expect([attemptsAfter(9), attemptsAfter(11)]).toEqual([2, 1]);
  });
});

describe("nextDeath", () => {
  it("waits from the third in a row on, longer each time, up to a limit", () => {
    const pauses: number[] = [];
    let last: LastError | null = null;
    for (let n = 1; n <= 30; n++) {
      last = nextDeath(last, { progress: 3, at });
      expect(last?.deaths).toBe(n);
      pauses.push(pauseMs(last!));
    }
    expect(pauses.slice(0, 6)).toEqual([0, 0, 200, 400, 800, 1_600]);
    expect(pauses.at(-1)).toBe(30_000);
  });

  it("begins to count again after progress, and where the last was long ago", () => {
    const second = nextDeath(nextDeath(null, { progress: 3, at }), { progress: 3, at });
    expect(nextDeath(second, { progress: 4, at })).toMatchObject({ deaths: 1, progress: 4 });
    const later = new Date(at.getTime() + 601_000);
    expect(nextDeath(second, { progress: 3, at: later })).toMatchObject({ deaths: 1 });
  });

  it("takes nothing from the count of an error, and gives it nothing", () => {
    const error = nextError(null, { reason, progress: 3, at });
    expect(nextDeath(error, { progress: 3, at })).toBeNull();
    const death = nextDeath(null, { progress: 3, at });
    expect(nextError(death, { reason, progress: 3, at })).toMatchObject({ attempts: 1, reason });
    expect(nextError(death, { reason, progress: 3, at })).not.toHaveProperty("deaths");
  });
});

describe("shownReason", () => {
  const refused = (code: string, message: string) =>
    Object.assign(new Error(message), { code, severity: "ERROR" });

  it.each([
    [refused("42501", "permission denied for table units"), "(42501: permission denied for table units)"],
    [refused("P0001", "the password is 1234"), "(P0001)"],
    [refused("22P02", 'invalid input syntax for type integer: "1234"'), "(22P02)"],
  ])("%s", (error, text) => {
    expect(shownReason(error)).toBe(`The database refused a statement ${text}; the server's log tells more.`);
  });

  it("says nothing of any other error", () => {
    for (const error of [
      new Error("has nothing to poll"),
      Object.assign(new Error("x"), { code: "EPIPE" }),
      "text",
    ])
      expect(shownReason(error)).toBe("An internal error interrupted it; the server's log tells more.");
  });
});
