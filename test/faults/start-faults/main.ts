/**
 * `node test/faults/start-faults/main.ts [--seed 1] [--sample 60] [--only "role limit"] [--from 700] [--parallel 2] [--sources]`: starts
 * the product with one fault at each connection, statement and address of its start, and with SIGTERM there. Ends with 1
 * when a start lived on half-way, ended too late, said nothing useful, or left something behind. `--from` leaves out so many
 * of the first points, to go on with a run that was stopped.
 */
import { availableParallelism, tmpdir } from "node:os";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "../../../scripts/bundle.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { startEmbedded } from "../../../src/platform/db/start/embedded.ts";
import { ensureDatabase, migrate } from "../../../src/platform/db/migrations/migrate.ts";
import { silentLogger } from "../../../src/platform/lib/logger.ts";
import { sourceProgram } from "../../crash/processes.ts";
import { seededRandom } from "../../crash/random.ts";
import { drawPoints, nameOf, type Point } from "./points.ts";
import { runStartFaults, type Tried } from "./run.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    sample: { type: "string" },
    only: { type: "string" },
    from: { type: "string", default: "0" },
    parallel: { type: "string", default: String(availableParallelism()) },
    sources: { type: "boolean", default: false },
    program: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});
const root = join(import.meta.dirname, "../../..");
const seed = Number(values.seed);
const random = seededRandom(seed);
const { only } = values;
const program = values.program ?? join(root, values.sources ? sourceProgram : "dist/plinth.js");
if (values.program === undefined && !values.sources) await bundle(join(root, "dist"));

const choose = (points: Point[]): Point[] => {
  const wanted = only === undefined ? points : points.filter((point) => nameOf(point).includes(only));
  const left = wanted.slice(Number(values.from));
  return values.sample === undefined ? left : drawPoints(left, Number(values.sample), random);
};

console.log(`seed ${seed}, ${program}`);
const dataDir = await mkdtemp(join(tmpdir(), "plinth-start-db-"));
const server = await startEmbedded({ dataDir, settings: { fsync: "off", max_connections: "300" } });
try {
  const { host, port, user, password } = server;
  const template = { host, port, user, password, dbname: "start_faults", schema: "cgp" };
  await ensureDatabase(template);
  const database = openDatabase({ connection: template, log: silentLogger, poolSize: 1 });
  await migrate(database);
  await database.close();
  const { points, tried, violations } = await runStartFaults({
    template,
    program,
    roles: ["on", "only"],
    choose,
    parallel: Number(values.parallel),
    say: console.log,
  });
  if (values.verbose)
    for (const { point, outcome } of tried)
      console.log(`${nameOf(point)}: ${outcome.ended} after ${outcome.tookMs} ms ${outcome.reason}`);
  console.log(summaryOf(tried, points));
  console.log(`violations    ${violations.length}`);
  for (const violation of violations.slice(0, 60)) console.log(`  ${violation}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function summaryOf(tried: Tried[], points: number): string {
  const failed = tried.filter(({ point, outcome }) => point.kind !== "signal" && outcome.ended !== "up");
  const ended = tried.filter(({ point }) => point.kind === "signal" || point.kind === "embedded");
  const longest = (some: Tried[]): number => Math.max(0, ...some.map(({ outcome }) => outcome.tookMs));
  const up = tried.filter(({ outcome }) => outcome.ended === "up").length;
  return [
    `points        ${tried.length} of ${points}`,
    `came up       ${up}`,
    `ended         ${failed.length}, the slowest ${longest(failed)} ms after its fault`,
    `SIGTERM       ${ended.length}, the slowest ${longest(ended)} ms after it`,
  ].join("\n");
}
