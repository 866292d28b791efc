import { expect, test } from "vitest";
import { isPassing } from "./http.ts";
import { toFailure } from "./refusal.ts";

test.each([
  [502, "<html>Bad Gateway", true],
  [503, "<html>no backend", true],
  [504, "<html>Gateway Timeout", true],
  [500, "<html>", false],
  [502, { error: { code: "BUILDER_FETCH_FAILED", message: "The skeleton can't be fetched." } }, false],
  [403, { detail: "No." }, false],
])("whether a call that was answered %i %j may succeed a moment later: %s", (status, body, expected) => {
  expect(isPassing(toFailure({ status, body }))).toBe(expected);
});
