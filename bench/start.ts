/**
 * How much CPU does a process need until it is up? The bundle with all areas, over a PostgreSQL that runs and is migrated,
 * as a ratio to a Node.js that does nothing.
 *
 *   node bench/start.ts [--starts 20] [--alone]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../src/platform/db/start/embedded.ts";
import { databaseVariables } from "../test/crash/processes.ts";
import { benchCommand } from "./support/command.ts";
import { median } from "./support/fixtures.ts";
import { cpuOf } from "./support/process-use.ts";
import { buildBundle, bundle, startServerProcess } from "./support/server-process.ts";

const { sizes, isAlone, report } = benchCommand({ starts: { usual: 20, quick: 6 } });

interface Start {
  cpuMs: number;
  seconds: number;
}

const mean = (starts: Start[]): number =>
  starts.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / Math.max(1, starts.length);

/** All starts have one data directory, which holds the key of the installation. */
async function startOurs(variables: Record<string, string>, home: string): Promise<Start> {
  const began = performance.now();
  const server = await startServerProcess(variables, ["--data-dir", home], bundle);
  const seconds = (performance.now() - began) / 1000;
  const cpuMs = await cpuOf(server.pid);
  await server.close();
  return { cpuMs, seconds };
}

/** Its CPU is read before it ends. */
async function startNothing(): Promise<Start> {
  const began = performance.now();
  const program = "console.log(1); setTimeout(() => {}, 10_000)";
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const start = { cpuMs: await cpuOf(child.pid ?? 0), seconds: (performance.now() - began) / 1000 };
  child.kill();
  await once(child, "exit");
  return start;
}

await buildBundle();
const dataDir = await mkdtemp(join(tmpdir(), "plinth-bench-"));
const postgres = await startEmbedded({ dataDir });
try {
  const { host, port, user, password } = postgres;
  const home = join(dataDir, "server");
  const connection = { host, port, user, password, dbname: "postgres", schema: "cgp" };
  // The first start migrates the database, and fills the compile cache.
  await startOurs(databaseVariables(connection), home);
  const [ours, nothing]: [Start[], Start[]] = [[], []];
  for (let n = 0; n < sizes.starts; n += 1) {
    ours.push(await startOurs(databaseVariables(connection), home));
    if (!isAlone) nothing.push(await startNothing());
  }
  console.log(`a start of the bundle    ${mean(ours).toFixed(0)} ms of CPU`);
  if (!isAlone)
    console.log(
      `a Node.js that is idle   ${mean(nothing).toFixed(0)} ms   ratio ${(mean(ours) / mean(nothing)).toFixed(1)}`,
    );
  const perSecond = 1 / median(ours.map(({ seconds }) => seconds));
  report({ name: "start", unit: "start", cpuMsPerUnit: mean(ours), perSecond });
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
