/** Lists results, and takes results that others push. */
import { isDeepStrictEqual } from "node:util";
import { inTransaction } from "../../platform/db/database.ts";
import { isCursorTime, pageOf, readPageCursor } from "../../platform/lib/page-cursor.ts";
import type { GovernanceContext } from "../context.ts";
import { governanceFailure } from "../errors.ts";
import { cappedErrors } from "../engines/limits.ts";
import { findExcused } from "../evaluations/evaluate.ts";
import type { EvaluatedPolicy, Resource } from "../evaluations/policy.ts";
import { idKey, resourcesOfUnit } from "../evaluations/resources.ts";
import { domainOf, resultView, type ResultRow } from "../evaluations/result-row.ts";
import { countsAs, labelOf, type Outcome } from "../evaluations/verdict.ts";
import { unknownPolicy } from "../policies/service.ts";
import { readTime } from "../policies/times.ts";
import type { CountQuery, PushedResult, ResultList, ResultsQuery } from "./schema.ts";
import {
  countResults,
  findKnownResource,
  insertLatest,
  listResults as readPage,
  type KnownResource,
  type ResultFilter,
  type ResultPlace,
  type StoredFinding,
} from "./store.ts";

export async function listResults(ctx: GovernanceContext, query: ResultsQuery): Promise<ResultList> {
  const { limit, cursor } = query;
  const after = cursor === undefined ? null : readCursor(cursor);
  const { db } = ctx.governance.database;
  const rows = await readPage(db, filterOf(query), { limit: limit + 1, after });
  const { page, next } = pageOf(rows, limit, ({ at, policyId, resourceKey, environment }) => [
    at.toISOString(),
    policyId,
    resourceKey,
    environment,
  ]);
  return { data: page.map(resultView), meta: { pagination: { limit, next } } };
}

export const countMatching = async (
  ctx: GovernanceContext,
  query: CountQuery,
): Promise<{ count: number }> => ({
  count: await countResults(ctx.governance.database.db, filterOf(query)),
});

const filterOf = ({ resource, policy, environment, outcome, since }: CountQuery): ResultFilter => ({
  resourceKey: resource === undefined ? undefined : idKey(resource),
  policyId: policy,
  environment,
  outcomes: outcome,
  since: since === undefined ? undefined : readTime(since, "since"),
});

function readCursor(text: string): ResultPlace {
  const [at = "", policyId = "", resourceKey = "", environment = ""] = readPageCursor(text, 4) ?? [];
  if (isCursorTime(at)) return { at, policyId, resourceKey, environment };
  const message = "The cursor is none that the list of results has answered.";
  throw governanceFailure("CGP_INVALID_CURSOR", { message, where: "cursor", input: text });
}

/** False when a later result is there, or another one of the same time. The same result may be sent again. */
export async function pushResult(
  ctx: GovernanceContext,
  pushed: PushedResult,
): Promise<{ accepted: boolean }> {
  const now = ctx.now();
  const at = readTime(pushed.at, "/at");
  if (at.getTime() > now.getTime() + maxAheadMs) throw fromTheFuture(pushed.at);
  const found = await ctx.governance.policies.find(pushed.policyId);
  if (found === null) throw unknownPolicy(pushed.policyId);
  const { policy } = found;
  if (found.trigger !== "passive") throw isActive(pushed.policyId);
  const resource = await findResource(ctx, pushed);
  if (resource === null) throw unknownResource(pushed);
  const exceptionId = await findException(ctx, { policy, resource, pushed, at });
  const row = pushedRow({ policy, resource, pushed, at, exceptionId });
  const isSame = (stored: StoredFinding): boolean =>
    sentAs(stored).includes(pushed.outcome) &&
    stored.value === row.value &&
    isDeepStrictEqual(stored.errors, row.errors);
  const accepted = await inTransaction(ctx.governance.database, (tx) => insertLatest(tx, row, isSame));
  return { accepted };
}

/** The outcomes that its sender may have named: in a grace, and with an exception, an error is stored as a warning. */
function sentAs({ outcome, exceptionId, policyStatus }: StoredFinding): Outcome[] {
  if (outcome !== "warning") return [outcome];
  if (exceptionId !== null) return ["error"];
  return policyStatus === "grace" ? ["warning", "error"] : ["warning"];
}

/** Clocks of others may be ahead of ours by so much. */
const maxAheadMs = 5 * 60_000;

/** With its descriptor where it is deployed. */
type PushedAbout = KnownResource & Partial<Pick<Resource, "descriptor">>;

/** A resource as it is deployed, or else as it was evaluated in the environment before. */
async function findResource(
  ctx: GovernanceContext,
  { resourceId, environment }: PushedResult,
): Promise<PushedAbout | null> {
  const resourceKey = idKey(resourceId);
  const unit = await ctx.governance.deployedUnits.find({ id: resourceId, environment });
  if (unit !== null && unit.deployedIds.length > 0) {
    const resources = resourcesOfUnit({ ...unit, environment, componentIds: unit.deployedIds });
    const found = resources.find(({ id }) => idKey(id) === resourceKey);
    if (found) return { ...found, unitKey: idKey(unit.unitId), domain: domainOf(unit.descriptor) };
  }
  return findKnownResource(ctx.governance.database.db, { resourceKey, environment });
}

interface Pushed {
  policy: EvaluatedPolicy;
  resource: PushedAbout;
  pushed: PushedResult;
  at: Date;
}

/** The id of the exception that excuses an error, if any; exceptions count as they are at the time of the result. */
async function findException(
  ctx: GovernanceContext,
  { policy, resource, pushed, at }: Pushed,
): Promise<string | null> {
  if (pushed.outcome !== "error") return null;
  const { engines, policies } = ctx.governance;
  const { id, displayName, resourceType, descriptor } = resource;
  const about = { id, displayName, resourceType, descriptor, environment: pushed.environment, unitId: null };
  const pair = { policy, resource: about };
  const deps = { engines, readExceptions: (now: Date) => policies.approved(now) };
  // What is pushed is stored with its exception, whether or not anybody still waits for the answer.
  const { signal } = new AbortController();
  const excused = await findExcused(deps, [pair], { now: at, signal });
  return excused.get(pair)?.id ?? null;
}

function pushedRow({
  policy,
  resource,
  pushed,
  at,
  exceptionId,
}: Pushed & { exceptionId: string | null }): ResultRow {
  const { value = null, errors, environment } = pushed;
  const isExcused = pushed.outcome === "error" && (countsAs(policy, at) === "grace" || exceptionId !== null);
  const outcome = isExcused ? "warning" : pushed.outcome;
  return {
    policyId: policy.id,
    policyVersion: policy.version,
    policyKind: policy.kind,
    policyName: policy.name,
    policyStatus: policy.status === "grace" ? countsAs(policy, at) : policy.status,
    resourceKey: idKey(resource.id),
    resourceId: resource.id,
    resourceName: resource.displayName,
    resourceType: resource.resourceType,
    environment,
    unitKey: resource.unitKey,
    domain: resource.domain,
    outcome,
    // What is deployed already is not stopped by what was found later.
    blocking: false,
    isError: outcome === "failed",
    isSatisfied: outcome === "ok",
    value,
    label: value === null ? null : labelOf(policy.thresholds, value),
    // Their texts are others', as those of engines are.
    errors: cappedErrors(errors),
    advice: outcome === "ok" ? null : policy.advice,
    exceptionId,
    source: "pushed",
    at,
  };
}

const unknownResource = ({ resourceId, environment }: PushedResult) =>
  governanceFailure("CGP_RESOURCE_NOT_FOUND", {
    message: `There is no resource ${resourceId} in ${environment}.`,
    where: "/resourceId",
    input: resourceId,
  });

const isActive = (policyId: string) =>
  governanceFailure("CGP_POLICY_NOT_PASSIVE", {
    message: `The policy ${policyId} is evaluated by the platform.`,
    where: "/policyId",
    input: policyId,
  });

const fromTheFuture = (at: string) =>
  governanceFailure("CGP_INVALID_RESULT", {
    message: `The result is of ${at}, which is in the future.`,
    where: "/at",
    solution: "Send the time at which it was found; check the clock of the sender.",
    input: at,
  });
