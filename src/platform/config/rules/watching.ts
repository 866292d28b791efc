import { parseCron } from "../../lib/cron.ts";
import { isTimeZone } from "../../lib/zoned-time.ts";
import type { Settings } from "../schema/schema.ts";
import type { Report } from "./report.ts";

/** Names that must be unique, and environments that must exist. */
export function checkWatching(
  { coordinator }: Pick<Settings, "coordinator">,
  environments: readonly string[],
  report: Report,
): void {
  const known = (path: (string | number)[], name: string): void => {
    if (environments.includes(name)) return;
    report.problem(path, {
      message: `names the environment ${name}, which is not configured`,
      solution: `Use one of: ${environments.join(", ")}.`,
    });
  };
  const names = new Set<string>();
  for (const [index, webhook] of coordinator.webhooks.entries()) {
    const path = ["coordinator", "webhooks", index];
    if (names.has(webhook.name)) report.problem([...path, "name"], { message: "repeats a name" });
    names.add(webhook.name);
    for (const [at, name] of (webhook.environments ?? []).entries())
      known([...path, "environments", at], name);
  }
  const scheduled = new Set<string>();
  for (const [index, schedule] of coordinator.drift.schedules.entries()) {
    const { environment, everyMinutes, cron, timeZone } = schedule;
    const at = ["coordinator", "drift", "schedules", index];
    const path = [...at, "environment"];
    if ((everyMinutes === undefined) === (cron === undefined))
      report.problem(at, {
        message: "needs either everyMinutes or cron",
        solution: "Give one of them.",
      });
    if (cron !== undefined && parseCron(cron) === null)
      report.problem([...at, "cron"], {
        message: "is no cron expression that ever comes true",
        solution: "Write five fields: minute, hour, day, month, day of the week.",
      });
    if (!isTimeZone(timeZone))
      report.problem([...at, "timeZone"], {
        message: "is no time zone",
        solution: "Use a name such as Europe/Rome.",
      });
    if (scheduled.has(environment)) report.problem(path, { message: "repeats an environment" });
    scheduled.add(environment);
    known(path, environment);
  }
}
