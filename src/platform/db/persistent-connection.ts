/**
 * A persistent connection: when it breaks it is replaced. An attempt that fails closes what it has opened
 * before the next begins, so that there is never more than one connection.
 */
import type { Logger } from "../lib/logger.ts";
import { createOneByOne } from "../lib/one-by-one.ts";
import type { ConnectOptions, LimitedClient } from "./limited-client.ts";

export interface PersistentConnectionOptions {
  connect(options: ConnectOptions): Promise<LimitedClient>;
  /** Makes a new connection fit for use; when it rejects the attempt has failed. */
  prepare(client: LimitedClient): Promise<void>;
  /** Called when a lost connection has been replaced. */
  onReplaced?: () => void;
  log: Logger;
  /** Named in the log when an attempt fails. */
  what: string;
}

export interface PersistentConnection {
  /** Null while there is none. */
  client(): LimitedClient | null;
  /**
   * Closes it, also during an attempt to connect; `beforeClose` can still use the connection, if there is
   * one.
   */
  close(beforeClose?: (client: LimitedClient) => Promise<unknown>): Promise<void>;
}

/** A worker without a session 3 s after a restart of the database counts as dead (worker-lease.ts). */
const retryMs = { first: 200, longest: 1_000 };
/** For each statement on it: they are all small. */
const statementMs = 5_000;

/**
 * Several callers share the connection: each statement is sent when the previous one has ended, and its time limit starts then.
 * The client of `pg` can queue statements itself, but that is deprecated: each use prints a warning.
 */
function sendOneByOne(client: LimitedClient): void {
  const send = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const oneByOne = createOneByOne();
  client.query = ((...args: unknown[]) => oneByOne(() => send(...args))) as typeof client.query;
}

/**
 * Resolves when the first connection is open; rejects when the first attempt fails, and leaves nothing open.
 */
export async function openPersistentConnection(
  options: PersistentConnectionOptions,
): Promise<PersistentConnection> {
  const { log, what } = options;
  const closing = new AbortController();
  let current: LimitedClient | null = null;
  let attempt: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const open = async (): Promise<void> => {
    const client = await options.connect({ limitMs: statementMs, signal: closing.signal });
    sendOneByOne(client);
    const abandon = (): void => client.abandon();
    closing.signal.addEventListener("abort", abandon, { once: true });
    try {
      let hasEnded = false;
      client.once("end", () => {
        hasEnded = true;
        if (current !== client) return;
        current = null;
        openLater(retryMs.first);
      });
      await options.prepare(client);
      if (hasEnded || closing.signal.aborted)
        throw new Error("The connection ended while it was being prepared.");
      current = client;
    } catch (error) {
      await client.end();
      throw error;
    } finally {
      closing.signal.removeEventListener("abort", abandon);
    }
  };
  const openLater = (delayMs: number): void => {
    if (closing.signal.aborted) return;
    timer = setTimeout(() => {
      attempt = open().then(options.onReplaced, (error: Error) => {
        if (!closing.signal.aborted)
          log.warn({ reason: error.message }, `${what}: no connection yet; trying again`);
        openLater(Math.min(delayMs * 2, retryMs.longest));
      });
    }, delayMs);
    timer.unref();
  };

  await open();
  return {
    client: () => current,
    async close(beforeClose) {
      closing.abort();
      clearTimeout(timer);
      await attempt;
      const client = current;
      current = null;
      if (client === null) return;
      await beforeClose?.(client).catch(() => {});
      await client.end();
    },
  };
}
