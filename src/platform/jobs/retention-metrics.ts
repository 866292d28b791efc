/** Metrics of the deletion of old rows, read from the database at each scrape; every process reports the same. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { Database } from "../db/database.ts";
import { readStates, type StoredState } from "./retention-store.ts";

export function registerRetentionMetrics(registry: Registry, database: Database): void {
  // Without the database these are empty; other metrics are still reported.
  const read = (): Promise<StoredState[]> =>
    readStates(database.db).then(
      (states) => [...states.values()],
      () => [],
    );
  const labelNames = ["rule"];
  const lastPass = new Gauge({
    name: "plinth_retention_last_pass_timestamp_seconds",
    help: "When all old rows of a rule had last been looked at, in seconds since 1970.",
    labelNames,
    registers: [registry],
  });
  const failing = new Gauge({
    name: "plinth_retention_failing",
    help: "1 while the last batch of a rule has failed.",
    labelNames,
    registers: [registry],
  });
  const deleted: Counter = new Counter({
    name: "plinth_retention_deleted_rows_total",
    help: "Rows that were deleted because they were old, by rule; those that went with them are not all counted.",
    labelNames,
    registers: [registry],
    async collect() {
      const states = await read();
      for (const metric of [deleted, lastPass, failing]) metric.reset();
      for (const { rule, deleted: rows, failure, passEndedAt } of states) {
        deleted.inc({ rule }, rows);
        failing.set({ rule }, failure === null ? 0 : 1);
        if (passEndedAt) lastPass.set({ rule }, passEndedAt.getTime() / 1_000);
      }
    },
  });
}
