/** Which rows of the assistant are deleted when they are old. */
import type { Config } from "../../platform/config/schema/schema.ts";
import type { Db } from "../../platform/db/database.ts";
import { simpleRule, type RetentionRule } from "../../platform/jobs/retention.ts";
import {
  countOldLogs,
  countOldSessions,
  countOldUsage,
  pruneRunEvents,
  pruneSessions,
  pruneUsage,
} from "./retention-store.ts";

export function assistantRetention({ assistant, retention }: Config, db: Db): RetentionRule[] {
  return [
    simpleRule(
      { name: "run-logs", setting: "assistant.retentionDays", keepDays: assistant.retentionDays },
      {
        prune: async (before, limit) => (await pruneRunEvents(db, before, Math.ceil(limit / 10))) * 10,
        count: (before, most) => countOldLogs(db, before, most),
      },
    ),
    {
      name: "sessions",
      setting: "retention.sessionsDays",
      keepDays: retention.sessionsDays,
      // It looks at all of them in each pass.
      restMs: 24 * 3_600_000,
      async deleteBatch({ before, limit, position }) {
        const after = position === null ? null : String(position[0]);
        const page = { after, limit: Math.ceil(limit / rowsOfSession) };
        const { deleted, last, isDone } = await pruneSessions(db, before, page);
        return { deleted, position: isDone || last === null ? null : [last], isDone };
      },
      count: ({ before, most }) => countOldSessions(db, before, most),
    },
    simpleRule(
      { name: "usage", setting: "retention.usageDays", keepDays: retention.usageDays },
      {
        prune: (before, limit) => pruneUsage(db, before, limit),
        count: (before, most) => countOldUsage(db, before, most),
      },
    ),
  ];
}

/** A session has runs and messages. */
const rowsOfSession = 10;
