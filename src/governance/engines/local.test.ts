/** What is sent to the threads; the threads of these tests count and answer by name. */
import { expect, it } from "vitest";
import type { EngineInput, EngineOutcome } from "./engine.ts";
import type { JobBatch, LocalJob } from "./jobs.ts";
import { evaluateInThreads, selectInThread, type EngineThreads } from "./local.ts";

const input: EngineInput = {
  resource: {},
  environment: "development",
  resourceType: "storage",
  resourceId: "x",
};
const jobsOf = (key: string, count: number): LocalJob[] =>
  Array.from({ length: count }, () => ({
    key,
    kind: "policy",
    spec: { engine: "cel", assert: key },
    input: 0,
  }));
const holds: EngineOutcome = { ok: true, satisfied: true, errors: [] };
const late: EngineOutcome = { ok: false, reason: "timeout", message: expect.any(String) as string };

/** Threads that overrun at the first job of the key "loops". `onRun` gets the number of the batch. */
function countingThreads(onRun: (run: number) => void = () => undefined) {
  const seen = { runs: 0, overruns: 0 };
  const run = async (_kind: string, { policies, policyOf }: JobBatch) => {
    onRun(++seen.runs);
    // As in threads: the answer comes later.
    await new Promise((next) => setImmediate(next));
    const step = policyOf.findIndex((policy) => policies[policy]?.key === "loops");
    if (step < 0) return policyOf.map(() => holds);
    seen.overruns++;
    return { overrun: "time", step };
  };
  const threads = { run, close: async () => undefined } as unknown as EngineThreads;
  return { threads, seen };
}

async function evaluate(
  threads: EngineThreads,
  jobs: readonly LocalJob[],
  signal = new AbortController().signal,
): Promise<EngineOutcome[]> {
  const outcomes: EngineOutcome[] = [];
  await evaluateInThreads(threads, [input], jobs, {
    signal,
    width: 2,
    within: (outcome) => outcome,
    answer(place, outcome) {
      outcomes[place] = outcome;
    },
  });
  return outcomes;
}

it("a policy that overran three times in an evaluation is not run again, and has the same outcome everywhere", async () => {
  const { threads, seen } = countingThreads();
  const jobs = [...jobsOf("holds", 3), ...jobsOf("loops", 2_000), ...jobsOf("holds", 3)];
  const outcomes = await evaluate(threads, jobs);
  expect(outcomes).toEqual(jobs.map(({ key }) => (key === "loops" ? late : holds)));
  // Batches that are in other threads at that time overrun once more.
  expect(seen.overruns).toBeLessThanOrEqual(4);
  expect(seen.runs).toBeLessThanOrEqual(12);
});

it("an evaluation that is aborted sends nothing more, so that the next one is answered", async () => {
  const abort = new AbortController();
  const { threads, seen } = countingThreads((run) => {
    if (run === 2) abort.abort();
  });
  const loops = evaluate(threads, jobsOf("loops", 2_000), abort.signal);
  const next = await evaluate(threads, jobsOf("holds", 1));
  expect(next).toEqual([holds]);
  expect(await loops).toEqual(Array.from({ length: 2_000 }, () => late));
  expect(seen.runs).toBe(3);
});

it("an evaluation has no more batches in the threads at once than there are threads", async () => {
  let most = 0;
  let running = 0;
  const threads = {
    run: async (_kind: string, { policyOf }: JobBatch) => {
      most = Math.max(most, ++running);
      await new Promise((next) => setImmediate(next));
      running--;
      return policyOf.map(() => holds);
    },
  } as unknown as EngineThreads;
  const jobs = jobsOf("holds", 3_000);
  const outcomes = await evaluate(threads, jobs);
  expect(outcomes).toEqual(jobs.map(() => holds));
  expect(most).toBe(2);
});

it("an expression that overran three times in a selection is not run again, nor one that is aborted", async () => {
  const abort = new AbortController();
  let runs = 0;
  const threads = {
    async run() {
      runs++;
      return { overrun: "time", step: 0 };
    },
  } as unknown as EngineThreads;
  const inputs = Array.from({ length: 1_200 }, () => input);
  const all = inputs.map(() => late);
  expect(await selectInThread(threads, "loops", inputs, abort.signal)).toEqual(all);
  expect(runs).toBe(3);
  abort.abort();
  expect(await selectInThread(threads, "other", inputs, abort.signal)).toEqual(all);
  expect(runs).toBe(3);
});
