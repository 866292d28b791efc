/**
 * Numbers that a scrape reads from a database. Each source is read at most once in a while, however often and by how many
 * it is scraped; a source that does not answer in time is left out, and a gauge says so.
 */
import { DatabaseWait } from "../lib/database-wait.ts";
import { withinDatabaseWait } from "../lib/request-scope.ts";
import type { Logger } from "../lib/logger.ts";
import type { About, Instruments, LabelValues } from "./instruments.ts";

export interface NumbersSettings {
  /** A source is read again when its numbers are older. */
  databaseEveryMs: number;
  /** How long a scrape waits for a source. */
  databaseWaitMs: number;
}

export type SetValue = (value: number, values?: LabelValues) => void;

export interface Numbers<Found> {
  /** A gauge of what was read; without series while the source does not answer. */
  gauge(about: About, fill: FillFrom<Found>): void;
  /** The same for a number that only rises. */
  counter(about: About, fill: FillFrom<Found>): void;
}

type FillFrom<Found> = (found: Found, set: SetValue) => void;

export type AddNumbers = <Found>(source: string, read: () => Promise<Found>) => Numbers<Found>;

interface Reading {
  startedAt: number;
  /** Null where it failed. */
  found: Promise<unknown>;
  isSettled: boolean;
}

/** Returns the function with which areas add their sources; its gauges go to the instruments. */
export function createDatabaseNumbers(
  instruments: Instruments,
  settings: NumbersSettings,
  log: Logger,
): AddNumbers {
  const sources = new Map<string, { up: () => Promise<boolean>; seconds: () => number | null }>();
  instruments.gauge(
    {
      name: "plinth_metrics_source_up",
      help: "Whether the numbers of a database were read for this scrape (1), or are left out of it (0), by source.",
      labels: ["source"],
    },
    async (set) => {
      const all = [...sources];
      const ups = await Promise.all(all.map(([, { up }]) => up()));
      for (const [at, [source]] of all.entries()) set(ups[at] ? 1 : 0, [source]);
    },
  );
  instruments.gauge(
    {
      name: "plinth_metrics_source_read_seconds",
      help: "How long the last reading of a source took, by source.",
      labels: ["source"],
    },
    (set) => {
      for (const [source, { seconds }] of sources) {
        const last = seconds();
        if (last !== null) set(last, [source]);
      }
    },
  );
  return (source, read) => {
    const current = createSource(read, {
      ...settings,
      onFailure: (reason) => log.warn({ source, reason }, "numbers for metrics could not be read"),
    });
    sources.set(source, { up: async () => (await current.read()) !== null, seconds: current.seconds });
    const filled =
      (fill: FillFrom<Awaited<ReturnType<typeof read>>>) =>
      async (set: SetValue): Promise<void> => {
        const found = await current.read();
        if (found !== null) fill(found, set);
      };
    return {
      gauge: (about, fill) => instruments.gauge({ isShared: true, ...about }, filled(fill)),
      counter: (about, fill) => instruments.readCounter({ isShared: true, ...about }, filled(fill)),
    };
  };
}

interface SourceSettings extends NumbersSettings {
  /** Called for the first failure after a success. */
  onFailure: (reason: string) => void;
}

function createSource<Found>(read: () => Promise<Found>, settings: SourceSettings) {
  const { databaseEveryMs: everyMs, databaseWaitMs: waitMs, onFailure } = settings;
  let reading: Reading | null = null;
  let seconds: number | null = null;
  let hasFailed = false;
  const begin = (startedAt: number): Reading => {
    const begun: Reading = { startedAt, isSettled: false, found: Promise.resolve(null) };
    begun.found = withinDatabaseWait(new DatabaseWait(waitMs), read)
      .then(
        (found) => {
          hasFailed = false;
          return found;
        },
        (error: Error) => {
          if (!hasFailed) onFailure(error.message);
          hasFailed = true;
          return null;
        },
      )
      .finally(() => {
        begun.isSettled = true;
        seconds = (performance.now() - startedAt) / 1_000;
      });
    return begun;
  };
  return {
    seconds: () => seconds,
    async read(): Promise<Found | null> {
      const now = performance.now();
      // One that hangs is not begun a second time.
      if (reading === null || (reading.isSettled && now - reading.startedAt >= everyMs)) reading = begin(now);
      return (await within(reading.found, waitMs)) as Found | null;
    },
  };
}

/** Null where it takes longer. */
async function within<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), limitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
