import { describe, expect, it } from "vitest";
import { lastTick, parseCron } from "./cron.ts";

const tickOf = (text: string, now: string): string | null => {
  const cron = parseCron(text);
  return cron && (lastTick(cron, new Date(now))?.toISOString() ?? null);
};

describe("the last minute that an expression names", () => {
  it.each([
    ["* * * * *", "2026-11-23T09:14:59Z", "2026-11-23T09:14:00.000Z"],
    ["*/15 * * * *", "2026-11-23T09:14:59Z", "2026-11-23T09:00:00.000Z"],
    ["5/20 * * * *", "2026-11-23T09:04:00Z", "2026-11-23T08:45:00.000Z"],
    ["0 3 * * *", "2026-11-23T02:59:59Z", "2026-11-22T03:00:00.000Z"],
    ["30 6 * * 1-5", "2026-11-23T06:29:00Z", "2026-11-20T06:30:00.000Z"],
    ["30 6 * * mon", "2026-11-23T06:30:00Z", "2026-11-23T06:30:00.000Z"],
    ["0 0 * * 7", "2026-11-23T12:00:00Z", "2026-11-22T00:00:00.000Z"],
    ["0 0 1,15 * fri", "2026-11-23T12:00:00Z", "2026-11-20T00:00:00.000Z"],
    ["0 0 31 * *", "2026-11-23T12:00:00Z", "2026-10-31T00:00:00.000Z"],
    ["0 0 29 feb *", "2027-11-23T12:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["59 23 31 12 *", "2026-11-23T12:00:00Z", "2025-12-31T23:59:00.000Z"],
  ])("%s at %s", (text, now, expected) => {
    expect(tickOf(text, now)).toBe(expected);
  });

  it.each([
    "",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * 30 2 *",
    "*/0 * * * *",
  ])("%s is refused", (text) => expect(parseCron(text)).toBeNull());

  it.each([
    "5-1 * * * *",
    "a * * * *",
    "1,,2 * * * *",
    "1/2/3 * * * *",
    "1-2-3 * * * *",
    "@daily",
    "-1 * * * *",
  ])("%s is refused", (text) => expect(parseCron(text)).toBeNull());
});
