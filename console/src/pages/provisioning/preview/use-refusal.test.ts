import { expect, test } from "vitest";
import { refusalAfter } from "./use-refusal.ts";

const closed = new Error("closed");
const denied = new Error("denied");

test.each([
  ["nothing was started", null, { status: "idle", error: null }, null],
  ["the first start", null, { status: "pending", error: null }, null],
  ["it was refused", null, { status: "error", error: closed }, closed],
  [
    "one tries again, with a reason that is still to be seen",
    closed,
    { status: "pending", error: null },
    closed,
  ],
  ["it was refused again", closed, { status: "error", error: denied }, denied],
  ["it was closed", denied, { status: "idle", error: null }, null],
  ["it was started", denied, { status: "success", error: null }, null],
] as const)("%s", (_what, before, attempt, after) => {
  expect(refusalAfter(before, attempt)).toBe(after);
});
