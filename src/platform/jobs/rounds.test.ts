import { expect, it } from "vitest";
import { silentLogger } from "../lib/logger.ts";
import { startRounds } from "./rounds.ts";

const idleMs = 5;

/** Runs so many rounds, and returns how long each of the waits between them was. */
async function waitsBetween(
  count: number,
  round: (nth: number) => Promise<"idle" | void>,
): Promise<number[]> {
  const begun: number[] = [];
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const rounds = startRounds({
    round(): Promise<"idle" | void> {
      begun.push(performance.now());
      if (begun.length === count) resolve();
      return round(begun.length);
    },
    idleMs,
    log: silentLogger,
    what: "a test",
  });
  await enough;
  await rounds.close();
  return begun.slice(1).map((at, n) => at - begun[n]!);
}

/** A timer of Node.js may be a millisecond early; it is never so early that one wait looks like ten. */
const restMs = idleMs * 10 - 2;

it("rests after ten idle rounds in a row", async () => {
  const waits = await waitsBetween(13, async () => "idle");
  for (const wait of waits.slice(9)) expect(wait).toBeGreaterThanOrEqual(restMs);
});

it.each([
  ["has found something", async () => undefined],
  ["has failed", () => Promise.reject(new Error("no database"))],
])("counts idle rounds anew after one that %s", async (_what, other) => {
  const waits = await waitsBetween(24, (nth) => (nth === 12 ? other() : Promise.resolve("idle")));
  // A machine that stands still makes any wait longer, so the shortest one of them counts.
  expect(Math.min(...waits.slice(11, 20))).toBeLessThan(restMs);
  expect(waits.at(-1)).toBeGreaterThanOrEqual(restMs);
});
