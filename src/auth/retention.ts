/** Which tokens are deleted when they are old. */
import type { Config } from "../platform/config/schema/schema.ts";
import type { Db } from "../platform/db/database.ts";
import { simpleRule, type RetentionRule } from "../platform/jobs/retention.ts";
import { countEndedTokens, pruneEndedTokens } from "./tokens/store.ts";

export const authRetention = ({ retention }: Config, db: Db): RetentionRule[] => [
  simpleRule(
    { name: "tokens", setting: "retention.tokensDays", keepDays: retention.tokensDays },
    {
      prune: (before, limit) => pruneEndedTokens(db, before, limit),
      count: (before, most) => countEndedTokens(db, before, most),
    },
  ),
];
