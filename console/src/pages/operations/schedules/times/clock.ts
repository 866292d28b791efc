/**
 * Pure: what clocks of a time zone show. A local time is a number of milliseconds whose UTC fields are what a clock there shows, so that
 * it can be counted with.
 */

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timeZone, format);
  return format;
};

export const isTimeZone = (name: string): boolean => {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
};

export const localOf = (instant: number, timeZone: string): number => {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
};

export const dayMs = 24 * 3_600_000;

/**
 * When a clock there shows it: the first time where clocks are put back. What is left out where they are put forward comes as much later
 * as they are.
 */
export const instantOf = (local: number, timeZone: string): number => {
  const offsetAt = (instant: number): number => localOf(instant, timeZone) - instant;
  const before = offsetAt(local - dayMs);
  const instants = [before, offsetAt(local + dayMs)]
    .map((offset) => local - offset)
    .filter((instant) => localOf(instant, timeZone) === local);
  return instants.length > 0 ? Math.min(...instants) : local - before;
};
