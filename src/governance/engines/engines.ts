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
import { openCueThread } from "./cue/thread.ts";
import { checkModel, evaluateByModel } from "./model.ts";
import type { AskAgent } from "../ports.ts";
import { checkRemote, evaluateRemotely } from "./remote.ts";

export interface EngineOptions extends ThreadLimits {
  /** For remote engines. */
  outbound: Outbound;
  /** Whether policies in CUE are allowed. */
  cue?: boolean;
  /** Who judges policies of the engine model; none where those are not allowed. */
  agents?: AskAgent | undefined;
}

/** Calls of remote engines at a time, and questions to agents. */
const remoteCalls = 16;
const modelCalls = 4;

export function createEngines({ outbound, cue = false, agents, ...limits }: EngineOptions): PolicyEngines {
  const threads = openThreads(limits);
  const cueThread = cue ? openCueThread(limits) : null;
  return {
    async check(kind, spec) {
      if (spec.engine === "cel") return checkSpec(kind, spec.assert);
      if (spec.engine === "json-schema") return checkInThread(threads, spec);
      if (spec.engine === "remote") return checkRemote(spec, outbound);
      if (spec.engine === "cue" && cueThread) return cueThread.check(spec.script);
      if (spec.engine === "model" && agents) return checkModel(agents, spec);
      return [notAllowed(spec.engine)];
    },
    checkSelect: (expression) => checkExpression(expression, { path: "select", purpose: "selection" }),
    select: (expression, inputs) => selectInThread(threads, expression, inputs),
    async evaluate(inputs, jobs, signal) {
      const places = placesByEngine(jobs);
      const outcomes: (EngineOutcome | undefined)[] = Array.from({ length: jobs.length });
      await Promise.all([
        evaluateInThreads(
          threads,
          inputs,
          places.local.map((at) => jobs[at] as LocalJob),
        ).then((found) => found.forEach((outcome, n) => (outcomes[places.local[n]!] = outcome))),
        inParallel(places.remote, remoteCalls, async (at) => {
          const { kind, spec, input, id } = jobs[at]!;
          if (spec.engine !== "remote") return;
          outcomes[at] = await evaluateRemotely(outbound, { kind, spec, input: inputs[input]!, id }, signal);
        }),
        ...places.cue.map(async (at) => {
          const { kind, spec, input } = jobs[at]!;
          if (spec.engine !== "cue" || cueThread === null) return;
          outcomes[at] = await cueThread.evaluate({ kind, input: inputs[input]!, script: spec.script });
        }),
        inParallel(places.model, modelCalls, async (at) => {
          const { kind, spec, input } = jobs[at]!;
          if (spec.engine !== "model" || agents === undefined) return;
          outcomes[at] = await evaluateByModel(agents, { kind, spec, input: inputs[input]! }, signal);
        }),
      ]);
      return outcomes.map((outcome, at) => outcome ?? unreachable(jobs[at]!.spec.engine));
    },
    async close() {
      await Promise.all([threads.close(), cueThread?.close()]);
    },
  };
}

type Place = "local" | "remote" | "cue" | "model";

/** Where the jobs stand, by what evaluates them. */
function placesByEngine(jobs: readonly EngineJob[]): Readonly<Record<Place, number[]>> {
  const places: Record<Place, number[]> = { local: [], remote: [], cue: [], model: [] };
  for (const [at, { spec }] of jobs.entries()) {
    const isLocal = spec.engine === "cel" || spec.engine === "json-schema";
    places[isLocal ? "local" : spec.engine].push(at);
  }
  return places;
}

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

const unreachable = (engine: string): EngineOutcome => ({
  ok: false,
  reason: "unreachable",
  message: notAllowed(engine).message,
});

const notAllowed = (engine: string): SpecProblem => ({
  path: "engine",
  message: `Policies of the engine ${engine} are not allowed in this installation.`,
  solution: `Have an operator set governance.engines.${engine}, or use cel, json-schema or remote.`,
});
