/** The heap of a thread. */
import { setFlagsFromString } from "node:v8";
import type { ResourceLimits } from "node:worker_threads";

/** MB for objects that live shortly, of which V8 makes three parts. */
const maxYoungGenerationSizeMb = 8;
const stackSizeMb = 4;

/**
 * The limits of the next thread. A thread's own limit for objects that live shortly counts only where no flag of the process sets one, and V8 reads
 * the flag when a thread begins: so it is taken back here, after the heap of the main thread was made by it. Without a limit of its own a thread
 * that takes all memory ended the whole process (test/governance/hostile-policies.db.test.ts); with 3 MB a descriptor of 500 entities takes a fifth
 * longer (bench/descriptor-build.ts).
 */
export function threadLimits(maxOldGenerationSizeMb: number): ResourceLimits {
  setFlagsFromString("--max-semi-space-size=0");
  return { maxOldGenerationSizeMb, maxYoungGenerationSizeMb, stackSizeMb };
}
