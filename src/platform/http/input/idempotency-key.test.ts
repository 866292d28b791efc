import { expect, it } from "vitest";
import { createChecker } from "./check-input.ts";
import { checkIdempotencyKey, idempotencyHeader, readIdempotencyKey } from "./idempotency-key.ts";
import { Type } from "typebox";

const isInDocument = createChecker().compile("header", Type.Object(idempotencyHeader()));

it.each([
  ["k", true],
  ["!~", true],
  ["x".repeat(255), true],
  ["x".repeat(256), false],
  ["", false],
  ["a b", false],
  ["ä", false],
  ["a\n", false],
])("the key %j is taken (%s), as the document says", (key, isTaken) => {
  const headers = { "idempotency-key": key };
  expect(checkIdempotencyKey(headers).problems).toHaveLength(isTaken ? 0 : 1);
  expect(isInDocument(headers).length === 0).toBe(isTaken);
  if (isTaken) expect(readIdempotencyKey(headers)).toBe(key);
  else expect(() => readIdempotencyKey(headers)).toThrow();
});

it("no key is none", () => {
  expect(readIdempotencyKey({})).toBeUndefined();
});
