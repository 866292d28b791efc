import { expect, it } from "vitest";
import { reasonIn } from "./verdict.ts";

it.each([
  [undefined, null],
  [{}, null],
  [{ ticket: "T-1", reason: 4 }, null],
  [{ comment: "Ask finance first.", ticket: "T-1" }, "Ask finance first."],
  [{ message: "Second", Reason: " First " }, "First"],
  [{ reason: "x".repeat(3_000) }, "x".repeat(2_000)],
])("takes from %j the reason %s", (hookInfo, reason) => expect(reasonIn(hookInfo)).toBe(reason));
