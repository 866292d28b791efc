/** Which tokens are deleted when they are old. */
import type { Config } from "../platform/config/schema/schema.ts";
import type { Db } from "../platform/db/database.ts";
import { simpleRule, type RetentionRule } from "../platform/jobs/retention.ts";
import { countEnded, dropEnded } from "./sessions/browser-store.ts";
import { countEndedTokens, pruneEndedTokens } from "./tokens/store.ts";

export const authRetention = ({ retention }: Config, db: Db): RetentionRule[] => [
  simpleRule(
    { name: "tokens", setting: "retention.tokensDays", keepDays: retention.tokensDays },
    {
      prune: (before, limit) => pruneEndedTokens(db, before, limit),
      count: (before, most) => countEndedTokens(db, before, most),
    },
  ),
  simpleRule(
    { name: "browser-sessions", setting: "retention.tokensDays", keepDays: sessionDays(retention) },
    {
      prune: (before, limit) => dropEnded(db, before, limit),
      count: (before, most) => countEnded(db, before, most),
    },
  ),
];

/** A refresh token is of no use after the end of its session, which stays in the list for as long as tokens do. */
const sessionDays = ({ tokensDays }: Config["retention"]): number => Math.min(tokensDays, 1);
