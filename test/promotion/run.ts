/**
 * Two instances of the product drive plans while the standby of their database takes the primary's place, again and again; then
 * what callers, streams, rows and the adapter's journal say is held against each other.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseVariables, mockUrl, startMock, stopChild, type Child } from "../crash/processes.ts";
import { createInstance, type Instance } from "../faults/random/instance.ts";
import { paceVariables, runUnderLoad, type LoadRunReport } from "../faults/random/under-load.ts";
import type { FaultWindow } from "../faults/random/records.ts";
import { openWire, type Wire } from "../faults/wire.ts";
import { measureBack, parts, type Back, type Installed } from "./back.ts";
import { failovers, type Failover } from "./failovers.ts";
import { closePair, connectionTo, startPair, type Pair } from "./pair.ts";

export interface PromotionOptions {
  /** The script that is the product. */
  program: string;
  /** Each kind of failover once in a round. */
  rounds: number;
  /** Only kinds whose name contains it; all when it is empty. */
  only: string;
  units: number;
  seed: number;
  say: (line: string) => void;
}

export interface PromotionReport extends LoadRunReport {
  backs: { name: string; back: Back }[];
  /** Logs of every process; kept when something was wrong. */
  logs: string | null;
}

/** From the moment at which new connections reach a primary until every part works with it. */
const longestBackMs = 20_000;
const quietMs = 3_000;

export async function runPromotions(options: PromotionOptions): Promise<PromotionReport> {
  const pair = await startPair();
  const home = await mkdtemp(join(tmpdir(), "plinth-promotion-logs-"));
  const children: Child[] = [];
  const wires: Wire[] = [];
  const instances: Instance[] = [];
  let hasFailed = true;
  try {
    const journalFile = join(home, "journal.jsonl");
    const adapter = startMock({ cwd: home, env: {}, logFile: join(home, "adapter.log") }, journalFile);
    children.push(adapter);
    const adapterUrl = await mockUrl(adapter);
    for (const name of ["A", "B"]) {
      const connection = connectionTo(pair, pair.primary);
      const wire = await openWire(connection.host, connection.port);
      wires.push(wire);
      const env = { ...databaseVariables({ ...connection, port: wire.port }), ...paceVariables };
      const settings = { cwd: home, env, logFile: join(home, `${name}.log`) };
      instances.push(createInstance({ name, program: options.program, wire, settings }));
    }
    const disturbed = { pair, instances, adapterUrl, wires };
    const backs: PromotionReport["backs"] = [];
    const report = await runUnderLoad(
      { ...disturbed, connection: () => connectionTo(pair, pair.primary), journalFile },
      { ...options, disturb: (windows) => failOver(disturbed, options, { windows, backs }) },
    );
    const violations = [...backs.flatMap(missing), ...report.violations];
    hasFailed = violations.length > 0;
    return { ...report, backs, violations, logs: hasFailed ? home : null };
  } finally {
    await Promise.all(instances.map((instance) => instance.close()));
    await Promise.all(children.map((child) => stopChild(child)));
    for (const wire of wires) wire.close();
    await closePair(pair);
    if (!hasFailed) await rm(home, { recursive: true, force: true });
  }
}

interface Disturbed extends Installed {
  pair: Pair;
  wires: readonly Wire[];
}

type Findings = { windows: FaultWindow[]; backs: PromotionReport["backs"] };

async function failOver(
  disturbed: Disturbed,
  { rounds, only, say }: PromotionOptions,
  { windows, backs }: Findings,
): Promise<void> {
  const kinds = failovers(disturbed.pair, disturbed.wires).filter(({ name }) => name.includes(only));
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) {
      await sleep(quietMs);
      const back = await failOverOnce(disturbed, kind, windows);
      backs.push({ name: kind.name, back });
      const times = parts.map((part) => `${part} after ${back[part] ?? "MORE THAN ANY"} ms`);
      say(`${kind.name}: ${times.join(", ")}`);
    }
  }
}

async function failOverOnce(disturbed: Disturbed, kind: Failover, windows: FaultWindow[]): Promise<Back> {
  const { name, holds } = kind;
  const window: FaultWindow = { name, from: Date.now(), to: Infinity, holds };
  windows.push(window);
  await kind.begin();
  const back = await measureBack(disturbed, longestBackMs);
  await kind.end();
  window.to = Date.now();
  return back;
}

const missing = ({ name, back }: PromotionReport["backs"][number]): string[] =>
  parts.flatMap((part) =>
    back[part] === null ? [`${name}: ${part} were not back ${longestBackMs} ms after the promotion`] : [],
  );
