/** What is deleted when, and what would go now. */
import { describeRules, type RuleReport } from "../../../platform/jobs/retention.ts";
import type { CoordinatorContext } from "../../context.ts";
import type { RetentionView } from "./schema.ts";

/** Counting stops here. */
const mostCounted = 1_000_000;

export async function readRetention(ctx: CoordinatorContext, isCounted: boolean): Promise<RetentionView> {
  const { database, retentionRules } = ctx.coordinator;
  const reports = await describeRules(database.db, (await retentionRules?.()) ?? [], ctx.now());
  const data: RetentionView["data"] = [];
  for (const report of reports) data.push(viewOf(report, isCounted ? await countOld(report) : null));
  return { data };
}

const countOld = ({ rule, before }: RuleReport): Promise<number> =>
  before === null ? Promise.resolve(0) : rule.count({ before, most: mostCounted });

const viewOf = (
  { rule, before, state }: RuleReport,
  count: number | null,
): RetentionView["data"][number] => ({
  rule: rule.name,
  setting: rule.setting,
  keepDays: rule.keepDays,
  before: before?.toISOString() ?? null,
  wouldDelete: count,
  isMore: count === mostCounted,
  deleted: state?.deleted ?? 0,
  lastPassAt: state?.passEndedAt?.toISOString() ?? null,
  failure: state === null || state.failure === null ? null : "The log of the process that tried says why.",
});
