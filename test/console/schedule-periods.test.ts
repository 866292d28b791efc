/** The console's calendar of maintenance windows says the same as the server, which refuses by them. */
import { expect, it } from "vitest";
import { cronOf, cronWords, weeklyOf } from "../../console/src/pages/operations/schedules/times/cron.ts";
import { openPeriods, periodsOf } from "../../console/src/pages/operations/schedules/times/periods.ts";
import { closedAt, type MaintenanceWindow } from "../../src/coordinator/windows/window.ts";

const rome = "Europe/Rome";
const cases: Record<string, MaintenanceWindow[]> = {
  "nights, also those in which clocks change": [
    { name: "nights", kind: "window", timeZone: rome, cron: "30 1 * * *", durationMinutes: 120 },
  ],
  "a freeze in windows": [
    {
      name: "nights",
      kind: "window",
      timeZone: "America/New_York",
      cron: "0 22 * * 1-5",
      durationMinutes: 480,
    },
    { name: "day", kind: "freeze", timeZone: rome, cron: "15,45 */6 * * sun,wed", durationMinutes: 20 },
    {
      name: "once",
      kind: "freeze",
      timeZone: "UTC",
      from: "2026-10-20T10:00:00Z",
      until: "2026-10-22T00:00:00Z",
    },
  ],
  weekends: [
    { name: "weekends", kind: "freeze", timeZone: rome, cron: "0 18 * * fri", durationMinutes: 3600 },
  ],
  "either of both days": [
    { name: "x", kind: "window", timeZone: "UTC", cron: "0 9 1,15 * mon", durationMinutes: 60 },
  ],
};
const range = { from: Date.parse("2026-10-19T00:00:00Z"), until: Date.parse("2026-11-03T00:00:00Z") };
const stepMs = 15 * 60_000;

it.each(Object.entries(cases))("%s", (_, windows) => {
  const open = openPeriods(windows, range);
  for (let at = range.from; at < range.until; at += stepMs) {
    const isOpen = open.some(({ from, until }) => from <= at && at < until);
    expect([new Date(at).toISOString(), isOpen]).toEqual([
      new Date(at).toISOString(),
      closedAt(windows, new Date(at)) === null,
    ]);
  }
});

it("what is not written to its end has no times", () => {
  for (const part of [
    { cron: "0 1 * *", durationMinutes: 5 },
    { cron: "0 1 * * 8" },
    { from: "2026-10-20T10:00:00Z" },
  ])
    expect(periodsOf({ name: "x", kind: "freeze", ...part }, range)).toEqual([]);
});

it.each([
  ["0 22 * * *", { weekdays: [0, 1, 2, 3, 4, 5, 6], time: "22:00" }, "every day at 22:00"],
  ["5 7 * * mon,wed", { weekdays: [1, 3], time: "07:05" }, "Mondays and Wednesdays at 07:05"],
  ["0 18 * * fri", { weekdays: [5], time: "18:00" }, "Fridays at 18:00"],
  ["0 18 * * mon,tue,wed,thu,fri", { weekdays: [1, 2, 3, 4, 5], time: "18:00" }, "Monday to Friday at 18:00"],
])("%s is weekly", (text, weekly, words) => {
  expect(weeklyOf(text)).toEqual(weekly);
  expect(cronOf(weekly)).toBe(text);
  expect(cronWords(text)).toBe(words);
});

it.each(["0 22 1 * *", "*/5 * * * *", "nonsense"])("%s is not weekly", (text) => {
  expect(weeklyOf(text)).toBeNull();
  expect(cronWords(text)).toBe(`by ${text}`);
});
