/** The thread that evaluates scripts in CUE; it is started by the first of them. */
import { createWorkerPool, type WorkerPool } from "../../../platform/worker-pool/worker-pool.ts";
import type { EngineInput, EngineOutcome, SpecProblem } from "../engine.ts";
import { isOverrun, overrunOutcome } from "../local.ts";

export interface CueJob {
  kind: "policy" | "metric";
  input: EngineInput;
  script: string;
}

// A type and not an interface, so that it has an index signature. Null where the library is not installed.
export type CueJobs = {
  check: { input: { script: string }; result: SpecProblem[] | null };
  evaluate: { input: CueJob; result: EngineOutcome | null };
};

export interface CueThread {
  check(script: string): Promise<SpecProblem[]>;
  /** Never rejects for what a script does. */
  evaluate(job: CueJob): Promise<EngineOutcome>;
  close(): Promise<void>;
}

/** Heap of the thread; the library's own memory is limited in it, see worker.ts. */
const maxMemoryMb = 256;

export function openCueThread({ stepTimeoutMs }: { stepTimeoutMs: number }): CueThread {
  const pool: WorkerPool<CueJobs> = createWorkerPool<CueJobs>({
    entry: new URL("./worker.ts", import.meta.url),
    title: "CUE engine",
    workerData: null,
    threads: 1,
    stepTimeoutMs,
    maxMemoryMb,
    maxQueuedJobs: 10_000,
    startLate: true,
    limitedAsOne: new Set(["check", "evaluate"]),
    limitedInThread: new Set(),
  });
  return {
    async check(script) {
      const found = await pool.run("check", { script });
      if (found === null) return [problem(notInstalled)];
      return isOverrun(found) ? [problem(overrunOutcome(found).message)] : found;
    },
    async evaluate(job) {
      const outcome = await pool.run("evaluate", job);
      if (outcome === null) return { ok: false, reason: "unreachable", message: notInstalled };
      return isOverrun(outcome) ? overrunOutcome(outcome) : outcome;
    },
    close: () => pool.close(),
  };
}

const notInstalled = "The package cue-wasm is not installed.";

const problem = (message: string): SpecProblem => ({
  path: message === notInstalled ? "engine" : "spec.script",
  message,
  solution:
    message === notInstalled
      ? "Install cue-wasm 1.0.0 beside the product, or use another engine."
      : "Make the script smaller.",
});
