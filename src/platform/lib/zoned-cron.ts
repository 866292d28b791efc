/** Pure: the instants that a cron expression names by the clocks of a time zone. */
import { lastTick, nextTick, type Cron } from "./cron.ts";
import { instantOf, localTime } from "./zoned-time.ts";

const minuteMs = 60_000;
/** Clocks are put forward or back by less than this. */
const longestShiftMs = 3 * 60 * minuteMs;

export interface ZonedTick {
  /** What a clock there shows. */
  local: Date;
  instant: Date;
}

/** The latest one, not after `at`. */
export function lastZonedTick(cron: Cron, timeZone: string, at: Date): ZonedTick | null {
  // Just after clocks are put back, what they showed before is later than what they show now.
  let local = lastTick(cron, new Date(localTime(at, timeZone).getTime() + longestShiftMs));
  while (local !== null && instantOf(local, timeZone) > at)
    local = lastTick(cron, new Date(local.getTime() - minuteMs));
  return local && { local, instant: instantOf(local, timeZone) };
}

/** The earliest one after `at`. */
export function nextZonedTick(cron: Cron, timeZone: string, at: Date): ZonedTick | null {
  let local = nextTick(cron, new Date(localTime(at, timeZone).getTime() - longestShiftMs));
  while (local !== null && instantOf(local, timeZone) <= at) local = nextTick(cron, local);
  return local && { local, instant: instantOf(local, timeZone) };
}
