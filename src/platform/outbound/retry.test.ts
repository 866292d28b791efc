import { expect, it } from "vitest";
import { nextAttemptAt, readRetryAfter } from "./retry.ts";

it.each([
  [undefined, null],
  ["", null],
  [" ", null],
  ["soon", null],
  ["0", 0],
  [" 7 ", 7_000],
  ["1.5", 1_500],
  ["Thu, 01 Jan 1970 00:01:30 GMT", 30_000],
  ["Thu, 01 Jan 1970 00:00:30 GMT", 0],
])("Retry-After %j is %s ms", (header, ms) => {
  expect(readRetryAfter(header, 60_000)).toBe(ms);
});

it.each([
  [1, 0, 1_000],
  [2, 0, 5_000],
  [1, 3_000, 3_000],
  [2, 3_000, 5_000],
  [3, 3_000, null],
])("after attempt %i, asked to wait %i ms, the next one is in %s ms", (attempts, atLeastMs, ms) => {
  const next = nextAttemptAt({ attempts, at: new Date(0), atLeastMs }, [1_000, 5_000]);
  expect(next?.getTime() ?? null).toBe(ms);
});
