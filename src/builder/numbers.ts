/** Numbers of pending decisions and open instantiations that metrics read from the database. */
import type { Db } from "../platform/db/database.ts";
import type { AddNumbers } from "../platform/telemetry/database-numbers.ts";
import { readPendingNumbers } from "./approvals/store.ts";
import { readOpenNumbers } from "./instantiations/store.ts";

export function registerBuilderNumbers(numbers: AddNumbers, db: Db): void {
  const builder = numbers("builder", async () => ({
    hooks: await readPendingNumbers(db),
    tasks: await readOpenNumbers(db),
  }));
  builder.gauge(
    {
      name: "plinth_hooks_pending",
      help: "Hooks that wait for their answer.",
      labels: ["action", "kind"],
    },
    ({ hooks }, set) => {
      for (const { action, kind, count } of hooks) set(count, [action, kind]);
    },
  );
  builder.gauge(
    {
      name: "plinth_hook_oldest_pending_seconds",
      help: "Age of the oldest hook that waits for its answer.",
      labels: ["action", "kind"],
    },
    ({ hooks }, set) => {
      for (const { action, kind, oldestSeconds } of hooks) set(oldestSeconds, [action, kind]);
    },
  );
  builder.gauge(
    {
      name: "plinth_instantiations_open",
      help: "Instantiations of templates that have not ended, by status: open (no worker has it) or processing.",
      labels: ["status"],
    },
    ({ tasks }, set) => {
      for (const { status, count } of tasks) set(count, [status]);
    },
  );
  builder.gauge(
    {
      name: "plinth_instantiation_oldest_seconds",
      help: "Age of the oldest instantiation that has not ended, by status.",
      labels: ["status"],
    },
    ({ tasks }, set) => {
      for (const { status, oldestSeconds } of tasks) set(oldestSeconds, [status]);
    },
  );
}
