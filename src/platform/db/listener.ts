/**
 * LISTEN on one connection, shared by the whole process. A lost connection is opened again, and then every
 * subscriber is woken with `null`, because notices may have been missed: so subscribers always re-read.
 */
import type pg from "pg";
import type { Logger } from "../lib/logger.ts";

export type Notice = (payload: string | null) => void;

export interface Listener {
  /** Calls `notice` for every NOTIFY on the channel until the returned function is called. */
  listen(channel: string, notice: Notice): Promise<() => void>;
  close(): Promise<void>;
}

const reconnectDelayMs = 200;

export function createListener(connect: () => Promise<pg.Client>, log: Logger): Listener {
  const subscribers = new Map<string, Set<Notice>>();
  let client: Promise<pg.Client> | null = null;
  let closed = false;

  const open = async (): Promise<pg.Client> => {
    const fresh = await connect();
    fresh.on("notification", ({ channel, payload }) => {
      for (const notice of subscribers.get(channel) ?? []) notice(payload ?? "");
    });
    fresh.once("end", () => {
      client = null;
      if (!closed && subscribers.size > 0) reopen();
    });
    for (const channel of subscribers.keys()) await fresh.query(`listen "${channel}"`);
    return fresh;
  };
  const reopen = (): void => {
    setTimeout(() => {
      if (closed || client) return;
      client = open();
      client.then(
        () => {
          for (const notices of subscribers.values()) for (const notice of notices) notice(null);
        },
        (error: Error) => {
          client = null;
          log.warn({ reason: error.message }, "the database listener can't connect; trying again");
          reopen();
        },
      );
    }, reconnectDelayMs).unref();
  };

  return {
    async listen(channel, notice) {
      const isNew = !subscribers.has(channel);
      const notices = subscribers.get(channel) ?? new Set();
      notices.add(notice);
      subscribers.set(channel, notices);
      if (client) {
        if (isNew) await (await client).query(`listen "${channel}"`);
      } else {
        client = open();
        await client.catch((error: unknown) => {
          client = null;
          notices.delete(notice);
          if (notices.size === 0) subscribers.delete(channel);
          throw error;
        });
      }
      return () => {
        notices.delete(notice);
      };
    },
    async close() {
      closed = true;
      await (await client?.catch(() => null))?.end();
    },
  };
}
