/** How long one request may wait for the database until its response begins. */

/** Until the answer begins: of a read, which with what else it does stays below 5 s; and of others, for writes may be large. */
export const databaseWaitMs = { read: 4_000, write: 20_000 };
/** What an overdue request still has for each statement, so that it can roll back. */
const leastMs = 100;

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
