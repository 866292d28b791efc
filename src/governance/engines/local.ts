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

/** A policy that overruns so often in one evaluation has the same outcome for all that is left of it. */
const maxOverruns = 3;

type NoAnswer = EngineOutcome & { ok: false };

interface EvaluationOptions {
  /** Nothing more is sent to the threads once it is aborted. */
  signal: AbortSignal;
  /** Batches of this evaluation that are in the threads or wait for them: others' evaluations wait behind no more. */
  width: number;
  /** Cuts what an outcome says, as soon as it is there. */
  within: (outcome: EngineOutcome) => EngineOutcome;
}

export async function evaluateInThreads(
  threads: EngineThreads,
  inputs: readonly EngineInput[],
  jobs: readonly LocalJob[],
  { signal, width, within }: EvaluationOptions,
): Promise<EngineOutcome[]> {
  const overruns = countOverruns(signal);
  const run = async (some: readonly LocalJob[]): Promise<EngineOutcome[] | Overrun> => {
    const result = await threads.run("evaluate", batchOf(inputs, some));
    return isOverrun(result) ? result : result.map(within);
  };
  const batches: EngineOutcome[][] = [];
  const starts = Array.from({ length: Math.ceil(jobs.length / batchSize) }, (_, at) => at);
  await inParallel(starts, width, async (at) => {
    const some = jobs.slice(at * batchSize, (at + 1) * batchSize);
    batches[at] = await evaluateBatch(run, some, overruns);
  });
  return batches.flat();
}

/** An evaluation that overruns costs only itself: what stands before and behind it is evaluated again without it. */
async function evaluateBatch(
  run: (jobs: readonly LocalJob[]) => Promise<EngineOutcome[] | Overrun>,
  jobs: readonly LocalJob[],
  overruns: Overruns,
): Promise<EngineOutcome[]> {
  const asked = jobs.filter(({ key }) => overruns.outcomeOf(key) === null);
  if (asked.length < jobs.length) {
    const answered = jobs.map(({ key }) => overruns.outcomeOf(key));
    const found = (await evaluateBatch(run, asked, overruns)).values();
    return answered.map((outcome) => outcome ?? found.next().value!);
  }
  if (jobs.length === 0) return [];
  const result = await run(jobs);
  if (!isOverrun(result)) return result;
  const at = Math.min(result.step, jobs.length - 1);
  return [
    ...(await evaluateBatch(run, jobs.slice(0, at), overruns)),
    overruns.add(jobs[at]!.key, overrunOutcome(result)),
    ...(await evaluateBatch(run, jobs.slice(at + 1), overruns)),
  ];
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

interface Overruns {
  add(key: string, outcome: NoAnswer): NoAnswer;
  /** What a job has as its outcome without being run; null for one that is to be run. */
  outcomeOf(key: string): NoAnswer | null;
}

/** The overruns of one evaluation. */
export function countOverruns(signal: AbortSignal): Overruns {
  const found = new Map<string, { count: number; outcome: NoAnswer }>();
  return {
    add(key, outcome) {
      found.set(key, { count: (found.get(key)?.count ?? 0) + 1, outcome });
      return outcome;
    },
    outcomeOf(key) {
      if (signal.aborted) return endedOutcome;
      const of = found.get(key);
      return of !== undefined && of.count >= maxOverruns ? of.outcome : null;
    },
  };
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

/** Of what was not evaluated because nobody waits for it any more. */
const endedOutcome: NoAnswer = {
  ok: false,
  reason: "timeout",
  message: "The evaluation was ended.",
};
