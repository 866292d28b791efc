/** All engines behind one interface. */
import type { Outbound } from "../../platform/outbound/outbound.ts";
import { checkExpression, checkSpec } from "./cel.ts";
import type { EngineJob, EngineOutcome, PolicyEngines, SpecProblem } from "./engine.ts";
import type { LocalJob, LocalSpec } from "./jobs.ts";
import { outcomesWithin } from "./limits.ts";
import {
  countOverruns,
  evaluateInThreads,
  inParallel,
  isOverrun,
  openThreads,
  overrunOutcome,
  selectInThread,
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

/** Of outcomes in CUE that are overruns. */
const overrunReasons: ReadonlySet<string> = new Set(["timeout", "limit"]);

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
    select: (expression, inputs, signal) => selectInThread(threads, expression, inputs, signal),
    async evaluate(inputs, jobs, signal) {
      const places = placesByEngine(jobs);
      const outcomes: (EngineOutcome | undefined)[] = Array.from({ length: jobs.length });
      const within = outcomesWithin();
      const overruns = countOverruns(signal);
      await Promise.all([
        evaluateInThreads(
          threads,
          inputs,
          places.local.map((at) => jobs[at] as LocalJob),
          { signal, width: limits.threads, within },
        ).then((found) => found.forEach((outcome, n) => (outcomes[places.local[n]!] = outcome))),
        inParallel(places.remote, remoteCalls, async (at) => {
          const { kind, spec, input, id } = jobs[at]!;
          if (spec.engine !== "remote") return;
          const call = { kind, spec, input: inputs[input]!, id };
          outcomes[at] = within(await evaluateRemotely(outbound, call, signal));
        }),
        // One after the other, as its only thread takes them: others wait behind no more than one.
        inParallel(places.cue, 1, async (at) => {
          const { key, kind, spec, input } = jobs[at]!;
          if (spec.engine !== "cue" || cueThread === null) return;
          const job = { kind, input: inputs[input]!, script: spec.script };
          const outcome = overruns.outcomeOf(key) ?? (await cueThread.evaluate(job));
          if (!outcome.ok && overrunReasons.has(outcome.reason)) overruns.add(key, outcome);
          outcomes[at] = within(outcome);
        }),
        inParallel(places.model, modelCalls, async (at) => {
          const { kind, spec, input } = jobs[at]!;
          if (spec.engine !== "model" || agents === undefined) return;
          const job = { kind, spec, input: inputs[input]! };
          outcomes[at] = within(await evaluateByModel(agents, job, signal));
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

async function checkInThread(threads: EngineThreads, spec: LocalSpec): Promise<SpecProblem[]> {
  const found = await threads.run("check", { spec });
  if (!isOverrun(found)) return found;
  const { message } = overrunOutcome(found);
  return [{ path: "spec", message, solution: "Make it smaller." }];
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
