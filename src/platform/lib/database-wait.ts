/**
 * How long one request may wait for the database until its response begins. The limit is in an
 * AsyncLocalStorage, so neither services nor stores pass it on; work outside of requests has no such limit.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Until the answer begins: of a read, which with what else it does stays below 5 s; and of others, for writes may be large. */
export const databaseWaitMs = { read: 4_000, write: 20_000 };
/** What an overdue request still has for each statement, so that it can roll back. */
const leastMs = 100;

const storage = new AsyncLocalStorage<DatabaseWait>();

const always = (): boolean => true;

export class DatabaseWait {
  #leftMs: number;
  #waits = 0;
  #since = 0;
  #isAnswered: () => boolean;

  /** `isAnswered` says that the response has begun: then a stream, or background work, has no limit. */
  constructor(limitMs: number, isAnswered: () => boolean = () => false) {
    this.#leftMs = limitMs;
    this.#isAnswered = isAnswered;
  }

  /** To be called when the response has ended. Timers that the work has started may keep this object alive; it no longer refers to the response. */
  answered(): void {
    this.#isAnswered = always;
  }

  /** Milliseconds that are left; Infinity once the answer has begun. */
  left(): number {
    if (this.#isAnswered()) return Infinity;
    const running = this.#waits === 0 ? 0 : performance.now() - this.#since;
    return Math.max(leastMs, this.#leftMs - running);
  }

  /** Waits that overlap count once. */
  begin(): void {
    if (this.#waits === 0) this.#since = performance.now();
    this.#waits += 1;
  }

  end(): void {
    this.#waits -= 1;
    if (this.#waits === 0) this.#leftMs -= performance.now() - this.#since;
  }
}

/** Everything that `work` awaits has this limit in place of the one around it. */
export const withinDatabaseWait = <T>(wait: DatabaseWait, work: () => T): T => storage.run(wait, work);

/** Undefined for work that no request waits for. */
export const currentDatabaseWait = (): DatabaseWait | undefined => storage.getStore();

/** For work that a request begins and others share: it continues when that request's time is over. */
export const withoutDatabaseWait = <T>(work: () => T): T => storage.exit(work);
