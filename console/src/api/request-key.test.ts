import { expect, test } from "vitest";
import { newRequestKey } from "./request-key.ts";

test("keys differ, and need no more than a page has that was loaded by plain HTTP", () => {
  const random = { getRandomValues: crypto.getRandomValues.bind(crypto) };
  const keys = Array.from({ length: 100 }, () => newRequestKey(random));
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});
