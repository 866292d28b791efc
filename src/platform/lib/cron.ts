/**
 * Pure: times of a cron expression of five fields (minute, hour, day of the month, month, day of the week), in UTC.
 * Where both days are limited, either of them fits, as cron does it.
 */

export interface Cron {
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  /** 0 is Sunday. */
  weekdays: ReadonlySet<number>;
  hasDays: boolean;
  hasWeekdays: boolean;
}

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Null when the text is no such expression, or one that never comes true. */
export function parseCron(text: string): Cron | null {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5) return null;
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  const minutes = readField(minute, { from: 0, to: 59 });
  const hours = readField(hour, { from: 0, to: 23 });
  const days = readField(day, { from: 1, to: 31 });
  const months = readField(month, { from: 1, to: 12, names: monthNames });
  const weekdays = readField(weekday, { from: 0, to: 7, names: weekdayNames });
  if (!minutes || !hours || !days || !months || !weekdays) return null;
  if (weekdays.has(7)) weekdays.add(0);
  const hasDays = !day.startsWith("*");
  const hasWeekdays = !weekday.startsWith("*");
  const cron = { minutes, hours, days, months, weekdays, hasDays, hasWeekdays };
  return lastTick(cron, new Date(Date.UTC(2032, 0, 1))) === null ? null : cron;
}

interface Range {
  from: number;
  to: number;
  names?: readonly string[];
}

function readField(text: string, range: Range): Set<number> | null {
  const values = new Set<number>();
  for (const part of text.toLowerCase().split(",")) {
    const [span = "", stepText, ...rest] = part.split("/");
    const step = stepText === undefined ? 1 : readNumber(stepText);
    if (rest.length > 0 || step === null || step < 1) return null;
    const ends = readSpan(span, range, stepText !== undefined);
    if (ends === null) return null;
    for (let value = ends.from; value <= ends.to; value += step) values.add(value);
  }
  return values;
}

function readSpan(text: string, range: Range, hasStep: boolean): { from: number; to: number } | null {
  if (text === "*") return range;
  const [first = "", last, ...rest] = text.split("-");
  const from = readValue(first, range);
  const to = last === undefined ? (hasStep ? range.to : from) : readValue(last, range);
  return rest.length > 0 || from === null || to === null || to < from ? null : { from, to };
}

function readValue(text: string, { from, to, names = [] }: Range): number | null {
  const place = names.indexOf(text);
  const value = place >= 0 ? place + from : readNumber(text);
  return value === null || value < from || value > to ? null : value;
}

const readNumber = (text: string): number | null => (/^\d{1,4}$/.test(text) ? Number(text) : null);

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** A 29th of February is at most eight years away. */
const longestDays = 8 * 366 + 1;

/** The latest minute, not after `now`, that the expression names; null when there is none within eight years. */
export function lastTick(cron: Cron, now: Date): Date | null {
  const today = startOfDay(now);
  for (let back = 0; back < longestDays; back++) {
    const day = today - back * dayMs;
    const tick = minutesOf(cron, day).findLast((at) => at <= now.getTime());
    if (tick !== undefined) return new Date(tick);
  }
  return null;
}

/** The earliest minute after `now` that the expression names; null when there is none within eight years. */
export function nextTick(cron: Cron, now: Date): Date | null {
  const today = startOfDay(now);
  for (let ahead = 0; ahead < longestDays; ahead++) {
    const day = today + ahead * dayMs;
    const tick = minutesOf(cron, day).find((at) => at > now.getTime());
    if (tick !== undefined) return new Date(tick);
  }
  return null;
}

const startOfDay = (at: Date): number => Math.floor(at.getTime() / dayMs) * dayMs;

/** The minutes of the day that the expression names, the earliest first. */
function minutesOf(cron: Cron, day: number): number[] {
  if (!fitsDay(cron, new Date(day))) return [];
  const minutes = [...cron.minutes].sort((a, b) => a - b);
  return [...cron.hours]
    .sort((a, b) => a - b)
    .flatMap((hour) => minutes.map((minute) => day + (hour * 60 + minute) * minuteMs));
}

function fitsDay(cron: Cron, day: Date): boolean {
  if (!cron.months.has(day.getUTCMonth() + 1)) return false;
  const fitsMonthDay = cron.days.has(day.getUTCDate());
  const fitsWeekday = cron.weekdays.has(day.getUTCDay());
  return cron.hasDays && cron.hasWeekdays ? fitsMonthDay || fitsWeekday : fitsMonthDay && fitsWeekday;
}
