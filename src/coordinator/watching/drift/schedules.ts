/** The schedules of drift checks, with what they have done and will do. */
import type { CoordinatorContext } from "../../context.ts";
import { dueUnits, nextRun } from "./schedule.ts";
import type { DriftScheduleList } from "./schema.ts";
import { readScheduled } from "./schedule-store.ts";

export async function listDriftSchedules(ctx: CoordinatorContext): Promise<DriftScheduleList> {
  const { database, settings } = ctx.coordinator;
  const schedules = settings.driftSchedules;
  const at = ctx.now();
  const rows = await readScheduled(
    database.db,
    schedules.map((each) => dueUnits(each, at)),
  );
  return {
    data: schedules.map((schedule, n) => {
      const { units = 0, due = 0, drifted = 0, lastRunAt = null, oldestCheckAt = null } = rows[n] ?? {};
      const { environment, everyMinutes, cron, timeZone } = schedule;
      const next = units === 0 ? null : nextRun(schedule, { due, oldestCheckAt }, at);
      return {
        environment,
        everyMinutes: cron === undefined ? (everyMinutes ?? null) : null,
        cron: cron ?? null,
        timeZone,
        deploymentUnits: units,
        due,
        drifted,
        lastRunAt: lastRunAt?.toISOString() ?? null,
        nextRunAt: next?.toISOString() ?? null,
        reconcile: settings.reconcile.modeOf(environment),
      };
    }),
  };
}
