/** What clients of earlier products ask about a unit. */
import { Failure } from "../../../platform/errors/failure.ts";
import type { GovernanceContext } from "../../context.ts";
import { governanceFailure } from "../../errors.ts";
import { readCompliance } from "../compliance.ts";
import { policiesView } from "./policies-view.ts";
import type { DataProductApprovals, DataProductPolicies, DataProductQuery } from "./schema.ts";

export async function readPoliciesOf(
  ctx: GovernanceContext,
  unitId: string,
  { environment }: DataProductQuery,
): Promise<DataProductPolicies> {
  const asked = environment === undefined ? ctx.governance.settings.environments : [environment];
  for (const each of asked) {
    try {
      const { policies } = await readCompliance(ctx, { unitId, environment: each });
      return policiesView(policies);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== "not_found") throw error;
    }
  }
  throw governanceFailure("CGP_UNIT_NOT_FOUND", {
    message: `The unit ${unitId} is not deployed${environment === undefined ? "" : ` in ${environment}`}, and was never evaluated there.`,
    where: "dataProduct",
    input: unitId,
  });
}

/** What people have decided, or have still to decide, about deployments of the unit. */
export async function readApprovalsOf(ctx: GovernanceContext, unitId: string): Promise<DataProductApprovals> {
  const approvals = await ctx.governance.readApprovals(ctx, unitId);
  return {
    approvals: approvals.map(({ at, ...approval }) => ({ ...approval, timestamp: at.toISOString() })),
  };
}
