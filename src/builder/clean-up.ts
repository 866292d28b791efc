/** Deletes what the builder no longer needs. */
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { BuilderDeps } from "./context.ts";
import { pruneActions } from "./approvals/store.ts";
import { prunePlans, pruneTasks } from "./instantiations/store.ts";

type CleanUpDeps = Pick<BuilderDeps, "database" | "settings"> & { jobs: Jobs };

const dayMs = 24 * 60 * 60_000;
/** How long an ended action and its hooks can be read. */
const hookDays = 90;
const tasksAtOnce = 200;
/** What is left after so many statements waits for the next minute. */
const maxStatements = 100;

export async function scheduleCleanUps(deps: CleanUpDeps, now: () => Date): Promise<void> {
  const { database, jobs, settings } = deps;
  const daysAgo = (days: number): Date => new Date(now().getTime() - days * dayMs);
  await jobs.schedule("instantiations", "* * * * *", async () => {
    const before = daysAgo(settings.instantiations.retentionDays);
    for (let n = 0; n < maxStatements; n++)
      if ((await pruneTasks(database.db, before, tasksAtOnce)) < tasksAtOnce) return prunePlans(database.db);
  });
  await jobs.schedule("hooks", "0 * * * *", () => pruneActions(database.db, daysAgo(hookDays)));
}
