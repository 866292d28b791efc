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
  for (const [index, { environment }] of coordinator.drift.schedules.entries()) {
    const path = ["coordinator", "drift", "schedules", index, "environment"];
    if (scheduled.has(environment)) report.problem(path, { message: "repeats an environment" });
    scheduled.add(environment);
    known(path, environment);
  }
}
