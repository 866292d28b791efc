/**
 * Metrics of plans, unknown outcomes, webhooks and drift, read from the database at each scrape; every process
 * reports the same.
 */
import { Gauge, type Registry } from "prom-client";
import type { Database } from "../../platform/db/database.ts";
import { readWatchingNumbers, type WatchingNumbers } from "./metrics-store.ts";

/** One query serves all gauges of a scrape. */
const readAgainMs = 1_000;

export function registerWatchingMetrics(registry: Registry, database: Database, now: () => Date): void {
  let reading: Promise<WatchingNumbers | null> | null = null;
  let readAt = 0;
  const numbers = (): Promise<WatchingNumbers | null> => {
    if (reading === null || now().getTime() - readAt > readAgainMs) {
      readAt = now().getTime();
      // Without the database these gauges are empty; other metrics are still reported.
      reading = readWatchingNumbers(database.db).catch(() => null);
    }
    return reading;
  };
  const gauge = <L extends string>(
    name: string,
    { help, labelNames }: { help: string; labelNames: L[] },
    fill: (gauge: Gauge<L>, found: WatchingNumbers) => void,
  ): void => {
    const made: Gauge<L> = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const found = await numbers();
        made.reset();
        if (found) fill(made, found);
      },
    });
  };

  gauge(
    "plinth_plans_active",
    { help: "Plans that have not ended: driven by a worker, or waiting for one.", labelNames: ["state"] },
    (made, { activePlans }) => {
      for (const { state, count } of activePlans) made.set({ state }, count);
    },
  );
  gauge(
    "plinth_unknown_outcomes_open",
    { help: "Calls that may have acted and whose outcome is unknown.", labelNames: ["environment"] },
    (made, { openOutcomes }) => {
      for (const { environment, count } of openOutcomes) made.set({ environment }, count);
    },
  );
  gauge(
    "plinth_unknown_outcome_oldest_seconds",
    { help: "Age of the oldest open unknown outcome.", labelNames: ["environment"] },
    (made, { openOutcomes }) => {
      for (const { environment, oldestSeconds } of openOutcomes) made.set({ environment }, oldestSeconds);
    },
  );
  gauge(
    "plinth_webhook_deliveries",
    {
      help: "Deliveries to webhooks that wait (pending) or were given up (dead).",
      labelNames: ["webhook", "status"],
    },
    (made, { deliveries }) => {
      for (const { webhook, status, count } of deliveries) made.set({ webhook, status }, count);
    },
  );
  gauge(
    "plinth_webhook_oldest_pending_seconds",
    { help: "Age of the oldest delivery that waits.", labelNames: ["webhook"] },
    (made, { deliveries }) => {
      for (const { webhook, status, oldestSeconds } of deliveries)
        if (status === "pending") made.set({ webhook }, oldestSeconds);
    },
  );
  gauge(
    "plinth_drift_units",
    { help: "Units by the result of their latest drift check.", labelNames: ["environment", "result"] },
    (made, { drift }) => {
      for (const { environment, result, count } of drift) made.set({ environment, result }, count);
    },
  );
}
