/**
 * LISTEN on one connection, shared by the whole process. A lost connection is opened again, and then every
 * subscriber is woken with `null`, because notices may have been missed: so subscribers always re-read.
 *
 * The connection is asked something every few seconds: one whose server is gone without a word is noticed so, and the next one
 * tells whether another server has taken its place. Then connections of before are of no use, however healthy they look.
 */
import pg from "pg";
import type { Logger } from "../lib/logger.ts";
import { createOneByOne } from "../lib/one-by-one.ts";
import type { LimitedClient } from "./limited-client.ts";
import {
  openPersistentConnection,
  type PersistentConnection,
  type PersistentConnectionOptions,
} from "./persistent-connection.ts";

export type Notice = (payload: string | null) => void;

export interface Listener {
  /** Calls `notice` for every NOTIFY on the channel until the returned function is called. */
  listen(channel: string, notice: Notice): Promise<() => void>;
  /**
   * Calls `notice` when another server serves the database, as after a failover. Connections that were opened before that moment
   * (by the clock of `performance`) lead to the server of before.
   */
  onMoved(notice: Moved): void;
  /** Replaces the session locks that the connection holds, and each that comes after it. */
  hold(held: Held): Promise<void>;
  /** Of the connection at the server; null while there is none. */
  processId(): number | null;
  close(): Promise<void>;
}

export type Moved = (openedBefore: number) => void;

/** Of a shared two-part advisory lock. */
type LockKey = readonly [number, number];

export interface Held {
  /** Shown among the connections of the database. */
  name: string;
  locks: readonly LockKey[];
}

/** With the time for an answer and the next attempt to connect, ten seconds until a silent server is noticed. */
const askEveryMs = 5_000;

export function createListener(connect: PersistentConnectionOptions["connect"], log: Logger): Listener {
  const subscribers = new Map<string, Set<Notice>>();
  /**
   * Set while the connection is being prepared too, so that channels subscribed meanwhile are listened to on
   * it.
   */
  let client: LimitedClient | null = null;
  const watch = watchServer();
  const holder = createHolder();
  let persistent: Promise<PersistentConnection> | null = null;
  let closed = false;

  const listenTo = (channel: string) => client?.query(`listen "${channel}"`);
  const prepare = async (fresh: LimitedClient): Promise<void> => {
    client = fresh;
    fresh.once("end", () => {
      if (client === fresh) client = null;
    });
    fresh.on("notification", ({ channel, payload }) => {
      for (const notice of subscribers.get(channel) ?? []) notice(payload ?? "");
    });
    await watch.begin(fresh);
    for (const channel of subscribers.keys()) await fresh.query(`listen "${channel}"`);
    await holder.bring(fresh);
  };
  const wakeAll = (): void => {
    for (const notices of subscribers.values()) for (const notice of notices) notice(null);
  };
  /**
   * Shared by all callers; when the first attempt fails all of them fail, and the next caller tries again.
   */
  const ensureConnection = (): Promise<PersistentConnection> => {
    persistent ??= openPersistentConnection({
      connect,
      prepare,
      onReplaced: wakeAll,
      log,
      what: "the database listener",
    }).catch((error: unknown) => {
      persistent = null;
      throw error;
    });
    return persistent;
  };

  return {
    async listen(channel, notice) {
      if (closed) throw new Error("The listener is closed.");
      const known = subscribers.get(channel);
      const notices = known ?? new Set();
      notices.add(notice);
      subscribers.set(channel, notices);
      try {
        const isFirst = persistent === null;
        await ensureConnection();
        if (known === undefined && !isFirst) await listenTo(channel);
      } catch (error) {
        notices.delete(notice);
        if (notices.size === 0) subscribers.delete(channel);
        throw error;
      }
      return () => {
        notices.delete(notice);
      };
    },
    onMoved: (notice) => void watch.notices.add(notice),
    async hold(next) {
      if (closed) throw new Error("The listener is closed.");
      holder.hold(next);
      const isFirst = persistent === null;
      await ensureConnection();
      // A connection that is made later takes them while it is prepared.
      if (!isFirst && client !== null) await holder.bring(client);
    },
    processId: () => (client as { processID?: number | null } | null)?.processID ?? null,
    async close() {
      closed = true;
      // A first attempt that is under way ends within its limits.
      await (await persistent?.catch(() => null))?.close();
    },
  };
}

interface ServerWatch {
  notices: Set<Moved>;
  /** Watches a new connection; rejects when it can't be asked. */
  begin(client: LimitedClient): Promise<void>;
}

function watchServer(): ServerWatch {
  const notices = new Set<Moved>();
  /** When the last known server started, which no two servers have in common; null before the first. */
  let started: string | null = null;
  let lostAt = 0;
  return {
    notices,
    async begin(client) {
      const { rows } = await client.query<{ started: string }>(
        "select pg_postmaster_start_time()::text as started",
      );
      const before = started;
      started = rows[0]?.started ?? null;
      if (before !== null && before !== started) for (const notice of notices) notice(lostAt);
      let askedAt: number | null = null;
      const timer = setInterval(() => {
        if (askedAt !== null) return;
        askedAt = performance.now();
        // A refusal is an answer too; the connection is given up where none comes in time.
        client.query("select 1").then(
          () => (askedAt = null),
          (error: unknown) => {
            if (error instanceof pg.DatabaseError) askedAt = null;
          },
        );
      }, askEveryMs);
      timer.unref();
      client.once("end", () => {
        clearInterval(timer);
        lostAt = askedAt ?? performance.now();
      });
    },
  };
}

/** Brings the locks of a connection to what is held at that moment; one call after the other. */
function createHolder(): { hold: (next: Held) => void; bring: (client: LimitedClient) => Promise<void> } {
  let held: Held = { name: "", locks: [] };
  const oneByOne = createOneByOne();
  const taken = new WeakMap<LimitedClient, Map<string, LockKey>>();
  const bring = async (client: LimitedClient): Promise<void> => {
    const { name, locks } = held;
    if (name === "") return;
    const present = taken.get(client) ?? new Map<string, LockKey>();
    taken.set(client, present);
    const wanted = new Map(locks.map((lock) => [lock.join(" "), lock]));
    await client.query("select set_config('application_name', $1, false)", [name]);
    // New ones first, so that what is held before and after is held all the time.
    for (const [text, lock] of wanted) {
      if (present.has(text)) continue;
      await client.query("select pg_advisory_lock_shared($1, $2)", [...lock]);
      present.set(text, lock);
    }
    for (const [text, lock] of present) {
      if (wanted.has(text)) continue;
      await client.query("select pg_advisory_unlock_shared($1, $2)", [...lock]);
      present.delete(text);
    }
  };
  return {
    hold: (next) => void (held = next),
    bring: (client) => oneByOne(() => bring(client)),
  };
}
