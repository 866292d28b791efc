/** Pure: which units a schedule of drift checks names. */
import { parseCron } from "../../../platform/lib/cron.ts";
import { lastZonedTick, nextZonedTick } from "../../../platform/lib/zoned-cron.ts";

export interface DriftSchedule {
  environment: string;
  everyMinutes?: number;
  cron?: string;
  timeZone: string;
}

export interface DueUnits {
  environment: string;
  /** Units without a check since then. */
  before: Date;
  /** Leaves out units that were changed later; null for none. */
  unchangedSince: Date | null;
}

/** By a cron expression, the units that were there, as they are, at its last minute. */
export function dueUnits({ environment, everyMinutes, cron, timeZone }: DriftSchedule, at: Date): DueUnits {
  if (cron === undefined) {
    const before = new Date(at.getTime() - (everyMinutes ?? 0) * 60_000);
    return { environment, before, unchangedSince: null };
  }
  const parsed = parseCron(cron);
  const tick = (parsed && lastZonedTick(parsed, timeZone, at)?.instant) ?? new Date(0);
  return { environment, before: tick, unchangedSince: tick };
}

/** What was found of the units that a schedule names. */
export interface CheckedUnits {
  /** Those that are due now, as `dueUnits` names them. */
  due: number;
  /** When the one began whose last check is the oldest; null where none was checked. */
  oldestCheckAt: Date | null;
}

/** When the schedule next has something to check: now, while units are due; null where nothing will be. */
export function nextRun(
  { everyMinutes, cron, timeZone }: DriftSchedule,
  { due, oldestCheckAt }: CheckedUnits,
  at: Date,
): Date | null {
  if (due > 0) return at;
  if (cron === undefined) {
    return oldestCheckAt && new Date(oldestCheckAt.getTime() + (everyMinutes ?? 0) * 60_000);
  }
  const parsed = parseCron(cron);
  return (parsed && nextZonedTick(parsed, timeZone, at)?.instant) ?? null;
}
