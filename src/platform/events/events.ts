/**
 * The durable log behind every live stream. Writers insert in the transaction of the state change, after
 * they have locked the row that owns the stream; readers tail by id, woken by NOTIFY. So a reader that
 * comes back with the last id it saw gets everything after it, once, whichever process it asks.
 *
 * Whoever reads across streams relies on ids being drawn by the insert, which locks the table (watermark.ts).
 */
import type { Database, Db } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export const eventsChannel = "plinth_events";

export const severityLevels = { DEBUG: 10, INFO: 20, WARNING: 30, ERROR: 40 } as const;
export type Severity = keyof typeof severityLevels;

export interface NewEvent {
  type: string;
  at: Date;
  /** For `log` events. */
  level?: number;
  data: unknown;
}

export interface StoredEvent {
  id: number;
  type: string;
  /** JSON text, ready to be sent. */
  data: string;
}

/** Inserts events and wakes the readers when the transaction commits. The owner row must be locked by it. */
export async function appendEvents(db: Db, stream: string, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({
    type: event.type,
    at: event.at.toISOString(),
    level: event.level ?? null,
    data: event.data,
  }));
  await sql`insert into events (stream, type, at, level, data)
    select ${stream}, type, at, level, data
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(type text, at timestamptz, level smallint, data json)`.execute(
    db,
  );
  await sql`select pg_notify(${eventsChannel}, ${stream})`.execute(db);
}

const pageSize = 500;

async function readPage(db: Db, stream: string, after: number): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`select id, type, data::text as data from events
    where stream = ${stream} and id > ${after} order by id limit ${pageSize}`.execute(db);
  return rows;
}

export interface TailOptions {
  /** The id of the last event that the reader has; 0 for all. */
  after: number;
  signal: AbortSignal;
  /** True for the event after which the stream ends. */
  isLast: (event: StoredEvent) => boolean;
}

export interface EventHub {
  tail(stream: string, options: TailOptions): AsyncGenerator<StoredEvent>;
  close(): void;
}

/** Reads again after this time, in case a notice was lost. */
const rereadMs = 5_000;

export async function createEventHub(database: Database): Promise<EventHub> {
  const waiting = new Map<string, Set<() => void>>();
  const wake = (wakers: Iterable<() => void> | undefined): void => {
    for (const waker of wakers ?? []) waker();
  };
  const stop = await database.listener.listen(eventsChannel, (payload) => {
    if (payload === null) for (const wakers of waiting.values()) wake(wakers);
    else for (const stream of payload.split(",")) wake(waiting.get(stream));
  });

  /** Watches a stream; `next` resolves at the next notice since the last call. */
  const watch = (stream: string, signal: AbortSignal) => {
    let noticed = false;
    let resume: (() => void) | null = null;
    const waker = (): void => {
      noticed = true;
      resume?.();
    };
    const wakers = waiting.get(stream) ?? new Set();
    wakers.add(waker);
    waiting.set(stream, wakers);
    signal.addEventListener("abort", waker, { once: true });
    return {
      async next(): Promise<void> {
        if (!noticed && !signal.aborted) {
          await new Promise<void>((done) => {
            const timer = setTimeout(done, rereadMs).unref();
            resume = () => {
              clearTimeout(timer);
              done();
            };
          });
        }
        noticed = false;
        resume = null;
      },
      end(): void {
        signal.removeEventListener("abort", waker);
        wakers.delete(waker);
        if (wakers.size === 0) waiting.delete(stream);
      },
    };
  };

  return {
    async *tail(stream, { after, signal, isLast }) {
      const watcher = watch(stream, signal);
      let position = after;
      try {
        while (!signal.aborted) {
          const page = await readPage(database.db, stream, position);
          for (const event of page) {
            position = event.id;
            yield event;
            if (isLast(event)) return;
          }
          if (page.length < pageSize) await watcher.next();
        }
      } finally {
        watcher.end();
      }
    },
    close: stop,
  };
}
