/**
 * CPU time of a thread, which Linux reports below /proc; other systems use the clock. It serves the goals that a healthy template is
 * rendered on a busy machine and a hostile one ends within a second (`npm run test:builder-limits`); it saves no time. By the clock
 * healthy templates were given up: docs/decisions/2026-11-21-time-to-render.md. `Worker.cpuUsage()` of Node.js 24.6 may replace it
 * once no older one is supported and it is known to answer while the thread is within a regular expression.
 */
import { readFileSync, readlinkSync } from "node:fs";

/**
 * A thread that had a core for this part of the time limit has used it up. Garbage collection runs in other
 * threads and is not counted: a thread that produces much garbage gets two thirds of a core on an idle
 * machine.
 */
export const coreShare = 0.3;

/** Id of the calling thread; 0 when the system does not provide it. */
export function ownThreadId(): number {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1)) || 0;
  } catch {
    return 0;
  }
}

/** Linux counts in hundredths of a second on every machine. */
const tickMs = 10;

/** CPU time of a thread of this process, in ms; null when the system does not provide it. */
export function workedMs(threadId: number): number | null {
  if (threadId === 0) return null;
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, "latin1");
    // The thread name, in parentheses, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return null;
  }
}
