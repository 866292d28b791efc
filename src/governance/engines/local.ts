/** Evaluation in threads, with limits of time and memory for each policy and resource. */
import { createWorkerPool, type Overrun, type WorkerPool } from "../../platform/worker-pool/worker-pool.ts";
import type { EngineInput, EngineOutcome } from "./engine.ts";
import type { EngineJobs, JobBatch, LocalJob } from "./jobs.ts";

export type EngineThreads = WorkerPool<EngineJobs>;

export interface ThreadLimits {
  threads: number;
  /** Longest evaluation of one policy over one resource. */
  stepTimeoutMs: number;
  maxMemoryMb: number;
  startLate: boolean;
}

export const openThreads = (limits: ThreadLimits): EngineThreads =>
  createWorkerPool<EngineJobs>({
    entry: new URL("../policy-worker.ts", import.meta.url),
    title: "policy engine",
    workerData: null,
    maxQueuedJobs: 10_000,
    limitedAsOne: new Set(["check"]),
    limitedInThread: new Set(),
    ...limits,
  });

/** Evaluations that are sent to a thread at once; those behind one that overruns are sent again. */
const batchSize = 500;

export async function evaluateInThreads(
  threads: EngineThreads,
  inputs: readonly EngineInput[],
  jobs: readonly LocalJob[],
): Promise<EngineOutcome[]> {
  const batches: Promise<EngineOutcome[]>[] = [];
  for (let from = 0; from < jobs.length; from += batchSize)
    batches.push(evaluateBatch(threads, inputs, jobs.slice(from, from + batchSize)));
  return (await Promise.all(batches)).flat();
}

/** An evaluation that overruns costs only itself: what stands before and behind it is evaluated again without it. */
async function evaluateBatch(
  threads: EngineThreads,
  inputs: readonly EngineInput[],
  jobs: readonly LocalJob[],
): Promise<EngineOutcome[]> {
  if (jobs.length === 0) return [];
  const result = await threads.run("evaluate", batchOf(inputs, jobs));
  if (!isOverrun(result)) return result;
  const at = Math.min(result.step, jobs.length - 1);
  return [
    ...(await evaluateBatch(threads, inputs, jobs.slice(0, at))),
    overrunOutcome(result),
    ...(await evaluateBatch(threads, inputs, jobs.slice(at + 1))),
  ];
}

function batchOf(inputs: readonly EngineInput[], jobs: readonly LocalJob[]): JobBatch {
  const batch: JobBatch = { inputs: [], policies: [], policyOf: [], inputOf: [] };
  const policies = new Map<string, number>();
  const places = new Map<number, number>();
  for (const { key, kind, spec, input } of jobs) {
    let policy = policies.get(key);
    if (policy === undefined) {
      policy = batch.policies.push({ key, kind, spec }) - 1;
      policies.set(key, policy);
    }
    let place = places.get(input);
    if (place === undefined) {
      place = batch.inputs.push(inputs[input]!) - 1;
      places.set(input, place);
    }
    batch.policyOf.push(policy);
    batch.inputOf.push(place);
  }
  return batch;
}

export const isOverrun = (result: object): result is Overrun => "overrun" in result;

export const overrunOutcome = ({ overrun }: Overrun): EngineOutcome & { ok: false } =>
  overrun === "time"
    ? { ok: false, reason: "timeout", message: "The evaluation took longer than its limit." }
    : { ok: false, reason: "limit", message: "The evaluation needed more memory than its limit." };
