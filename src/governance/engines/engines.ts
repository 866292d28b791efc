/** All engines behind one interface. */
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { AskAgent } from "../ports.ts";
import { checkAssertion, checkSelection } from "./cel.ts";
import { openCueThread, type CueThread } from "./cue/thread.ts";
import type { EngineInput, EngineJob, EngineOutcome, PolicyEngines, SpecProblem } from "./engine.ts";
import type { LocalJob } from "./jobs.ts";
import { outcomesWithin } from "./limits.ts";
import {
  evaluateInThreads,
  inParallel,
  isOverrun,
  openThreads,
  overrunOutcome,
  selectInThread,
  type EngineThreads,
  type ThreadLimits,
} from "./local.ts";
import { checkModel, evaluateByModel } from "./model.ts";
import { countOverruns, endedOutcome, orAborted } from "./overruns.ts";
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
  const callers: Callers = { outbound, cueThread, agents };
  return {
    async check({ kind, spec, sight }) {
      if (spec.engine === "cel") return checkAssertion(kind, spec.assert, sight);
      if (spec.engine === "json-schema") return checkInThread(threads, spec.schema);
      if (spec.engine === "remote") return checkRemote(spec, outbound);
      if (spec.engine === "cue" && cueThread) return cueThread.check(spec.script);
      if (spec.engine === "model" && agents) return checkModel(agents, spec);
      return [notAllowed(spec.engine)];
    },
    checkSelect: checkSelection,
    select(expression, inputs, signal) {
      const late = inputs.map(() => endedOutcome);
      return orAborted(selectInThread(threads, expression, inputs, signal), signal, late);
    },
    async evaluate(inputs, jobs, signal) {
      const outcomes: (EngineOutcome | undefined)[] = Array.from({ length: jobs.length });
      const places = placesByEngine(jobs);
      const within = outcomesWithin();
      const answer = (at: number, outcome: EngineOutcome): void => void (outcomes[at] = outcome);
      const call = callerOf(callers, { inputs, signal });
      const callEach = (some: readonly number[], width: number): Promise<void> =>
        inParallel(some, width, async (at) => answer(at, within(await call(jobs[at]!))));
      const work = Promise.all([
        evaluateInThreads(
          threads,
          inputs,
          places.local.map((at) => jobs[at] as LocalJob),
          {
            signal,
            width: limits.threads,
            within,
            answer: (place, outcome) => answer(places.local[place]!, outcome),
          },
        ),
        callEach(places.remote, remoteCalls),
        // One after the other, as its only thread takes them: others wait behind no more than one.
        callEach(places.cue, 1),
        callEach(places.model, modelCalls),
      ]);
      await orAborted(work, signal, null);
      return jobs.map((_, at) => outcomes[at] ?? endedOutcome);
    },
    async close() {
      await Promise.all([threads.close(), cueThread?.close()]);
    },
  };
}

/** What answers besides the threads for expressions and schemas. */
interface Callers {
  outbound: Outbound;
  cueThread: CueThread | null;
  agents: AskAgent | undefined;
}

/** Outcomes that count as overruns: the limits of the others are those of one resource, not of the policy. */
const overrunReasons: Readonly<Record<string, readonly string[]>> = {
  remote: ["timeout"],
  cue: ["timeout", "limit"],
  model: ["timeout"],
};

/** Evaluates one job after the other; a policy that has overrun too often is not asked again. */
function callerOf(
  callers: Callers,
  { inputs, signal }: { inputs: readonly EngineInput[]; signal: AbortSignal },
): (job: EngineJob) => Promise<EngineOutcome> {
  const overruns = countOverruns(signal);
  return async (job) => {
    const given = overruns.outcomeOf(job.key);
    if (given !== null) return given;
    const outcome = await callOne(callers, job, { input: inputs[job.input]!, signal });
    const isLate = !outcome.ok && overrunReasons[job.spec.engine]?.includes(outcome.reason);
    return isLate === true ? overruns.add(job.key, outcome) : outcome;
  };
}

async function callOne(
  { outbound, cueThread, agents }: Callers,
  { kind, spec, id }: EngineJob,
  { input, signal }: { input: EngineInput; signal: AbortSignal },
): Promise<EngineOutcome> {
  if (spec.engine === "remote") return evaluateRemotely(outbound, { kind, spec, input, id }, signal);
  if (spec.engine === "cue" && cueThread) return cueThread.evaluate({ kind, input, script: spec.script });
  if (spec.engine === "model" && agents) return evaluateByModel(agents, { kind, spec, input }, signal);
  return unreachable(spec.engine);
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

async function checkInThread(threads: EngineThreads, schema: unknown): Promise<SpecProblem[]> {
  const found = await threads.run("check", { schema });
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
