/** The compliance of a unit: the latest results of what is deployed of it, and its last evaluations. */
import type { GovernanceContext } from "../context.ts";
import { governanceFailure } from "../errors.ts";
import { idKey } from "../evaluations/resources.ts";
import { resultView, type ResultRow } from "../evaluations/result-row.ts";
import { countOutcomes } from "../evaluations/verdict.ts";
import type { Compliance } from "./schema.ts";
import { historyOfUnit, lastEvaluated, latestResults } from "./store.ts";

const maxResults = 10_000;
const maxHistory = 50;

export async function readCompliance(
  ctx: GovernanceContext,
  { unitId, environment }: { unitId: string; environment: string },
): Promise<Compliance> {
  const { database, deployedUnits, policies } = ctx.governance;
  const { db } = database;
  const at = { unitKey: idKey(unitId), environment };
  const found = await deployedUnits.find({ id: unitId, environment });
  // The id may be that of a component.
  const unit = found !== null && idKey(found.unitId) === at.unitKey ? found : null;
  const resourceKeys =
    unit === null ? await lastEvaluated(db, at) : deployedKeys(at.unitKey, unit.deployedIds);
  if (unit === null && resourceKeys.length === 0) throw unknownUnit(unitId, environment);
  const policyIds = (await policies.inForce()).map(({ policy }) => policy.id);
  const shown = await latestResults(db, { environment, resourceKeys, policyIds }, maxResults);
  const history = await historyOfUnit(db, at, maxHistory);
  return {
    unitId: unit?.unitId ?? unitId,
    environment,
    summary: summaryOf(shown),
    policies: shown.map(resultView),
    history: history.map(
      ({ at: time, ...row }) => ({ ...row, at: time.toISOString() }) as Compliance["history"][number],
    ),
  };
}

/** Keys of what is deployed of a unit: nothing, or some components and the unit itself. */
const deployedKeys = (unitKey: string, deployedIds: readonly string[]): string[] =>
  deployedIds.length === 0 ? [] : [...new Set([unitKey, ...deployedIds.map(idKey)])];

function summaryOf(results: readonly ResultRow[]): Compliance["summary"] {
  const counts = countOutcomes(results);
  const last = results.reduce<Date | null>(
    (latest, { at }) => (latest !== null && latest > at ? latest : at),
    null,
  );
  const isCompliant = !results.some(
    ({ outcome, blocking }) => outcome === "error" || (outcome === "failed" && blocking),
  );
  return { isCompliant, ...counts, evaluatedAt: last?.toISOString() ?? null };
}

const unknownUnit = (unitId: string, environment: string) =>
  governanceFailure("CGP_UNIT_NOT_FOUND", {
    message: `The unit ${unitId} is not deployed in ${environment}, and was never evaluated there.`,
    where: "id",
    input: unitId,
  });
