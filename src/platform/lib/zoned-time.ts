/**
 * Pure: clocks of time zones. A local time is a Date whose UTC fields are what a clock there shows, so that what counts in UTC
 * counts in local time too.
 */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}

/** By its IANA name, such as `Europe/Rome`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** What a clock there shows at the instant, to the second. */
export function localTime(instant: Date, timeZone: string): Date {
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

const dayMs = 24 * 3_600_000;

/**
 * The instant at which a clock there shows the local time: the first of two when clocks are put back. A time that is left out
 * when clocks are put forward is as much later as they are.
 */
export function instantOf(local: Date, timeZone: string): Date {
  const at = local.getTime();
  const offset = (instant: number): number => localTime(new Date(instant), timeZone).getTime() - instant;
  const before = offset(at - dayMs);
  const fitting = [before, offset(at + dayMs)]
    .map((each) => at - each)
    .filter((instant) => localTime(new Date(instant), timeZone).getTime() === at);
  return new Date(fitting.length > 0 ? Math.min(...fitting) : at - before);
}
