/** Pure: when operations may not begin in an environment, by its maintenance windows. */
import { dayMs, instantOf, localOf } from "./clock.ts";
import { fitsDay, parseCron } from "./cron.ts";

export interface Window {
  name: string;
  kind: "freeze" | "window";
  timeZone?: string;
  cron?: string;
  durationMinutes?: number;
  from?: string;
  until?: string;
}

/** From one instant until another, exclusive. */
export interface Period {
  from: number;
  until: number;
}

export interface NamedPeriod extends Period {
  name: string;
  kind: Window["kind"];
}

const minuteMs = 60_000;

/** The periods of one window that touch the range, the earliest first. What is not written to its end has none. */
export const periodsOf = (window: Window, range: Period): Period[] => {
  const { cron: text, durationMinutes, from, until, timeZone = "UTC" } = window;
  if (from !== undefined && until !== undefined)
    return touching([{ from: Date.parse(from), until: Date.parse(until) }], range);
  const cron = text === undefined ? null : parseCron(text);
  if (cron === null || durationMinutes === undefined) return [];
  const length = durationMinutes * minuteMs;
  const first = Math.floor(localOf(range.from - length - dayMs, timeZone) / dayMs) * dayMs;
  const last = localOf(range.until, timeZone);
  const periods: Period[] = [];
  for (let day = first; day <= last; day += dayMs) {
    if (!fitsDay(cron, day)) continue;
    for (const hour of cron.hours)
      for (const minute of cron.minutes) {
        const begin = day + (hour * 60 + minute) * minuteMs;
        periods.push({
          from: instantOf(begin, timeZone),
          until: instantOf(begin + length, timeZone),
        });
      }
  }
  return touching(periods, range);
};

const touching = (periods: Period[], range: Period): Period[] =>
  periods.filter(({ from, until }) => from < until && until > range.from && from < range.until);

const byBegin = (a: Period, b: Period): number => a.from - b.from;

/** Those that overlap or touch become one. */
const merged = (periods: readonly Period[]): Period[] => {
  const result: Period[] = [];
  for (const { from, until } of periods.toSorted(byBegin)) {
    const before = result.at(-1);
    if (before !== undefined && from <= before.until) before.until = Math.max(before.until, until);
    else result.push({ from, until });
  }
  return result;
};

/** What of the range is in none of the periods, which are in order and do not overlap. */
const without = (range: Period, periods: readonly Period[]): Period[] => {
  const rest: Period[] = [];
  let at = range.from;
  for (const { from, until } of periods) {
    if (from > at) rest.push({ from: at, until: Math.min(from, range.until) });
    at = Math.max(at, until);
  }
  if (at < range.until) rest.push({ from: at, until: range.until });
  return rest;
};

/** When operations may begin within the range: in no freeze, and where there are windows, in one of them. */
export const openPeriods = (windows: readonly Window[], range: Period): Period[] => {
  const of = (kind: Window["kind"]): Window[] => windows.filter((window) => window.kind === kind);
  const all = (some: readonly Window[]): Period[] =>
    merged(some.flatMap((window) => periodsOf(window, range)));
  const freezes = all(of("freeze"));
  const allowed = of("window").length === 0 ? [range] : all(of("window"));
  return allowed.flatMap((period) =>
    without({ from: Math.max(period.from, range.from), until: Math.min(period.until, range.until) }, freezes),
  );
};

/** The single periods of all windows that touch the range, the earliest first. */
export const namedPeriods = (windows: readonly Window[], range: Period): NamedPeriod[] =>
  windows
    .flatMap((window) =>
      periodsOf(window, range).map((period) => ({ ...period, name: window.name, kind: window.kind })),
    )
    .toSorted(byBegin);
