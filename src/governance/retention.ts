/** Which rows of governance are deleted when they are old. */
import type { Config } from "../platform/config/schema/schema.ts";
import type { Db } from "../platform/db/database.ts";
import { simpleRule, type RetentionRule } from "../platform/jobs/retention.ts";
import { countOldReports, pruneReports } from "./reports/store.ts";
import { countOldResults, pruneResults } from "./results/store.ts";

export function governanceRetention({ governance }: Config, db: Db): RetentionRule[] {
  const { reportDays, resultDays } = governance.evaluations;
  return [
    simpleRule(
      { name: "evaluation-reports", setting: "governance.evaluations.reportDays", keepDays: reportDays },
      {
        prune: (before, limit) => pruneReports(db, before, limit),
        count: (before, most) => countOldReports(db, before, most),
      },
    ),
    simpleRule(
      { name: "evaluation-results", setting: "governance.evaluations.resultDays", keepDays: resultDays },
      {
        prune: (before, limit) => pruneResults(db, before, limit),
        count: (before, most) => countOldResults(db, before, most),
      },
    ),
  ];
}
