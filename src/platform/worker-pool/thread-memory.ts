/** The heap of a thread. */
import { setFlagsFromString } from "node:v8";
import type { ResourceLimits } from "node:worker_threads";

/** Limit of the young generation: two semi-spaces and the space for new large objects, of the same size each. */
const maxYoungGenerationSizeMb = 8;
const stackSizeMb = 4;

/**
 * The `resourceLimits` of a thread that is started next. V8 reads `--max-semi-space-size` whenever it makes a heap, and prefers it to the
 * limit of the thread. The heap of the main thread is there already, so the flag is reset here. The young generation has a limit because a
 * thread that runs out of memory with a larger one can end the whole process (test/governance/hostile-policies.db.test.ts). With 3 MB a
 * descriptor of 500 entities takes a fifth longer (bench/descriptor-build.ts).
 */
export function threadLimits(maxOldGenerationSizeMb: number): ResourceLimits {
  setFlagsFromString("--max-semi-space-size=0");
  return { maxOldGenerationSizeMb, maxYoungGenerationSizeMb, stackSizeMb };
}
