/**
 * The alerts with Prometheus' own tool: the rule file is checked, each alert fires and is quiet where it should, every test fails with the
 * wrong series, and the answer of a running server's /metrics is checked. `npm run test:alerts`. Needs promtool, which it installs from
 * Debian's package prometheus where it may.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dump } from "js-yaml";
import type { Connection } from "../../src/platform/db/database.ts";
import { ended, ships, start } from "../coordinator/ships.ts";
import { openMigrated, withOwnPostgres } from "../support/own-postgres.ts";
import { send, startWholeServer } from "../support/server.ts";
import { alertCases, type AlertCase } from "./cases.ts";
import { dashboardRules, readDashboard } from "./dashboard.ts";
import { openPromtool, unitTests } from "./promtool.ts";
import { readRules, rulesFile } from "./rules.ts";

const promtool = openPromtool();
const rules = readRules();
const folder = mkdtempSync(join(tmpdir(), "plinth-alerts-"));
const failures: string[] = [];

const testFile = (name: string, cases: readonly AlertCase[]): string => {
  const file = join(folder, name);
  writeFileSync(file, unitTests(cases, rules));
  return file;
};

const checked = promtool(["check", "rules", rulesFile]);
if (checked.status !== 0) failures.push(checked.output);

const { targets } = readDashboard();
const queries = join(folder, "dashboard.yaml");
writeFileSync(queries, dump(dashboardRules(targets)));
const read = promtool(["check", "rules", queries]);
if (read.status !== 0) failures.push(`the dashboard: ${read.output}`);

const tested = promtool(["test", "rules", testFile("alerts.yaml", alertCases)]);
if (tested.status !== 0) failures.push(tested.output);

/** With the series of the other test, each of them has to fail. */
const swapped = alertCases.map((each) => ({ ...each, fires: each.quiet, quiet: each.fires }));
const { output } = promtool(["test", "rules", testFile("swapped.yaml", swapped)]);
const failed = new Set([...output.matchAll(/^ *name: (\w+ (?:fires|is quiet)),$/gm)].map(([, name]) => name));
const blind = alertCases.flatMap(({ alert }) =>
  [`${alert} fires`, `${alert} is quiet`].filter((name) => !failed.has(name)),
);
failures.push(...blind.map((name) => `The test "${name}" holds with the series of the other one too.`));

const lines = await withOwnPostgres("alerts", checkMetrics);
rmSync(folder, { recursive: true });
console.log(
  `${rules.length} alerts, ${2 * alertCases.length} tests, ${failed.size} of them seen failing, ${targets.length} queries of ` +
    `the dashboard and ${lines} lines of /metrics checked`,
);
for (const failure of failures) console.error(`FAILED ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** The number of lines that a server answers which has done something. */
async function checkMetrics(connection: Connection): Promise<number> {
  const server = await startWholeServer({ db: await openMigrated(connection) });
  try {
    await server.registerMock();
    await ended(server, await start(server, ships("urn:dmb:dp:sea:checked:0")));
    const { text } = await send(server.url, { path: "/metrics", as: "viewer" });
    const result = promtool(["check", "metrics"], text);
    if (result.status !== 0) failures.push(`promtool check metrics: ${result.output}`);
    const planted = promtool(["check", "metrics"], `${text}# TYPE planted_total gauge\nplanted_total 1\n`);
    if (planted.status === 0) failures.push("promtool check metrics does not see a planted mistake.");
    return text.split("\n").length;
  } finally {
    await server.close();
  }
}
