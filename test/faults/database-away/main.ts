/**
 * `node test/faults/database-away/main.ts --operations 200 [--seed N]`: a PostgreSQL of its own is restarted,
 * frozen and cut off for 0 to 2 s every 5 to 10 s while operations run. Ends with 1 when anything went wrong.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmbedded } from "../../../src/platform/db/start/embedded.ts";
import { ensureDatabase } from "../../../src/platform/db/migrations/migrate.ts";
import { freeze, kill, restart, wireFaults } from "../database-faults.ts";
import { openWire } from "../wire.ts";
import { runDatabaseAway, type DatabaseAwayReport } from "./run.ts";

const { values } = parseArgs({
  options: {
    operations: { type: "string", default: "200" },
    seed: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});
const operations = Number(values.operations);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (![operations, seed].every((n) => Number.isInteger(n) && n >= 0)) {
  console.error("--operations and --seed must be whole numbers");
  process.exit(2);
}

console.log(`${operations} operations, seed ${seed}`);
const dataDir = await mkdtemp(join(tmpdir(), "plinth-away-db-"));
const server = await startEmbedded({ dataDir });
const wire = await openWire(server.host, server.port);
try {
  const { host, port, user, password } = server;
  const own = { dataDir, settings: { port: String(port) } };
  const direct = { host, port, user, password, dbname: "away", schema: "cgp" };
  await ensureDatabase(direct);
  const report = await runDatabaseAway({
    connection: { ...direct, host: "127.0.0.1", port: wire.port },
    direct,
    faults: [...wireFaults(wire), restart(own), freeze(own), kill(own)],
    operations,
    callers: 4,
    awayMs: { least: 0, most: 2_000 },
    betweenMs: { least: 5_000, most: 10_000 },
    seed,
    say: values.verbose ? console.log : () => undefined,
  });
  print(report);
  process.exitCode = report.violations.length > 0 ? 1 : 0;
} finally {
  wire.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function print(report: DatabaseAwayReport): void {
  const faults = Object.entries(report.faults).map(
    ([name, { times, ms }]) => `${name} ${times} x (${(ms / 1_000).toFixed(1)} s)`,
  );
  const lines = {
    operations: `${report.operations} in ${report.seconds.toFixed(0)} s, the slowest ${(report.slowestMs / 1_000).toFixed(1)} s`,
    faults: faults.join(", "),
    answers: Object.entries(report.answers)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, times]) => `${name}: ${times}`)
      .join(", "),
    "adapter calls": `${report.calls}, of them ${report.repeats} repeats under the same key`,
    takeovers: String(report.takeovers),
    violations: String(report.violations.length),
  };
  for (const [name, line] of Object.entries(lines)) console.log(`${name.padEnd(16)} ${line}`);
  for (const violation of report.violations.slice(0, 50)) console.log(`  ${violation}`);
}
