/**
 * CPU time of a thread. A limit by the clock would end jobs that are only waiting for a core: render threads
 * have a low priority. Linux reports the CPU time of each thread; other systems use the clock.
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
