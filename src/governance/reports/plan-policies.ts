/** Evaluates the policies of deployments for plans, validations and previews of the coordinator. */
import type { Database } from "../../platform/db/database.ts";
import { newId } from "../../platform/lib/ids.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import { evaluatePolicies, type EvaluationDeps, type TimeLimits } from "../evaluations/evaluate.ts";
import type { ApprovedException, EvaluatedPolicy } from "../evaluations/policy.ts";
import { resourcesOfUnit } from "../evaluations/resources.ts";
import { resultRow, resultView, type ResultRow } from "../evaluations/result-row.ts";
import { countOutcomes, countsAs, type Outcome } from "../evaluations/verdict.ts";
import { insertResults } from "../results/store.ts";
import type { EvaluationReport } from "./schema.ts";

export interface PlanPoliciesDeps extends EvaluationDeps {
  database: Database;
  /** Active deployment policies in force in the environment. */
  readForDeployments: (environment: string) => Promise<readonly EvaluatedPolicy[]>;
  /** What callers get for an error of the database that passes; undefined for any other. */
  failureOf: (error: unknown) => Error | undefined;
}

export interface PlanRequest {
  unitId: string;
  environment: string;
  descriptor: object;
  /** What was deployed last; null before the first deployment. */
  previous: object | null;
  /** Ids of the components to be deployed; the unit itself is always evaluated. */
  componentIds: readonly string[];
  scope: "validation" | "preview" | "plan";
  /** How long the caller waits. */
  withinMs: number;
}

export interface PlanResult {
  policyId: string;
  policyVersion: number;
  policyName: string;
  resourceId: string;
  outcome: Outcome;
  blocking: boolean;
  errors: readonly { path?: string; message: string }[];
  advice: string | null;
}

export interface PlanVerdict {
  /** Changes whenever a policy that applies in the environment does, or an exception of one. */
  fingerprint: string;
  results: PlanResult[];
  report: EvaluationReport;
}

export interface PlanPolicies {
  /** Stores the results of plans; those of previews and validations are about what may never be deployed. */
  evaluate(ctx: RequestContext, request: PlanRequest): Promise<PlanVerdict>;
  fingerprint(ctx: RequestContext, environment: string): Promise<string>;
}

export function createPolicies(deps: PlanPoliciesDeps): PlanPolicies {
  const available = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw deps.failureOf(error) ?? error;
    });
  return {
    evaluate: (ctx, request) => available(evaluate(deps, ctx, request)),
    fingerprint: (ctx, environment) => available(readFingerprint(deps, environment, ctx.now())),
  };
}

async function evaluate(
  deps: PlanPoliciesDeps,
  ctx: RequestContext,
  request: PlanRequest,
): Promise<PlanVerdict> {
  const { environment, unitId, componentIds, previous, scope } = request;
  const timeLimits = timeLimitsOf(request);
  const descriptor = request.descriptor as Record<string, unknown>;
  const policies = await deps.readForDeployments(environment);
  const resources = resourcesOfUnit({ descriptor, previous, environment, componentIds, unitId });
  const now = ctx.now();
  const id = newId();
  const evaluated = await evaluatePolicies(deps, {
    policies,
    resources,
    now,
    signal: ctx.signal,
    timeLimits,
    runId: id,
  });
  const rows = evaluated.map((each) => resultRow(each, now, "plan"));
  if (scope === "plan") await insertResults(deps.database.db, rows);
  return {
    fingerprint: fingerprintOf(policies, await deps.readExceptions(now), { environment, now }),
    results: rows.map(planResult),
    report: reportOf(id, environment, rows, now),
  };
}

/** Parts of the caller's time after which nothing more is waited for; what is left is for the database. */
const enginesShare = 0.8;
const exceptionsShare = 0.9;

const timeLimitsOf = ({ withinMs }: PlanRequest): TimeLimits => ({
  engines: AbortSignal.timeout(Math.floor(withinMs * enginesShare)),
  exceptions: AbortSignal.timeout(Math.floor(withinMs * exceptionsShare)),
});

const planResult = (row: ResultRow): PlanResult => ({
  policyId: row.policyId,
  policyVersion: row.policyVersion,
  policyName: row.policyName,
  resourceId: row.resourceId,
  outcome: row.outcome,
  blocking: row.blocking,
  errors: row.errors,
  advice: row.advice,
});

async function readFingerprint(deps: PlanPoliciesDeps, environment: string, now: Date): Promise<string> {
  const policies = await deps.readForDeployments(environment);
  return fingerprintOf(policies, await deps.readExceptions(now), { environment, now });
}

/**
 * A line for each policy, with its version and whether it warns or blocks, and for each exception of one. Empty when there is
 * no policy.
 */
export function fingerprintOf(
  policies: readonly EvaluatedPolicy[],
  exceptions: readonly ApprovedException[],
  { environment, now }: { environment: string; now: Date },
): string {
  const ids = new Set(policies.map(({ id }) => id));
  const excused = exceptions.filter(
    ({ policyId, environments }) =>
      ids.has(policyId) && (environments.length === 0 || environments.includes(environment)),
  );
  return [
    ...policies.map((policy) => `${policy.id}@${policy.version} ${countsAs(policy, now)}`),
    ...excused.map(({ id, policyId }) => `${policyId} excused by ${id}`),
  ]
    .toSorted()
    .join("\n");
}

/** Longer reports leave out what is ok. */
const maxListed = 1_000;

function reportOf(id: string, environment: string, rows: readonly ResultRow[], now: Date): EvaluationReport {
  const listed =
    rows.length > maxListed ? rows.filter(({ outcome }) => outcome !== "ok").slice(0, maxListed) : rows;
  const at = now.toISOString();
  return {
    id,
    status: "completed",
    evaluationScope: "unit",
    environment,
    summary: countOutcomes(rows),
    evaluationResults: listed.map(resultView),
    createdAt: at,
    endedAt: at,
  };
}
