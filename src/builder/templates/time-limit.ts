/**
 * Ends work of this thread that takes too long, also in the middle of a regular expression, and leaves the thread as it
 * was: a thread that has to be killed takes a fifth of a second to replace. Only for work that keeps nothing half done,
 * because it is begun anew when its time was up by the clock although it hardly had a core.
 */
import { Script } from "node:vm";
import { coreShare } from "./thread-time.ts";

const entry = "plinthTimedWork";
let current: () => void = () => {};
Reflect.set(globalThis, entry, () => current());
const script = new Script(`${entry}()`);

/** How much longer than the limit a turn may be by the clock. */
const mostPatience = 8;

/** Null when the time is over and it had a core for its share of it. */
export function withTimeLimit<T>(work: () => T, limitMs: number): { value: T } | null {
  const before = process.threadCpuUsage();
  for (let patience = 1; ; patience *= 2) {
    const done = withinTime(work, limitMs * patience);
    if (done !== null) return done;
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1_000 >= limitMs * coreShare || patience >= mostPatience) return null;
  }
}

function withinTime<T>(work: () => T, timeout: number): { value: T } | null {
  let done: { value: T } | null = null;
  current = () => {
    done = { value: work() };
  };
  try {
    script.runInThisContext({ timeout });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return null;
  }
  return done;
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, "code") === "ERR_SCRIPT_EXECUTION_TIMEOUT";
