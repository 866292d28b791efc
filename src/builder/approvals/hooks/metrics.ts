/**
 * Metrics of pending decisions. They are read from the database on each scrape, so every process reports the
 * same.
 */
import { Gauge, type Registry } from "prom-client";
import type { Database } from "../../../platform/db/database.ts";
import { readPendingNumbers, type PendingNumbers } from "./store.ts";

export function registerHookMetrics(registry: Registry, { kysely }: Database): void {
  const gauge = (name: string, help: string, valueOf: (found: PendingNumbers) => number): void => {
    const made: Gauge<"action" | "kind"> = new Gauge({
      name,
      help,
      labelNames: ["action", "kind"],
      registers: [registry],
      async collect() {
        // When the database is unavailable these are omitted and the other metrics are still reported.
        const found = await readPendingNumbers(kysely).catch(() => []);
        made.reset();
        for (const each of found) made.set({ action: each.action, kind: each.kind }, valueOf(each));
      },
    });
  };
  gauge("plinth_hooks_pending", "Hooks that wait for their answer.", ({ count }) => count);
  gauge(
    "plinth_hook_oldest_pending_seconds",
    "Age of the oldest hook that waits for its answer.",
    ({ oldestSeconds }) => oldestSeconds,
  );
}
