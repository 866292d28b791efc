/** What the check lets pass, each with its reason. Both lists only shrink: an entry that nothing needs any more fails. */

/** Statements of a file that can't be read from the sources. */
export interface Unread {
  path: string;
  count: number;
  reason: string;
}

/** A column that the schema lets be null and that never is where it is read. */
export interface NeverNull {
  path: string;
  column: string;
  reason: string;
}

export interface Allowances {
  unread: readonly Unread[];
  neverNull: readonly NeverNull[];
}

const dataOfOthers = "It works on schemas, relations and roles whose names a descriptor gives.";

export const allowances: Allowances = {
  unread: [
    {
      path: "src/cli/demo/view-store.ts",
      count: 2,
      reason: "It shows a view that the demo's own adapter has made.",
    },
    {
      path: "src/platform/db/database.ts",
      count: 1,
      reason: "Passes on what is sent to the pool or in a transaction, each checked where it is written.",
    },
    {
      path: "src/platform/db/migrations/migration-table.ts",
      count: 1,
      reason: "A default is no parameter: it is the name of a service, a constant of the program.",
    },
    {
      path: "src/platform/db/sql.ts",
      count: 1,
      reason: "Sends a template, which is checked where it is written.",
    },
    {
      path: "src/data-layer/graph/reader-store.ts",
      count: 2,
      reason: "Passes on the statements of Graphile, and begins their transactions with escaped settings.",
    },
    { path: "src/platform/jobs/jobs.ts", count: 1, reason: "Passes on the statements of pg-boss." },
    {
      path: "src/platform/db/listener.ts",
      count: 2,
      reason: "LISTEN with the name of a channel; it returns no rows.",
    },
    {
      path: "src/platform/backup/dump.ts",
      count: 2,
      reason: "Copies tables whose names and columns it has read from the catalogue.",
    },
    {
      path: "src/platform/backup/load.ts",
      count: 5,
      reason: "Fills tables whose names and columns the backup and the catalogue give.",
    },
    {
      path: "src/platform/backup/target.ts",
      count: 4,
      reason:
        "Looks into tables that it has read from the catalogue, and at one that only an unfinished restore has.",
    },
    {
      path: "src/platform/db/migrations/migrate.ts",
      count: 2,
      reason: "Makes the schema and the database that are configured.",
    },
    {
      path: "src/platform/db/migrations/migration-session.ts",
      count: 1,
      reason: "Runs the migrations, which the check runs too.",
    },
    { path: "src/adapters/postgres/grants.ts", count: 4, reason: dataOfOthers },
    { path: "src/adapters/postgres/live-schema.ts", count: 2, reason: dataOfOthers },
    { path: "src/adapters/postgres/roles.ts", count: 3, reason: dataOfOthers },
    {
      path: "src/adapters/postgres/session.ts",
      count: 1,
      reason: "Passes on what its callers query.",
    },
    { path: "src/adapters/postgres/operations/objects.ts", count: 8, reason: dataOfOthers },
    { path: "src/adapters/postgres/operations/output-port.ts", count: 5, reason: dataOfOthers },
    { path: "src/adapters/postgres/operations/storage.ts", count: 9, reason: dataOfOthers },
    { path: "src/adapters/postgres/operations/unprovision.ts", count: 1, reason: dataOfOthers },
    { path: "src/adapters/postgres/operations/workload.ts", count: 8, reason: dataOfOthers },
  ],
  neverNull: [
    {
      path: "src/assistant/tools/mcp/tool-store.ts",
      column: "approved",
      reason: "A tool becomes 'approved' only together with its approved fingerprint.",
    },
    {
      path: "src/assistant/agents/transfer/store.ts",
      column: "records",
      reason: "The maximum of three counts: there is a row for each.",
    },
    {
      path: "src/assistant/runs/work-store.ts",
      column: "titled",
      reason: "A foreign key keeps the session of a run.",
    },
    {
      path: "src/builder/approvals/store.ts",
      column: "requestHash",
      reason: "Only a remote hook is ever due, and it is inserted with its hash.",
    },
    {
      path: "src/builder/approvals/store.ts",
      column: "requestSeed",
      reason: "The seed is forgotten in the statement after which the hook is not due any more.",
    },
    {
      path: "src/builder/instantiations/task-store.ts",
      column: "bodyHash",
      reason: "Whoever sends an idempotency key has the hash of the body stored with it.",
    },
    {
      path: "src/coordinator/starts/key-store.ts",
      column: "token",
      reason: "A key and its token are written in one transaction.",
    },
    {
      path: "src/coordinator/starts/acceptance/queue-store.ts",
      column: "unitId",
      reason: "Only plans of a unit are queued, and those have its id.",
    },
  ],
};
