/** Numbers of plans, unknown outcomes, webhooks and drift that metrics read from the database. */
import type { Db } from "../../platform/db/database.ts";
import type { AddNumbers, Numbers } from "../../platform/telemetry/database-numbers.ts";
import { readWatchingNumbers, type EventReader, type WatchingNumbers } from "./metrics-store.ts";

/** @param readers those that the configuration has read the events. */
export function registerWatchingMetrics(numbers: AddNumbers, db: Db, readers: readonly EventReader[]): void {
  const watching = numbers("coordinator", () => readWatchingNumbers(db));
  registerPlans(watching);
  registerOutcomes(watching);
  registerDeliveries(watching);
  watching.gauge(
    {
      name: "plinth_events_unread_seconds",
      help: "Age of the oldest event that webhooks, or notices, have not read yet; 0 without one.",
      labels: ["reader"],
    },
    ({ unread }, set) => {
      for (const { reader, oldestSeconds } of unread)
        if (readers.includes(reader)) set(oldestSeconds, [reader]);
    },
  );
  watching.gauge(
    {
      name: "plinth_drift_units",
      help: "Units by the result of their latest drift check.",
      labels: ["environment", "result"],
    },
    ({ drift }, set) => {
      for (const { environment, result, count } of drift) set(count, [environment, result]);
    },
  );
}

function registerPlans(watching: Numbers<WatchingNumbers>): void {
  watching.gauge(
    {
      name: "plinth_plans_active",
      help: "Plans that have not ended: driven by a worker, or waiting for one.",
      labels: ["state"],
    },
    ({ activePlans }, set) => {
      for (const { state, count } of activePlans) set(count, [state]);
    },
  );
  watching.gauge(
    {
      name: "plinth_plans_waiting",
      help:
        "Plans that nobody drives, by what they wait for: queue (the unit's operation before), approval, window (of maintenance), " +
        "earlier_plans (changes of access, or a call that is made again), error (the next attempt), worker (none has taken it), worker_gone (theirs has ended).",
      labels: ["reason"],
    },
    ({ waitingPlans }, set) => {
      for (const { reason, count } of waitingPlans) set(count, [reason]);
    },
  );
  watching.gauge(
    {
      name: "plinth_plan_oldest_waiting_seconds",
      help: "Age of the oldest plan that nobody drives, by what it waits for; 0 without one.",
      labels: ["reason"],
    },
    ({ waitingPlans }, set) => {
      for (const { reason, oldestSeconds } of waitingPlans) set(oldestSeconds, [reason]);
    },
  );
  watching.gauge(
    {
      name: "plinth_plans_overdue",
      help: "Plans that a worker drives although their time limit passed more than a minute ago: they are stuck.",
    },
    ({ overduePlans }, set) => set(overduePlans),
  );
  watching.gauge(
    {
      name: "plinth_units_failed",
      help: "Units whose last operation failed, by environment.",
      labels: ["environment"],
    },
    ({ failedUnits }, set) => {
      for (const { environment, count } of failedUnits) set(count, [environment]);
    },
  );
}

function registerOutcomes(watching: Numbers<WatchingNumbers>): void {
  watching.gauge(
    {
      name: "plinth_unknown_outcomes_open",
      help: "Calls that may have acted and whose outcome is unknown.",
      labels: ["environment"],
    },
    ({ openOutcomes }, set) => {
      for (const { environment, count } of openOutcomes) set(count, [environment]);
    },
  );
  watching.gauge(
    {
      name: "plinth_unknown_outcome_oldest_seconds",
      help: "Age of the oldest open unknown outcome.",
      labels: ["environment"],
    },
    ({ openOutcomes }, set) => {
      for (const { environment, oldestSeconds } of openOutcomes) set(oldestSeconds, [environment]);
    },
  );
}

function registerDeliveries(watching: Numbers<WatchingNumbers>): void {
  watching.gauge(
    {
      name: "plinth_webhook_deliveries",
      help: "Deliveries to webhooks that wait (pending) or were given up (dead).",
      labels: ["webhook", "status"],
    },
    ({ deliveries }, set) => {
      for (const { webhook, status, count } of deliveries) set(count, [webhook, status]);
    },
  );
  watching.gauge(
    {
      name: "plinth_webhook_oldest_pending_seconds",
      help: "Age of the oldest delivery that waits.",
      labels: ["webhook"],
    },
    ({ deliveries }, set) => {
      for (const { webhook, status, oldestSeconds } of deliveries)
        if (status === "pending") set(oldestSeconds, [webhook]);
    },
  );
}
