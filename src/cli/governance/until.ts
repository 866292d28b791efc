/** Ends of graces and exceptions, as people write them. */
import { inputFailure } from "../exit-codes.ts";

const dayMs = 24 * 3_600_000;

/** A time; a date, which counts to its end in UTC; or a number of days from now, such as `90d`. */
export function parseUntil(value: string, now: Date): string {
  const days = /^(\d{1,4})d$/.exec(value)?.[1];
  if (days !== undefined) return new Date(now.getTime() + Number(days) * dayMs).toISOString();
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const hasZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(value);
  const ms = isDate || hasZone ? Date.parse(value) : Number.NaN;
  // 30 February is read as a day of March, which nobody has meant.
  const isReal = !isDate || (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value));
  if (!Number.isNaN(ms) && isReal) return new Date(isDate ? ms + dayMs : ms).toISOString();
  throw inputFailure("This is neither a date, a time with its zone, nor a number of days.", {
    where: "--until",
    solutions: ["Give for example 2027-03-31, 2027-03-31T12:00:00Z or 90d."],
  });
}
