/** Numbers of pending decisions and open instantiations that metrics and checks read from the database. */
import type { Db } from "../platform/db/database.ts";
import { ageOf, databaseCheck, ok, warning, type Check, type Finding } from "../platform/lib/check.ts";
import { listSome } from "../platform/lib/list-some.ts";
import type { AddNumbers } from "../platform/telemetry/database-numbers.ts";
import { readOpenRequestNumbers } from "./approvals/access-requests/store.ts";
import { readPendingNumbers } from "./approvals/store.ts";
import { listFailing, type FailingLocation } from "./catalogue/locations/store.ts";
import { readOpenNumbers, type OpenNumbers } from "./instantiations/store.ts";

export function registerBuilderNumbers(numbers: AddNumbers, db: Db): void {
  const builder = numbers("builder", async () => ({
    hooks: await readPendingNumbers(db),
    accessRequests: await readOpenRequestNumbers(db),
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
      name: "plinth_access_requests_open",
      help: "Access requests that have not ended, by status: pending (for their hooks), approved (no worker has it yet) or applying.",
      labels: ["status"],
    },
    ({ accessRequests }, set) => {
      for (const { status, count } of accessRequests) set(count, [status]);
    },
  );
  builder.gauge(
    {
      name: "plinth_access_request_oldest_seconds",
      help: "Time since the oldest access request that has not ended was approved, or opened where it is pending, by status.",
      labels: ["status"],
    },
    ({ accessRequests }, set) => {
      for (const { status, oldestSeconds } of accessRequests) set(oldestSeconds, [status]);
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

export const builderChecks = (db: Db): Check[] => [
  {
    name: "instantiations",
    guide: "monitoring.md#plinthinstantiationswait",
    needs: databaseCheck,
    look: async () => instantiationsFinding(await readOpenNumbers(db)),
  },
  {
    name: "catalogue",
    guide: "catalogue.md",
    needs: databaseCheck,
    look: async () => locationsFinding(await listFailing(db, 100)),
  },
];

const waitSeconds = 300;

function instantiationsFinding(numbers: readonly OpenNumbers[]): Finding {
  const open = numbers.find(({ status }) => status === "open");
  if (open === undefined || open.count === 0) return ok("None waits for a worker.");
  const found = `Instantiations that wait for a worker: ${open.count}, the oldest for ${ageOf(open.oldestSeconds)}.`;
  return open.oldestSeconds < waitSeconds
    ? ok(found)
    : warning(found, "Look whether workers are alive and have free places; start one more.");
}

function locationsFinding(failing: readonly FailingLocation[]): Finding {
  return failing.length === 0
    ? ok("Every location can be read.")
    : warning(
        `Locations of the catalogue that cannot be read: ${listSome(failing, 3, ({ id, failures }) => `${id} (${failures} times)`)}.`,
        "See why with GET /api/catalog/locations, and mend or unregister it.",
      );
}
