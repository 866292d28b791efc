/** The stored rules about who may touch whose unit, and what all rules say of the caller. */
import { inTransaction } from "../../platform/db/database.ts";
import type { Problem } from "../../platform/errors/failure.ts";
import { writeAudit, type GovernanceContext } from "../context.ts";
import { governanceFailure } from "../errors.ts";
import { raiseRevision } from "../policies/store.ts";
import { ruleProblems } from "./check-rules.ts";
import type { RulesBody, RulesView, WhoMayQuery, WhoMayView } from "./schema.ts";
import type { OwnershipRule } from "./rules.ts";
import { insertRules, readRules, type StoredRules } from "./store.ts";

export async function getRules(ctx: GovernanceContext): Promise<RulesView> {
  return viewOf(ctx, await readRules(ctx.governance.database.db));
}

function viewOf(ctx: GovernanceContext, stored: StoredRules | null): RulesView {
  const { configured, defaults } = ctx.governance.settings.ownership;
  return {
    version: stored?.version ?? 0,
    rules: (stored?.rules ?? []) as RulesView["rules"],
    configured: configured as RulesView["rules"],
    defaults: defaults as RulesView["rules"],
    ...(stored && { updatedAt: stored.createdAt.toISOString(), updatedBy: stored.createdBy }),
  };
}

/** Replaces all of them. */
export async function putRules(
  ctx: GovernanceContext,
  { version: from, rules: given }: RulesBody,
): Promise<RulesView> {
  const rules = given.map(ruleOf);
  const problems: Problem[] = ruleProblems(rules, ctx.governance.settings.environments);
  if (problems.length > 0)
    throw governanceFailure("CGP_INVALID_OWNERSHIP_RULES", {
      message: `The rules can't be stored: ${problems.length} problem${problems.length === 1 ? "" : "s"} found.`,
      problems,
    });
  const change = { from, rules, at: ctx.now(), by: ctx.actor.ref };
  return inTransaction(ctx.governance.database, async (tx) => {
    if (!(await insertRules(tx, change))) {
      const { version = 0 } = (await readRules(tx)) ?? {};
      throw governanceFailure("CGP_VERSION_STALE", {
        message: `The rules have the version ${version}, not ${from}.`,
        where: "/version",
        solution: "Read the rules again, apply the change to those and name their version.",
        input: String(from),
      });
    }
    await raiseRevision(tx, "ownership");
    await writeAudit(tx, ctx, {
      operation: "putOwnershipRules",
      subject: "ownership-rules",
      detail: { from, version: from + 1, rules },
    });
    return viewOf(ctx, await readRules(tx));
  });
}

/** With the defaults of what it leaves out. */
const ruleOf = (given: RulesBody["rules"][number]): OwnershipRule => ({
  operations: [],
  environments: [],
  domains: [],
  owners: "any",
  groups: [],
  ...given,
});

/** What the caller may do to a unit, and who may or decides where they may not. */
export async function getWhoMay(
  ctx: GovernanceContext,
  id: string,
  { environment, operation: operations }: WhoMayQuery,
): Promise<WhoMayView> {
  const { readOwnership, decideOwnership } = ctx.governance;
  const owned = await readOwnership({ id, environment });
  if (owned === null)
    throw governanceFailure("CGP_UNIT_NOT_FOUND", {
      message: `No unit with the id ${id} was ever started in ${environment}.`,
      where: "id",
      input: id,
    });
  const { owners, domain } = owned;
  const answer = await decideOwnership(ctx, { operations, environment, domain, owners });
  const { verdict } = answer;
  const asked = verdict === "approval" ? [answer, ...(answer.further ?? [])] : [];
  const rule = verdict === "approval" ? asked.map((each) => each.rule).join("; ") : answer.rule;
  const whoMay = verdict === "deny" ? answer.whoMay : new Set(asked.flatMap(({ approvers }) => approvers));
  return { id, environment, operations, verdict, rule, owners: [...owners], whoMay: [...whoMay] };
}
