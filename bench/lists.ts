/**
 * How long does a page of a hot list take with a million operations and a million log lines stored, and what does our
 * stack add to the database's own work? Each page is asked for over HTTP from a server in a process of its own, and then
 * as the same statement over a direct connection; they take turns, each time at another place of the list. Prints p50,
 * p99 and the ratio of both; the goal is a p99 below 50 ms.
 *
 *   node bench/lists.ts [--operations N] [--lines N] [--pages N]
 */
import { Agent, setGlobalDispatcher } from "undici";
import { parseArgs } from "node:util";
import { pageSql, type OperationQuery } from "../src/coordinator/plans/operation-store.ts";
import { logPageSql } from "../src/coordinator/plans/store.ts";
import { openDatabase, type Database } from "../src/platform/db/database.ts";
import { sql, type Sql } from "../src/platform/db/sql.ts";
import type { Severity } from "../src/platform/events/events.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { databaseVariables } from "../test/crash/processes.ts";
import { firstStart, storeManyLines, storeManyOperations } from "../test/support/stored-history.ts";
import { benchDatabase } from "./support/fixtures.ts";
import { cellsOf, quantiles, ratioOf, timed, type Times } from "./support/read-times.ts";
import { startServerProcess } from "./support/server-process.ts";

const goalMs = 50;
const { values } = parseArgs({
  options: {
    operations: { type: "string", default: "1000000" },
    lines: { type: "string", default: "1000000" },
    pages: { type: "string", default: "400" },
  },
});
const operations = Number(values.operations);
const lines = Number(values.lines);
const pages = Number(values.pages);
const loggedPlan = "plan-1";

/** One page: where it is asked for, and its statement. */
interface Page {
  path: string;
  statement: Sql;
}

type List = [name: string, page: (place: number) => Page];

const timeAt = (place: number): Date => new Date(firstStart.getTime() + Math.floor(place * operations) * 250);

const operationPage = (asked: Partial<OperationQuery>): Page => {
  const query: OperationQuery = {
    unitKey: undefined,
    environments: [],
    statuses: [],
    after: undefined,
    before: undefined,
    order: "desc",
    limit: 20,
    withDescriptors: false,
    withProgress: false,
    ...asked,
  };
  const wire = new URLSearchParams({ limit: String(query.limit), "sort-order": query.order });
  if (query.unitKey) wire.set("deployment-unit-id", query.unitKey);
  if (query.environments.length > 0) wire.set("environment", query.environments.join(","));
  if (query.statuses.length > 0) wire.set("status", query.statuses.join(","));
  if (query.after) wire.set("start-time-after", query.after.toISOString());
  if (query.before) wire.set("start-time-before", query.before.toISOString());
  if (query.withDescriptors) wire.set("include-descriptors", "true");
  return { path: `/v2/provisioning-operations?${wire.toString()}`, statement: pageSql(query) };
};

const logPage = (level: Severity, place: number): Page => {
  const after = Math.floor(place * lines);
  const query = { planId: loggedPlan, level, taskId: undefined, after, limit: 100 };
  return {
    path: `/v1/logs/${loggedPlan}?level=${level}&after=${after}&limit=100`,
    statement: logPageSql(query),
  };
};

const lists: List[] = [
  ["operations, the newest", () => operationPage({})],
  ["operations, from anywhere", (place) => operationPage({ before: timeAt(place) })],
  ["operations, from anywhere, 100", (place) => operationPage({ before: timeAt(place), limit: 100 })],
  ["operations with descriptors", (place) => operationPage({ before: timeAt(place), withDescriptors: true })],
  [
    "operations of 2 environments, oldest first",
    (place) =>
      operationPage({ after: timeAt(place), environments: ["development", "production"], order: "asc" }),
  ],
  [
    "operations that failed, a rare status",
    (place) => operationPage({ before: timeAt(place), environments: ["production"], statuses: ["FAILED"] }),
  ],
  ["operations of a unit", (place) => operationPage({ unitKey: `unit-${Math.floor(place * 5_000)}` })],
  ["log lines, all levels", (place) => logPage("DEBUG", place)],
  ["log lines, warnings and above", (place) => logPage("WARNING", place)],
  ["log lines, errors", (place) => logPage("ERROR", place)],
];

const store = await benchDatabase();
const { connection } = store;
const database = openDatabase({ connection, log: silentLogger, statementTimeoutMs: 3_600_000, poolSize: 1 });
console.log(`storing ${operations} operations and ${lines} log lines`);
await storeManyOperations(database.db, operations);
await storeManyLines(database.db, loggedPlan, lines);
setGlobalDispatcher(new Agent({ connections: 1 }));
const server = await startServerProcess(databaseVariables(connection));
console.log(
  `${" ".repeat(44)}${["over HTTP", "bare SQL", "ratio", "select 1"].map((side) => side.padStart(20)).join("")}`,
);
console.log(`${" ".repeat(44)}${"p50       p99".padStart(20).repeat(4)}`);
let worst = 0;
for (const [name, page] of lists)
  worst = Math.max(worst, await measure(database, server.url, { name, page }));
console.log(
  `worst p99 ${worst.toFixed(1)} ms, goal below ${goalMs} ms: ${worst < goalMs ? "met" : "MISSED"}`,
);
process.exitCode = worst < goalMs ? 0 : 1;
await server.close();
await database.close();
await store.close();

/** Prints one list and answers the p99 over HTTP. */
async function measure(
  db: Database,
  url: string,
  { name, page }: { name: string; page: List[1] },
): Promise<number> {
  const samples: Record<"http" | "bare" | "floor", number[]> = { http: [], bare: [], floor: [] };
  for (let round = -20; round < pages; round += 1) {
    const { path, statement } = page(Math.random());
    const taken = {
      http: await timed(() => readPage(`${url}/api/coordinator${path}`)),
      bare: await timed(() => statement.execute(db.db)),
      floor: await timed(() => sql`select 1`.execute(db.db)),
    };
    if (round < 0) continue;
    for (const side of ["http", "bare", "floor"] as const) samples[side].push(taken[side]);
  }
  const [http, bare, floor] = [samples.http, samples.bare, samples.floor].map(quantiles) as [
    Times,
    Times,
    Times,
  ];
  console.log(name.padEnd(44) + cellsOf([http, bare, ratioOf(http, bare), floor]));
  return http.p99;
}

async function readPage(url: string): Promise<void> {
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
}
