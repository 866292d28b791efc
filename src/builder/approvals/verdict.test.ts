import { expect, it } from "vitest";
import { reasonIn, verdictOnFault } from "./verdict.ts";

it.each([
  [undefined, null],
  [{}, null],
  [{ ticket: "T-1", reason: 4 }, null],
  [{ comment: "Ask finance first.", ticket: "T-1" }, "Ask finance first."],
  [{ message: "Second", Reason: " First " }, "First"],
  [{ reason: "x".repeat(3_000) }, "x".repeat(2_000)],
])("takes from %j the reason %s", (hookInfo, reason) => expect(reasonIn(hookInfo)).toBe(reason));

it("a call that fails in the server is made again after its pause, until the last failure", () => {
  const at = new Date("2026-11-28T10:00:00.000Z");
  const error = "The server could not make the call or store its result, for a reason that is in its log.";
  const nextAttemptAt = new Date("2026-11-28T10:04:16.000Z");
  const retry = { result: "retry", error, nextAttemptAt };
  expect(verdictOnFault({ pauseMs: 256_000, isLast: false }, at)).toEqual(retry);
  expect(verdictOnFault({ pauseMs: 300_000, isLast: true }, at)).toEqual({ result: "failed", error });
});
