import { expect, test } from "vitest";
import { ApiError, wasRefused } from "./error.ts";

const answered = (status: number, code = ""): ApiError =>
  new ApiError(new Response(null, { status }), { code });

test.each([400, 401, 403, 404, 409, 413, 422, 429])("an answer %d says that nothing was done", (status) => {
  expect(wasRefused(answered(status))).toBe(true);
});

test.each([500, 502, 503, 504])("an answer %d may have come after the deed", (status) => {
  expect(wasRefused(answered(status))).toBe(false);
});

test.each([
  ["PLATFORM_OVERLOADED", true],
  ["PLATFORM_STARTING", true],
  // The assistant may have begun an answer.
  ["PLATFORM_SHUTTING_DOWN", false],
  ["PLATFORM_DATABASE_UNAVAILABLE", false],
])("whether an answer 503 with %s says that nothing was done: %s", (code, isRefusal) => {
  expect(wasRefused(answered(503, code))).toBe(isRefusal);
});

test("without an answer it is not known", () => {
  expect(wasRefused(new TypeError("fetch failed"))).toBe(false);
});
