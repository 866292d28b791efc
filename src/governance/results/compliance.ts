/** The compliance of a unit: the latest results of what is deployed of it, and its last evaluations. */
import type { GovernanceContext } from "../context.ts";
import { governanceFailure } from "../errors.ts";
import { idKey } from "../evaluations/resources.ts";
import { resultView, type ResultRow } from "../evaluations/result-row.ts";
import { countOutcomes } from "../evaluations/verdict.ts";
import { readPolicies } from "../policies/store.ts";
import type { Compliance } from "./schema.ts";
import { historyOfUnit, latestOfUnit } from "./store.ts";

const maxResults = 10_000;
const maxHistory = 50;

export async function readCompliance(
  ctx: GovernanceContext,
  { unitId, environment }: { unitId: string; environment: string },
): Promise<Compliance> {
  const { database, deployedUnits } = ctx.governance;
  const at = { unitKey: idKey(unitId), environment };
  const unit = await deployedUnits.find({ id: unitId, environment });
  const latest = await latestOfUnit(database.db, at, maxResults);
  if (unit === null && latest.length === 0) throw unknownUnit(unitId, environment);
  const policies = await readPolicies(database.db, [...new Set(latest.map(({ policyId }) => policyId))]);
  const inForce = new Set(
    policies.flatMap(({ id, status }) => (status === "grace" || status === "enabled" ? id : [])),
  );
  const shown = shownResults(latest, { unitKey: at.unitKey, deployedIds: unit?.deployedIds ?? null }).filter(
    ({ policyId }) => inForce.has(policyId),
  );
  const history = await historyOfUnit(database.db, at, maxHistory);
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

/** Of what is deployed; before the first deployment of a unit all that its last evaluation was about. */
export function shownResults(
  latest: readonly ResultRow[],
  { unitKey, deployedIds }: { unitKey: string; deployedIds: readonly string[] | null },
): ResultRow[] {
  if (deployedIds === null) {
    const last = Math.max(...latest.map(({ at }) => at.getTime()));
    return latest.filter(({ at }) => at.getTime() === last);
  }
  const deployed = new Set(deployedIds.length > 0 ? [unitKey, ...deployedIds.map(idKey)] : []);
  return latest.filter(({ resourceKey }) => deployed.has(resourceKey));
}

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
