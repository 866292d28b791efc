/** Metrics of the deletion of old rows, read from the database; every process reports the same. */
import type { Db } from "../db/database.ts";
import type { AddNumbers } from "../telemetry/database-numbers.ts";
import { readStates } from "./retention-store.ts";

export function registerRetentionMetrics(numbers: AddNumbers, db: Db): void {
  const retention = numbers("retention", async () => [...(await readStates(db)).values()]);
  const labels = ["rule"];
  retention.counter(
    {
      name: "plinth_retention_deleted_rows_total",
      help: "Rows that were deleted because they were old, by rule; those that went with them are not all counted.",
      labels,
    },
    (states, set) => {
      for (const { rule, deleted } of states) set(deleted, [rule]);
    },
  );
  retention.gauge(
    {
      name: "plinth_retention_last_pass_timestamp_seconds",
      help: "When all old rows of a rule had last been looked at, in seconds since 1970.",
      labels,
    },
    (states, set) => {
      for (const { rule, passEndedAt } of states) if (passEndedAt) set(passEndedAt.getTime() / 1_000, [rule]);
    },
  );
  retention.gauge(
    { name: "plinth_retention_failing", help: "1 while the last batch of a rule has failed.", labels },
    (states, set) => {
      for (const { rule, failure } of states) set(failure === null ? 0 : 1, [rule]);
    },
  );
}
