/** What is kept from working is not given up; what works for too long is. */
import { expect, it } from "vitest";
import { ownThreadId, workedMs } from "./thread-time.ts";
import { withTimeLimit } from "./time-limit.ts";

const endless = () => /^(a+)+$/.test(`${"a".repeat(60)}!`);

it("an endless regular expression ends, and the thread goes on", () => {
  expect(withTimeLimit(endless, 50)).toBeNull();
  expect(withTimeLimit(() => 7, 50)).toEqual({ value: 7 });
  expect(() => withTimeLimit(() => JSON.parse("{"), 50)).toThrow(SyntaxError);
});

it("what had no core for the time of the limit is begun anew", () => {
  let evaluations = 0;
  const asleep = () => {
    evaluations += 1;
    // Waits and does not work.
    if (evaluations < 3) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
    return evaluations;
  };
  // A slow machine needs some milliseconds of CPU time for the attempt itself: little beside 200, a good part of 20.
  expect(withTimeLimit(asleep, 200)).toEqual({ value: 3 });
});

it.runIf(process.platform === "linux")("the time that a thread has worked is told", () => {
  const id = ownThreadId();
  expect(id).toBeGreaterThan(0);
  const before = workedMs(id) ?? Number.NaN;
  const end = process.threadCpuUsage().user + 60_000;
  while (process.threadCpuUsage().user < end);
  expect((workedMs(id) ?? Number.NaN) - before).toBeGreaterThanOrEqual(40);
  expect([workedMs(0), workedMs(2 ** 22)]).toEqual([null, null]);
});
