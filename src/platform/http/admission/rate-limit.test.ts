import { expect, it } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

it("counts each caller for a minute", () => {
  let now = 1000;
  const limit = createRateLimit(2, () => now);
  expect([limit.take("a"), limit.take("a"), limit.take("b")]).toEqual([0, 0, 0]);
  now += 20_500;
  expect(limit.take("a")).toBe(40);
  now += 39_499;
  expect(limit.take("a")).toBe(1);
  now += 1;
  expect(limit.take("a")).toBe(0);
});

it("means no limit with 0", () => {
  const limit = createRateLimit(0, () => 0);
  expect(Array.from({ length: 100 }, () => limit.take("a"))).not.toContain(1);
});

it("lets ever new callers share one count instead of filling the memory", () => {
  const limit = createRateLimit(3, () => 0);
  for (let caller = 0; caller < 50_000; caller += 1) {
    limit.take(`caller ${caller}`);
  }
  expect(["x", "y", "z"].map((key) => limit.take(key))).toEqual([0, 0, 0]);
  expect(limit.take("another")).toBeGreaterThan(0);
  expect(limit.take("caller 7")).toBe(0);
});
