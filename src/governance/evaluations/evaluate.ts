/** Evaluates policies over resources in one batch of the engines. */
import {
  sightOf,
  type EngineInput,
  type EngineJob,
  type EngineOutcome,
  type PolicyEngines,
  type Sight,
} from "../engines/engine.ts";
import type { ApprovedException, EvaluatedPolicy, Resource } from "./policy.ts";
import { isAbout, isCandidate, verdictOf, type Verdict } from "./verdict.ts";

export interface EvaluationDeps {
  engines: Pick<PolicyEngines, "evaluate" | "select">;
  /** Approved exceptions that have not ended. */
  readExceptions: (now: Date) => Promise<readonly ApprovedException[]>;
}

export interface EvaluationRequest {
  policies: readonly EvaluatedPolicy[];
  /** All of them in one environment. */
  resources: readonly Resource[];
  now: Date;
  signal: AbortSignal;
  /** Absent where the engines have all the time that they take. */
  timeLimits?: TimeLimits;
  /** The same for each repetition of the same evaluation; remote engines recognise a repetition by it. */
  runId: string;
}

/** Aborted when that time is over. What has no answer by then is a timeout: the others' answers count. */
export interface TimeLimits {
  engines: AbortSignal;
  /** Of the expressions of exceptions, which are asked after the engines. */
  exceptions: AbortSignal;
}

export interface Evaluated {
  policy: EvaluatedPolicy;
  resource: Resource;
  verdict: Verdict;
}

interface Pair {
  policy: EvaluatedPolicy;
  resource: Resource;
  /** Position of the resource in the request. */
  index: number;
  /** The answer; null until the engines have given it. */
  outcome: EngineOutcome | null;
}

/** One entry for each policy and each resource that it is about, in the order of the resources. */
export async function evaluatePolicies(
  deps: EvaluationDeps,
  request: EvaluationRequest,
): Promise<Evaluated[]> {
  const { policies, resources, now, signal, timeLimits } = request;
  const within = (limit: AbortSignal | undefined) => ({
    ...request,
    signal: limit === undefined ? signal : AbortSignal.any([signal, limit]),
  });
  const inTime = within(timeLimits?.engines);
  const about = resources.flatMap((resource, index) =>
    policies
      .filter((policy) => isAbout(policy, resource))
      .map((policy): Pair => ({ policy, resource, index, outcome: null })),
  );
  const pairs = await selectPairs(deps, about, inTime.signal);
  await evaluatePairs(deps, pairs, inTime);
  const wrong = pairs.filter(({ outcome }) => outcome?.ok !== true || outcome.satisfied === false);
  const excused = await findExcused(deps, wrong, within(timeLimits?.exceptions));
  // What the engines have not evaluated or selected by then is no result.
  signal.throwIfAborted();
  return pairs.map((pair) => {
    const { policy, resource, outcome } = pair;
    if (outcome === null) throw new Error("The engines have left out a job.");
    const exception = excused.get(pair) ?? null;
    return { policy, resource, verdict: verdictOf({ policy, outcome, exception, now }) };
  });
}

/** Without the pairs that the policy's own expression leaves out. One that fails for a resource is the answer for it. */
async function selectPairs(
  deps: EvaluationDeps,
  pairs: readonly Pair[],
  signal: AbortSignal,
): Promise<Pair[]> {
  const asked = Map.groupBy(
    pairs.filter(({ policy }) => policy.select !== null),
    ({ policy }) => policy,
  );
  const leftOut = new Set<Pair>();
  for (const [policy, own] of asked) {
    const answers = await deps.engines.select(
      policy.select ?? "",
      own.map(({ resource }) => inputOf(resource)),
      signal,
    );
    for (const [place, pair] of own.entries()) {
      const answer = answers[place];
      if (typeof answer === "object") pair.outcome = answer;
      else if (answer !== true) leftOut.add(pair);
    }
  }
  return pairs.filter((pair) => !leftOut.has(pair));
}

async function evaluatePairs(
  { engines }: EvaluationDeps,
  pairs: readonly Pair[],
  { signal, runId }: EvaluationRequest,
): Promise<void> {
  const inputs: EngineInput[] = [];
  const places = new Map<string, number>();
  /** Policies that see the same of a resource share its input. */
  const placeOf = ({ policy, resource, index }: Pair): number => {
    const sight = sightOf(policy);
    const key = `${index} ${sight.seesUnit} ${sight.compares}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    const place = inputs.push(inputOf(resource, sight)) - 1;
    places.set(key, place);
    return place;
  };
  const open = pairs.filter(({ outcome }) => outcome === null);
  if (open.length === 0) return;
  const jobs = open.map((pair): EngineJob => {
    const { id, version, kind, spec } = pair.policy;
    const key = `${id}@${version}`;
    return { key, kind, spec, input: placeOf(pair), id: `${runId}:${key}:${pair.index}` };
  });
  const outcomes = await engines.evaluate(inputs, jobs, signal);
  for (const [place, pair] of open.entries()) pair.outcome = outcomes[place] ?? null;
}

function inputOf(
  resource: Resource,
  { seesUnit, compares }: Sight = { seesUnit: false, compares: false },
): EngineInput {
  const { descriptor, original, unit, environment, resourceType, id } = resource;
  const input: EngineInput = { resource: descriptor, environment, resourceType, resourceId: id };
  if (seesUnit && unit !== undefined) input.unit = unit;
  if (compares) Object.assign(input, { original, current: descriptor });
  return input;
}

/** The exceptions that excuse what is wrong; read only where something is. */
export async function findExcused<P extends Pick<Pair, "policy" | "resource">>(
  {
    engines,
    readExceptions,
  }: Pick<EvaluationDeps, "readExceptions"> & { engines: Pick<PolicyEngines, "select"> },
  wrong: readonly P[],
  { now, signal }: Pick<EvaluationRequest, "now" | "signal">,
): Promise<Map<P, ApprovedException>> {
  const excused = new Map<P, ApprovedException>();
  if (wrong.length === 0) return excused;
  for (const exception of await readExceptions(now)) {
    const candidates = wrong.filter(
      (pair) =>
        !excused.has(pair) &&
        isCandidate(exception, { policyId: pair.policy.id, resource: pair.resource, now }),
    );
    if (candidates.length === 0) continue;
    const { select } = exception;
    const inputs = candidates.map(({ resource }) => inputOf(resource));
    // An expression that fails excuses nothing.
    const chosen = select === null ? null : await engines.select(select, inputs, signal);
    for (const [place, pair] of candidates.entries())
      if (chosen === null || chosen[place] === true) excused.set(pair, exception);
  }
  return excused;
}
