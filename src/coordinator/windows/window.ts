/** Pure: whether operations may begin in an environment, by its maintenance windows, and from when. */
import { parseCron, type Cron } from "../../platform/lib/cron.ts";
import { lastZonedTick, nextZonedTick } from "../../platform/lib/zoned-cron.ts";
import { instantOf } from "../../platform/lib/zoned-time.ts";

export interface MaintenanceWindow {
  name: string;
  /** In a freeze nothing begins; where there are windows, operations begin only within one. */
  kind: "freeze" | "window";
  /** Of the cron expression. */
  timeZone: string;
  /** When it begins, again and again; with how long it lasts. */
  cron?: string;
  durationMinutes?: number;
  /** Or once, from one instant until another. */
  from?: string;
  until?: string;
}

export interface Closed {
  /** Name of the freeze, or null outside all windows. */
  freeze: string | null;
  /** When operations may begin; null where that is not within the next year. */
  opensAt: Date | null;
  /** One sentence for people. */
  reason: string;
}

/** Null while the environment is open. */
export function closedAt(windows: readonly MaintenanceWindow[], now: Date): Closed | null {
  const readers = windows.map(readerOf);
  const freeze = readers.find((each) => each.kind === "freeze" && each.endOf(now) !== null);
  if (!freeze && isOpen(readers, now)) return null;
  const opensAt = openingAfter(readers, now);
  const reason = freeze
    ? reasonOfFreeze(freeze, { now, opensAt })
    : `It is outside of the maintenance windows ${untilText(opensAt)}.`;
  return { freeze: freeze?.name ?? null, opensAt, reason };
}

/** The environment may stay closed after the freeze: another freeze has begun meanwhile, or no window is open. */
function reasonOfFreeze(freeze: Reader, { now, opensAt }: { now: Date; opensAt: Date | null }): string {
  const endsAt = openingAfter([freeze], now);
  const own = `The freeze "${freeze.name}" lets nothing begin ${untilText(endsAt)}`;
  return endsAt?.getTime() === opensAt?.getTime()
    ? `${own}.`
    : `${own}; after it, other maintenance windows let nothing begin ${untilText(opensAt)}.`;
}

const untilText = (opensAt: Date | null): string =>
  opensAt === null ? "for more than a year" : `until ${opensAt.toISOString()}`;

interface Reader {
  name: string;
  kind: MaintenanceWindow["kind"];
  /** The end of what covers the instant; null when nothing does. */
  endOf: (at: Date) => Date | null;
  /** The next begin after the instant. */
  beginAfter: (at: Date) => Date | null;
}

const minuteMs = 60_000;
const horizonMs = 366 * 24 * 60 * minuteMs;
/** More steps than this between the present and an opening are a pattern that never opens for long enough to be found. */
const maxSteps = 1_000;

const isOpen = (readers: readonly Reader[], at: Date): boolean => {
  const covers = ({ endOf }: Reader): boolean => endOf(at) !== null;
  const windows = readers.filter(({ kind }) => kind === "window");
  const freezes = readers.filter(({ kind }) => kind === "freeze");
  return !freezes.some(covers) && (windows.length === 0 || windows.some(covers));
};

function openingAfter(readers: readonly Reader[], now: Date): Date | null {
  let at = now;
  for (let step = 0; step < maxSteps && at.getTime() - now.getTime() <= horizonMs; step++) {
    if (isOpen(readers, at)) return at;
    const next = nextChange(readers, at);
    if (next === null) return null;
    at = next;
  }
  return null;
}

/** The end of a freeze that covers the instant, otherwise the next begin of a window. */
function nextChange(readers: readonly Reader[], at: Date): Date | null {
  const times = (of: (reader: Reader) => Date | null, kind: Reader["kind"]): number[] =>
    readers.filter((each) => each.kind === kind).flatMap((each) => of(each)?.getTime() ?? []);
  const ends = times((freeze) => freeze.endOf(at), "freeze");
  if (ends.length > 0) return new Date(Math.max(...ends));
  const begins = times((window) => window.beginAfter(at), "window");
  return begins.length === 0 ? null : new Date(Math.min(...begins));
}

function readerOf({ name, kind, timeZone, ...when }: MaintenanceWindow): Reader {
  if (when.cron === undefined) {
    const from = new Date(when.from ?? 0);
    const until = new Date(when.until ?? 0);
    const endOf = (at: Date): Date | null => (at >= from && at < until ? until : null);
    return { name, kind, endOf, beginAfter: (at) => (from > at ? from : null) };
  }
  const cron = parseCron(when.cron);
  if (cron === null) return { name, kind, endOf: () => null, beginAfter: () => null };
  const lasting = { cron, timeZone, durationMs: (when.durationMinutes ?? 0) * minuteMs };
  return {
    name,
    kind,
    endOf: (at) => endOfLatest(lasting, at),
    beginAfter: (at) => nextBegin(lasting, at),
  };
}

interface Lasting {
  cron: Cron;
  timeZone: string;
  durationMs: number;
}

function endOfLatest({ cron, timeZone, durationMs }: Lasting, at: Date): Date | null {
  const tick = lastZonedTick(cron, timeZone, at);
  if (tick === null) return null;
  const byClock = instantOf(new Date(tick.local.getTime() + durationMs), timeZone);
  // It ends when a clock there says so; where clocks are put forward meanwhile, a short one still lasts.
  const end = byClock > tick.instant ? byClock : new Date(tick.instant.getTime() + durationMs);
  return at < end ? end : null;
}

const nextBegin = ({ cron, timeZone }: Lasting, at: Date): Date | null =>
  nextZonedTick(cron, timeZone, at)?.instant ?? null;
