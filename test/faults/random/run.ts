/**
 * Two instances of the product over one database drive plans while random faults befall the database, the processes and
 * the network; then what callers, streams, rows and the adapter's journal say is held against each other.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseVariables, mockUrl, startMock, stopChild, type Child } from "../../crash/processes.ts";
import { seededRandom } from "../../crash/random.ts";
import { openWire, type Wire } from "../wire.ts";
import { allFaults, type Targets } from "./all-faults.ts";
import { createInstance, type Instance } from "./instance.ts";
import { startCluster, type OwnCluster } from "./own-cluster.ts";
import type { FaultWindow } from "./records.ts";
import { injectFaults, type ScheduleOptions } from "./schedule.ts";
import { leaseMs, paceVariables, runUnderLoad, type LoadRunReport } from "./under-load.ts";

export interface FaultRunOptions extends Pick<
  ScheduleOptions,
  "lastMs" | "quietMs" | "shareOfPairs" | "say"
> {
  /** The script that is the product: its sources, or the bundle that was built of them. */
  program: string;
  /** Only faults whose name contains one of these texts; all when it is empty. */
  only: readonly string[];
  /** Both end the faults; none when they are not given. */
  seconds?: number;
  rounds?: number;
  units: number;
  seed: number;
  /** Ends the faults early; what was started is still followed to its end. */
  signal?: AbortSignal;
}

export interface FaultRunReport extends LoadRunReport {
  /** Logs of every process; kept when something was wrong. */
  logs: string | null;
}

export async function runFaults(options: FaultRunOptions): Promise<FaultRunReport> {
  const cluster = await startCluster();
  const home = await mkdtemp(join(tmpdir(), "plinth-faults-"));
  const children: Child[] = [];
  const wires: Wire[] = [];
  const instances: Instance[] = [];
  let hasFailed = true;
  try {
    const journalFile = join(home, "journal.jsonl");
    const adapter = startMock({ cwd: home, env: {}, logFile: join(home, "adapter.log") }, journalFile);
    children.push(adapter);
    const adapterUrl = new URL(await mockUrl(adapter));
    const adapterWire = await openWire(adapterUrl.hostname, Number(adapterUrl.port));
    wires.push(adapterWire);
    for (const name of ["A", "B"]) {
      const wire = await openWire(cluster.connection.host, cluster.connection.port);
      wires.push(wire);
      instances.push(createServer({ name, wire, home, cluster, program: options.program }));
    }
    const report = await runUnderLoad(
      {
        instances,
        connection: () => cluster.connection,
        adapterUrl: `http://127.0.0.1:${adapterWire.port}`,
        journalFile,
      },
      { ...options, disturb: (windows) => disturb({ cluster, instances, adapterWire }, options, windows) },
    );
    hasFailed = report.violations.length > 0;
    return { ...report, logs: hasFailed ? home : null };
  } finally {
    await Promise.all(instances.map((instance) => instance.close()));
    await Promise.all(children.map((child) => stopChild(child)));
    for (const wire of wires) wire.close();
    await cluster.close();
    if (!hasFailed) await rm(home, { recursive: true, force: true });
  }
}

interface ServerOptions {
  home: string;
  cluster: OwnCluster;
  name: string;
  wire: Wire;
  program: string;
}

function createServer({ name, wire, home, cluster, program }: ServerOptions): Instance {
  const connection = { ...cluster.connection, host: "127.0.0.1", port: wire.port };
  const env = { ...databaseVariables(connection), ...paceVariables };
  const settings = { cwd: home, env, logFile: join(home, `${name}.log`) };
  return createInstance({ name, program, wire, settings });
}

type Disturbed = Pick<Targets, "cluster" | "instances" | "adapterWire">;

async function disturb(
  disturbed: Disturbed,
  options: FaultRunOptions,
  windows: FaultWindow[],
): Promise<void> {
  const random = seededRandom(options.seed);
  const faults = allFaults({ ...disturbed, leaseMs, random });
  const { only, signal, seconds = Infinity, rounds = Infinity } = options;
  const timeIsUp = new AbortController();
  const timer = setTimeout(() => timeIsUp.abort(), Math.min(seconds * 1_000, 2 ** 31 - 1));
  await injectFaults({
    ...options,
    faults: faults.filter(({ name }) => only.length === 0 || only.some((text) => name.includes(text))),
    random,
    windows,
    rounds,
    until: signal ? AbortSignal.any([timeIsUp.signal, signal]) : timeIsUp.signal,
  });
  clearTimeout(timer);
}
