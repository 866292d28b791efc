import { expect, it } from "vitest";
import { dueUnits, nextRun } from "./schedule.ts";

const at = new Date("2026-11-23T09:30:30Z");

it("an interval names the units without a check within it", () => {
  expect(dueUnits({ environment: "dev", everyMinutes: 90, timeZone: "UTC" }, at)).toEqual({
    environment: "dev",
    before: new Date("2026-11-23T08:00:30Z"),
    unchangedSince: null,
  });
});

it("a cron expression names those that were there at its last minute, by the clocks of the zone", () => {
  const tick = new Date("2026-11-23T02:00:00Z");
  expect(dueUnits({ environment: "dev", cron: "0 3 * * *", timeZone: "Europe/Rome" }, at)).toEqual({
    environment: "dev",
    before: tick,
    unchangedSince: tick,
  });
});

it("runs next when a unit is due", () => {
  const every = { environment: "dev", everyMinutes: 90, timeZone: "UTC" };
  const daily = { environment: "dev", cron: "0 3 * * *", timeZone: "Europe/Rome" };
  const oldestCheckAt = new Date("2026-11-23T08:30:00Z");
  expect(nextRun(every, { due: 2, oldestCheckAt }, at)).toEqual(at);
  expect(nextRun(daily, { due: 1, oldestCheckAt }, at)).toEqual(at);
  expect(nextRun(every, { due: 0, oldestCheckAt }, at)).toEqual(new Date("2026-11-23T10:00:00Z"));
  expect(nextRun(daily, { due: 0, oldestCheckAt }, at)).toEqual(new Date("2026-11-24T02:00:00Z"));
  expect(nextRun(every, { due: 0, oldestCheckAt: null }, at)).toBeNull();
});
