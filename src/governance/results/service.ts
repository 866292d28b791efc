/** Lists results, and takes results that others push. */
import { inTransaction } from "../../platform/db/database.ts";
import { isCursorTime, pageOf, readPageCursor } from "../../platform/lib/page-cursor.ts";
import type { GovernanceContext } from "../context.ts";
import { governanceFailure } from "../errors.ts";
import type { EvaluatedPolicy } from "../evaluations/policy.ts";
import { idKey, resourcesOfUnit } from "../evaluations/resources.ts";
import { domainOf, resultView, type ResultRow } from "../evaluations/result-row.ts";
import { countsAs, labelOf } from "../evaluations/verdict.ts";
import { unknownPolicy } from "../policies/service.ts";
import type { CountQuery, PushedResult, ResultList, ResultsQuery } from "./schema.ts";
import {
  countResults,
  findKnownResource,
  insertLatest,
  listResults as readPage,
  type KnownResource,
  type ResultFilter,
  type ResultPlace,
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
  since: since === undefined ? undefined : new Date(since),
});

function readCursor(text: string): ResultPlace {
  const [at = "", policyId = "", resourceKey = "", environment = ""] = readPageCursor(text, 4) ?? [];
  if (isCursorTime(at)) return { at, policyId, resourceKey, environment };
  const message = "The cursor is none that the list of results has answered.";
  throw governanceFailure("CGP_INVALID_CURSOR", { message, where: "cursor", input: text });
}

/** False when a later result is there. The same result may be sent again. */
export async function pushResult(
  ctx: GovernanceContext,
  pushed: PushedResult,
): Promise<{ accepted: boolean }> {
  const now = ctx.now();
  const at = new Date(pushed.at);
  if (at.getTime() > now.getTime() + maxAheadMs) throw fromTheFuture(pushed.at);
  const found = await ctx.governance.policies.find(pushed.policyId);
  if (found === null) throw unknownPolicy(pushed.policyId);
  const { policy } = found;
  if (found.trigger !== "passive") throw isActive(pushed.policyId);
  const resource = await findResource(ctx, pushed);
  if (resource === null) throw unknownResource(pushed);
  const row = pushedRow({ policy, resource, pushed, at });
  const accepted = await inTransaction(ctx.governance.database, (tx) => insertLatest(tx, row));
  return { accepted };
}

/** Clocks of others may be ahead of ours by so much. */
const maxAheadMs = 5 * 60_000;

/** A resource that is deployed, or else one that was evaluated in the environment before. */
async function findResource(
  ctx: GovernanceContext,
  { resourceId, environment }: PushedResult,
): Promise<KnownResource | null> {
  const resourceKey = idKey(resourceId);
  const known = await findKnownResource(ctx.governance.database.db, { resourceKey, environment });
  if (known) return known;
  const unit = await ctx.governance.deployedUnits.find({ id: resourceId, environment });
  if (unit === null || unit.deployedIds.length === 0) return null;
  const resources = resourcesOfUnit({ ...unit, environment, componentIds: unit.deployedIds });
  const found = resources.find(({ id }) => idKey(id) === resourceKey);
  return found ? { ...found, unitKey: idKey(unit.unitId), domain: domainOf(unit.descriptor) } : null;
}

interface Pushed {
  policy: EvaluatedPolicy;
  resource: KnownResource;
  pushed: PushedResult;
  at: Date;
}

function pushedRow({ policy, resource, pushed, at }: Pushed): ResultRow {
  const { outcome, value = null, errors, environment } = pushed;
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
    errors,
    advice: outcome === "ok" ? null : policy.advice,
    exceptionId: null,
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
