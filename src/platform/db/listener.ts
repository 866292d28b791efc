/**
 * LISTEN on one connection, shared by the whole process. A lost connection is opened again, and then every
 * subscriber is woken with `null`, because notices may have been missed: so subscribers always re-read.
 */
import type { Logger } from "../lib/logger.ts";
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
  close(): Promise<void>;
}

export function createListener(connect: PersistentConnectionOptions["connect"], log: Logger): Listener {
  const subscribers = new Map<string, Set<Notice>>();
  /**
   * Set while the connection is being prepared too, so that channels subscribed meanwhile are listened to on
   * it.
   */
  let client: LimitedClient | null = null;
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
    for (const channel of subscribers.keys()) await fresh.query(`listen "${channel}"`);
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
    async close() {
      closed = true;
      // A first attempt that is under way ends within its limits.
      await (await persistent?.catch(() => null))?.close();
    },
  };
}
