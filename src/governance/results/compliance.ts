/** The compliance of a unit: the latest results of what is deployed of it, and its last evaluations. */
import type { GovernanceContext } from "../context.ts";
import { governanceFailure } from "../errors.ts";
import { idKey } from "../evaluations/resources.ts";
import { resultView } from "../evaluations/result-row.ts";
import type { Compliance } from "./schema.ts";
import { countLatest, historyOfUnit, lastEvaluated, latestResults, type LatestCounts } from "./store.ts";

/** Listed; all of them are counted. */
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
  const deployed = deployedKeys(at.unitKey, unit?.deployedIds ?? []);
  // Of what is not deployed, the last evaluation says what stops it.
  const resourceKeys = deployed.length > 0 ? deployed : await lastEvaluated(db, at);
  if (unit === null && resourceKeys.length === 0) throw unknownUnit(unitId, environment);
  const policyIds = (await policies.inForce()).map(({ policy }) => policy.id);
  const latest = { ...at, resourceKeys, policyIds };
  const counts = await countLatest(db, latest);
  const shown = await latestResults(db, latest, maxResults);
  const history = await historyOfUnit(db, at, maxHistory);
  return {
    unitId: unit?.unitId ?? unitId,
    environment,
    summary: summaryOf(counts),
    policies: shown.map(resultView),
    history: history.map(
      ({ at: time, ...row }) => ({ ...row, at: time.toISOString() }) as Compliance["history"][number],
    ),
  };
}

/** Keys of what is deployed of a unit: nothing, or some components and the unit itself. */
const deployedKeys = (unitKey: string, deployedIds: readonly string[]): string[] =>
  deployedIds.length === 0 ? [] : [...new Set([unitKey, ...deployedIds.map(idKey)])];

const summaryOf = ({ blocking, evaluatedAt, ...counts }: LatestCounts): Compliance["summary"] => ({
  isCompliant: counts.error === 0 && blocking === 0,
  ...counts,
  evaluatedAt: evaluatedAt?.toISOString() ?? null,
});

const unknownUnit = (unitId: string, environment: string) =>
  governanceFailure("CGP_UNIT_NOT_FOUND", {
    message: `The unit ${unitId} is not deployed in ${environment}, and was never evaluated there.`,
    where: "id",
    input: unitId,
  });
