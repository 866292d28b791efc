/** All engines behind one interface. */
import type { Outbound } from "../../platform/outbound/outbound.ts";
import { checkExpression, checkSpec } from "./cel.ts";
import type { EngineInput, EngineJob, EngineOutcome, PolicyEngines, SpecProblem } from "./engine.ts";
import type { LocalJob, LocalSpec } from "./jobs.ts";
import {
  evaluateInThreads,
  isOverrun,
  openThreads,
  overrunOutcome,
  type EngineThreads,
  type ThreadLimits,
} from "./local.ts";
import { checkRemote, evaluateRemotely } from "./remote.ts";

export interface EngineOptions extends ThreadLimits {
  /** For remote engines. */
  outbound: Outbound;
}

/** Calls of remote engines at a time. */
const remoteCalls = 16;

export function createEngines({ outbound, ...limits }: EngineOptions): PolicyEngines {
  const threads = openThreads(limits);
  return {
    async check(kind, spec) {
      if (spec.engine === "cel") return checkSpec(kind, spec.assert);
      if (spec.engine === "json-schema") return checkInThread(threads, spec);
      if (spec.engine === "remote") return checkRemote(spec, outbound);
      return [notAvailable(spec.engine)];
    },
    checkSelect: (expression) => checkExpression(expression, { path: "select", purpose: "selection" }),
    select: (expression, inputs) => selectInThread(threads, expression, inputs),
    async evaluate(inputs, jobs, signal) {
      const outcomes: EngineOutcome[] = jobs.map(({ spec }) => ({
        ok: false,
        reason: "unreachable",
        message: `The engine ${spec.engine} is not available here.`,
      }));
      const local = indexesOf(jobs, ({ spec }) => spec.engine === "cel" || spec.engine === "json-schema");
      const remote = indexesOf(jobs, ({ spec }) => spec.engine === "remote");
      await Promise.all([
        evaluateInThreads(
          threads,
          inputs,
          local.map((at) => jobs[at] as LocalJob),
        ).then((found) => found.forEach((outcome, n) => (outcomes[local[n]!] = outcome))),
        inParallel(remote, remoteCalls, async (at) => {
          const { kind, spec, input, id } = jobs[at]!;
          if (spec.engine !== "remote") return;
          outcomes[at] = await evaluateRemotely(outbound, { kind, spec, input: inputs[input]!, id }, signal);
        }),
      ]);
      return outcomes;
    },
    close: () => threads.close(),
  };
}

const indexesOf = (jobs: readonly EngineJob[], fits: (job: EngineJob) => boolean): number[] =>
  jobs.flatMap((job, at) => (fits(job) ? [at] : []));

async function inParallel(
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

async function checkInThread(threads: EngineThreads, spec: LocalSpec): Promise<SpecProblem[]> {
  const found = await threads.run("check", { spec });
  if (!isOverrun(found)) return found;
  const { message } = overrunOutcome(found);
  return [{ path: "spec", message, solution: "Make it smaller." }];
}

/** Inputs that are sent to a thread at once. */
const selectionSize = 500;

async function selectInThread(
  threads: EngineThreads,
  expression: string,
  inputs: readonly EngineInput[],
): ReturnType<PolicyEngines["select"]> {
  const found: Awaited<ReturnType<PolicyEngines["select"]>> = [];
  for (let from = 0; from < inputs.length;) {
    const some = inputs.slice(from, from + selectionSize);
    const result = await threads.run("select", { expression, inputs: some });
    if (!isOverrun(result)) {
      found.push(...result);
      from += some.length;
      continue;
    }
    // What stands before the one that overran is selected again without it.
    const at = Math.min(result.step, some.length - 1);
    found.push(...(await selectInThread(threads, expression, some.slice(0, at))), overrunOutcome(result));
    from += at + 1;
  }
  return found;
}

const notAvailable = (engine: string): SpecProblem => ({
  path: "engine",
  message: `The engine ${engine} is not available in this installation.`,
  solution: "Use cel, json-schema or remote.",
});
