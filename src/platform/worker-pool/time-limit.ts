/**
 * Ends work of this thread that takes too long, also within a regular expression, without terminating the
 * thread: replacing a terminated thread takes 0.2 s. Only for work without side effects, because it is
 * repeated when its time passed by the clock although the thread had hardly any CPU time.
 */
import { Script } from "node:vm";
import { coreShare } from "./thread-time.ts";

const entry = "plinthTimedWork";
let current: () => void = () => {};
Reflect.set(globalThis, entry, () => current());
const script = new Script(`${entry}()`);

/** Longest repeated attempt by the clock, as a multiple of the limit. */
const maxPatience = 8;

/** Null when the time is over and the thread had its share of a core. */
export function withTimeLimit<T>(work: () => T, limitMs: number): { value: T } | null {
  const before = process.threadCpuUsage();
  for (let patience = 1; ; patience *= 2) {
    const done = withinTime(work, limitMs * patience);
    if (done !== null) return done;
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1_000 >= limitMs * coreShare || patience >= maxPatience) return null;
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
