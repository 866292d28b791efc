/** Which rows of the builder are deleted when they are old. */
import type { Config } from "../platform/config/schema/schema.ts";
import type { Db } from "../platform/db/database.ts";
import { simpleRule, type RetentionRule } from "../platform/jobs/retention.ts";
import { countOldRequests, pruneRequests } from "./approvals/access-requests/store.ts";
import { countOldActions, pruneActions } from "./approvals/store.ts";
import { countOldTasks, prunePlans, pruneTasks } from "./instantiations/store.ts";

export function builderRetention(config: Config, db: Db): RetentionRule[] {
  const { hooksDays, accessRequestsDays } = config.retention;
  return [
    simpleRule(
      {
        name: "instantiations",
        setting: "mesh.builder.instantiations.retentionDays",
        keepDays: config.mesh.builder.instantiations.retentionDays,
      },
      {
        async prune(before, limit) {
          const wanted = Math.ceil(limit / rowsOfTask);
          const tasks = await pruneTasks(db, before, wanted);
          // Then the plans of templates that no task has any more.
          if (tasks < wanted) await prunePlans(db);
          return tasks * rowsOfTask;
        },
        count: (before, most) => countOldTasks(db, before, most),
      },
    ),
    simpleRule(
      { name: "hooks", setting: "retention.hooksDays", keepDays: hooksDays },
      {
        prune: (before, limit) => pruneActions(db, before, limit),
        count: (before, most) => countOldActions(db, before, most),
      },
    ),
    simpleRule(
      { name: "access-requests", setting: "retention.accessRequestsDays", keepDays: accessRequestsDays },
      {
        prune: (before, limit) => pruneRequests(db, before, limit),
        count: (before, most) => countOldRequests(db, before, most),
      },
    ),
  ];
}

/** A task has steps, events and files of its own. */
const rowsOfTask = 10;
