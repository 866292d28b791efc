import { describe, expect, it } from "vitest";
import { closedAt, type MaintenanceWindow } from "./window.ts";

const nightly: MaintenanceWindow = {
  name: "nights",
  kind: "window",
  timeZone: "Europe/Rome",
  cron: "0 22 * * *",
  durationMinutes: 8 * 60,
};
const weekend: MaintenanceWindow = {
  name: "weekend",
  kind: "freeze",
  timeZone: "Europe/Rome",
  cron: "0 18 * * fri",
  durationMinutes: 60 * 60,
};
const christmas: MaintenanceWindow = {
  name: "Christmas",
  kind: "freeze",
  timeZone: "UTC",
  from: "2026-12-20T00:00:00Z",
  until: "2027-01-07T00:00:00Z",
};
const opens = (windows: MaintenanceWindow[], now: string): string | null | undefined => {
  const closed = closedAt(windows, new Date(now));
  return closed === null ? undefined : (closed.opensAt?.toISOString() ?? null);
};

describe("when operations may begin", () => {
  it.each<[string, MaintenanceWindow[], string, string | null | undefined]>([
    ["always without windows", [], "2026-11-23T12:00:00Z", undefined],
    ["from the begin of a window", [nightly], "2026-11-23T21:00:00Z", undefined],
    ["not before it", [nightly], "2026-11-23T20:59:59Z", "2026-11-23T21:00:00.000Z"],
    ["not at its end", [nightly], "2026-11-23T05:00:00Z", "2026-11-23T21:00:00.000Z"],
    ["not in a freeze", [weekend], "2026-11-21T12:00:00Z", "2026-11-23T05:00:00.000Z"],
    ["at its end", [weekend], "2026-11-23T05:00:00Z", undefined],
    [
      "in the first window after a freeze",
      [weekend, nightly],
      "2026-11-21T12:00:00Z",
      "2026-11-23T21:00:00.000Z",
    ],
    [
      "after a freeze that begins within another",
      [weekend, christmas],
      "2026-12-18T19:00:00Z",
      "2027-01-07T00:00:00.000Z",
    ],
    ["in a freeze by two instants", [christmas], "2026-12-24T12:00:00Z", "2027-01-07T00:00:00.000Z"],
    ["before it", [christmas], "2026-12-19T23:59:59Z", undefined],
    [
      "never, where a freeze covers every window",
      [{ ...weekend, cron: "0 0 * * *", durationMinutes: 24 * 60 }],
      "2026-11-21T12:00:00Z",
      null,
    ],
    [
      "never, where the only window is over",
      [{ ...christmas, kind: "window" }],
      "2027-02-01T00:00:00Z",
      null,
    ],
  ])("%s", (_case, windows, now, expected) => {
    expect(opens(windows, now)).toBe(expected);
  });

  it("says why", () => {
    expect(closedAt([christmas], new Date("2026-12-24T12:00:00Z"))).toMatchObject({
      freeze: "Christmas",
      reason: 'The freeze "Christmas" lets nothing begin until 2027-01-07T00:00:00.000Z.',
    });
    expect(closedAt([nightly], new Date("2026-11-23T12:00:00Z"))).toMatchObject({
      freeze: null,
      reason: "It is outside of the maintenance windows until 2026-11-23T21:00:00.000Z.",
    });
  });

  const daily: MaintenanceWindow = { ...weekend, name: "daily", cron: "0 0 * * *", durationMinutes: 24 * 60 };
  it.each<[string, MaintenanceWindow[], string, string]>([
    [
      "another one begins before it ends",
      [weekend, christmas],
      "2026-12-18T19:00:00Z",
      'The freeze "weekend" lets nothing begin until 2026-12-21T05:00:00.000Z; after it, other maintenance windows let nothing begin until 2027-01-07T00:00:00.000Z.',
    ],
    [
      "no window is open at its end",
      [weekend, nightly],
      "2026-11-21T12:00:00Z",
      'The freeze "weekend" lets nothing begin until 2026-11-23T05:00:00.000Z; after it, other maintenance windows let nothing begin until 2026-11-23T21:00:00.000Z.',
    ],
    [
      "nothing opens within a year",
      [daily],
      "2026-11-21T12:00:00Z",
      'The freeze "daily" lets nothing begin for more than a year.',
    ],
    [
      "nothing opens within a year after it",
      [weekend, { ...christmas, kind: "window", until: "2026-12-20T00:00:00Z" }],
      "2026-11-21T12:00:00Z",
      'The freeze "weekend" lets nothing begin until 2026-11-23T05:00:00.000Z; after it, other maintenance windows let nothing begin for more than a year.',
    ],
    [
      "it begins again at its own end",
      [{ ...weekend, cron: "0 0 21,22 11 *", durationMinutes: 24 * 60 }],
      "2026-11-21T12:00:00Z",
      'The freeze "weekend" lets nothing begin until 2026-11-22T23:00:00.000Z.',
    ],
  ])("says of a freeze how long it lasts itself, where %s", (_case, windows, now, reason) => {
    expect(closedAt(windows, new Date(now))?.reason).toBe(reason);
  });
});

describe("where clocks are put forward or back", () => {
  const short = { ...nightly, cron: "30 2 * * *", durationMinutes: 30 };
  it.each<[string, MaintenanceWindow, string, string | undefined]>([
    // 2026-03-29 at 02:00 it is 03:00; 2026-10-25 at 03:00 it is 02:00 again.
    ["a night ends by the clock in spring", nightly, "2026-03-29T03:59:59Z", undefined],
    ["and is over then", nightly, "2026-03-29T04:00:00Z", "2026-03-29T20:00:00.000Z"],
    ["a night ends by the clock in autumn", nightly, "2026-10-25T04:59:59Z", undefined],
    ["and is over then too", nightly, "2026-10-25T05:00:00Z", "2026-10-25T21:00:00.000Z"],
    ["a time that is left out is as much later", short, "2026-03-29T01:00:00Z", "2026-03-29T01:30:00.000Z"],
    ["and lasts as long", short, "2026-03-29T01:59:59Z", undefined],
    ["and is over then as well", short, "2026-03-29T02:00:00Z", "2026-03-30T00:30:00.000Z"],
    ["a time that comes twice counts the first time", short, "2026-10-25T00:30:00Z", undefined],
    ["a freeze over the change in spring", { ...weekend, kind: "window" }, "2026-03-30T03:59:59Z", undefined],
    ["ends by the clock", { ...weekend, kind: "window" }, "2026-03-30T04:00:00Z", "2026-04-03T16:00:00.000Z"],
  ])("%s", (_case, window, now, expected) => {
    expect(opens([window], now)).toBe(expected);
  });
});
