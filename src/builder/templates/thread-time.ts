/**
 * How long a thread has worked. A limit by the clock would end what is only kept from working: the threads that render
 * give way to everything else. Linux tells the CPU time of each thread; elsewhere there is the clock.
 */
import { readFileSync, readlinkSync } from "node:fs";

/**
 * A thread that had a core for this part of its time has had its time. Threads of the engine that collect its garbage work
 * for it as well and are not counted: one that makes much of it has two thirds of a core when nothing else is at work.
 */
export const coreShare = 0.3;

/** Of the thread that asks; 0 where the system does not tell. */
export function ownThreadId(): number {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1)) || 0;
  } catch {
    return 0;
  }
}

/** Linux counts hundredths of a second, on every machine. */
const tickMs = 10;

/** Time on a core of a thread of this process, in ms; null where the system does not tell. */
export function workedMs(threadId: number): number | null {
  if (threadId === 0) return null;
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, "latin1");
    // The name, in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return null;
  }
}
