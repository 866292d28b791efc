import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { limitReading } from "./reading-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("ends a reading of which nothing comes", () => {
  const limit = limitReading(1_000);
  vi.advanceTimersByTime(999);
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect([limit.signal.aborted, limit.reason()]).toEqual([
    true,
    "Nothing came of the location within 1000 ms.",
  ]);
});

it("lets one go on that is slow, up to ten times as long", () => {
  const limit = limitReading(1_000);
  for (let passed = 0; passed < 9_500; passed += 500) {
    vi.advanceTimersByTime(500);
    limit.extend();
  }
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(500);
  expect([limit.signal.aborted, limit.reason()]).toEqual([
    true,
    "The location was not read within 10000 ms.",
  ]);
});

it("leaves no timer behind, even when something comes late", () => {
  const limit = limitReading(1_000);
  limit.end();
  limit.extend();
  expect(vi.getTimerCount()).toBe(0);
});
