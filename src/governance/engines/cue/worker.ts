/** Entry of the thread that evaluates scripts in CUE. Its library is a program in WebAssembly of 190 MB, and is loaded here alone. */
import { setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";
import { checkScript, evaluateScript, type Cue } from "./script.ts";
import type { CueJobs } from "./thread.ts";
import { serveJobs } from "../../../platform/worker-pool/serve-jobs.ts";

// Linux has a priority per thread: request handling goes before policies.
if (process.platform === "linux") setPriority(0, 5);

/** Of 64 KiB; a heap limit does not count the memory of such programs. */
const maxPages = 512 * 16;
setFlagsFromString(`--wasm-max-mem-pages=${maxPages}`);

async function loadCue(): Promise<Cue | null> {
  try {
    const { init } = await import("cue-wasm");
    return await init();
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}

const loaded = loadCue();

serveJobs<CueJobs>(
  loaded.then((cue) => ({
    check: { run: ({ script }) => cue && guarded(() => checkScript(cue, script)) },
    evaluate: { run: (job) => cue && guarded(() => evaluateScript(cue, job)) },
  })),
);

/** A program that has ended, for it ran out of memory, answers nothing any more: the next job gets a new thread. */
function guarded<Result>(work: () => Result): Result {
  const result = work();
  if (JSON.stringify(result).includes("already exited")) process.exit(1);
  return result;
}
