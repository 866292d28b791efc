/** Evaluation in threads, with limits of time and memory for each policy and resource. */
import { createWorkerPool, type Overrun, type WorkerPool } from "../../platform/worker-pool/worker-pool.ts";
import type { EngineInput, EngineOutcome } from "./engine.ts";
import type { EngineJobs, JobBatch, LocalJob } from "./jobs.ts";
import { countOverruns, type NoAnswer, type Overruns } from "./overruns.ts";

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

interface EvaluationOptions {
  /** Nothing more is sent to the threads once it is aborted. */
  signal: AbortSignal;
  /** Batches of this evaluation that are in the threads or wait for them: others' evaluations wait behind no more. */
  width: number;
  /** Cuts what an outcome says, as soon as it is there. */
  within: (outcome: EngineOutcome) => EngineOutcome;
  /** Gets the outcome of each job by its place, as soon as it is there. */
  answer: (place: number, outcome: EngineOutcome) => void;
}

export async function evaluateInThreads(
  threads: EngineThreads,
  inputs: readonly EngineInput[],
  jobs: readonly LocalJob[],
  { signal, width, within, answer }: EvaluationOptions,
): Promise<void> {
  const run = async (some: readonly LocalJob[]): Promise<EngineOutcome[] | Overrun> => {
    const result = await threads.run("evaluate", batchOf(inputs, some));
    return isOverrun(result) ? result : result.map(within);
  };
  const batch = { jobs, run, answer, overruns: countOverruns(signal) };
  const places = jobs.map((_, place) => place);
  const starts = Array.from({ length: Math.ceil(jobs.length / batchSize) }, (_, at) => at * batchSize);
  await inParallel(starts, width, (from) => evaluateBatch(places.slice(from, from + batchSize), batch));
}

interface Batch extends Pick<EvaluationOptions, "answer"> {
  jobs: readonly LocalJob[];
  run: (jobs: readonly LocalJob[]) => Promise<EngineOutcome[] | Overrun>;
  overruns: Overruns;
}

/** An evaluation that overruns costs only itself: what stands before and behind it is evaluated again without it. */
async function evaluateBatch(places: readonly number[], batch: Batch): Promise<void> {
  const { jobs, run, overruns, answer } = batch;
  const asked = places.filter((place) => {
    const outcome = overruns.outcomeOf(jobs[place]!.key);
    if (outcome !== null) answer(place, outcome);
    return outcome === null;
  });
  if (asked.length === 0) return;
  const result = await run(asked.map((place) => jobs[place]!));
  if (!isOverrun(result)) {
    for (const [at, outcome] of result.entries()) answer(asked[at]!, outcome);
    return;
  }
  const at = Math.min(result.step, asked.length - 1);
  const overrun = asked[at]!;
  await evaluateBatch(asked.slice(0, at), batch);
  answer(overrun, overruns.add(jobs[overrun]!.key, overrunOutcome(result)));
  await evaluateBatch(asked.slice(at + 1), batch);
}

/** Inputs that are sent to a thread at once. */
const selectionSize = 500;

/** Which inputs the expression picks; an outcome where it gives no answer for one. */
export async function selectInThread(
  threads: EngineThreads,
  expression: string,
  inputs: readonly EngineInput[],
  signal: AbortSignal,
): Promise<(boolean | NoAnswer)[]> {
  const overruns = countOverruns(signal);
  const select = async (some: readonly EngineInput[]): Promise<(boolean | NoAnswer)[]> => {
    const given = overruns.outcomeOf(expression);
    if (given !== null) return some.map(() => given);
    if (some.length === 0) return [];
    const result = await threads.run("select", { expression, inputs: [...some] });
    if (!isOverrun(result)) return result;
    // What stands before and behind the one that overran is selected again without it.
    const at = Math.min(result.step, some.length - 1);
    const before = await select(some.slice(0, at));
    const outcome = overruns.add(expression, overrunOutcome(result));
    return [...before, outcome, ...(await select(some.slice(at + 1)))];
  };
  const found: (boolean | NoAnswer)[] = [];
  for (let from = 0; from < inputs.length; from += selectionSize)
    found.push(...(await select(inputs.slice(from, from + selectionSize))));
  return found;
}

export async function inParallel(
  items: readonly number[],
  width: number,
  work: (item: number) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const runner = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, runner));
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

export const overrunOutcome = ({ overrun }: Overrun): NoAnswer =>
  overrun === "time"
    ? { ok: false, reason: "timeout", message: "The evaluation took longer than its limit." }
    : { ok: false, reason: "limit", message: "The evaluation needed more memory than its limit." };
