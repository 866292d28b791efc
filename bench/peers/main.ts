/**
 * Our engine beside Restate and DBOS: the graph of bench/plan-execution.ts (1,000 tasks in 10 layers of 100, one
 * loopback call per task, at most 64 at once), the three in turn in one run, on one machine, each with the durability
 * of its defaults; DBOS uses the same PostgreSQL as we do. Goals: at least 1.0 of Restate's tasks per second and 5
 * times those of DBOS.
 *
 * The peers are not dependencies of the project: `npm ci --prefix bench/peers` first.
 *   node bench/peers/main.ts [--rounds 5] [--alone]
 */
import { fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createOutbound } from "../../src/platform/outbound/outbound.ts";
import { benchCommand } from "../support/command.ts";
import { newEngine, runEngine } from "../support/engine-side.ts";
import { withCpu, type Measured } from "../support/process-use.ts";
import { benchDatabase, layeredGraph, median, nullAdapter } from "../support/fixtures.ts";

const width = 64;
const { sizes, isAlone, report } = benchCommand({ rounds: { usual: 5, quick: 6 } });
const graph = layeredGraph(10, 100, 3);
const layers = Array.from({ length: 10 }, (_, n) => graph.slice(n * 100, (n + 1) * 100).map(({ id }) => id));

interface Peer {
  name: string;
  goal: number;
  /** Seconds for the whole graph. */
  run(): Promise<number>;
  close(): Promise<void>;
}

const program = (file: string): string => join(import.meta.dirname, file);

async function startDbos(databaseUrl: string, adapterUrl: string): Promise<Peer> {
  const child = fork(program("dbos.mjs"), [databaseUrl, adapterUrl, String(width)]);
  await once(child, "message");
  return {
    name: "DBOS",
    goal: 5,
    async run() {
      child.send({ layers });
      const [answer]: unknown[] = await once(child, "message");
      return (answer as { seconds: number }).seconds;
    },
    close: () => endOf(child, () => child.disconnect()),
  };
}

async function startRestate(adapterUrl: string): Promise<Peer> {
  const home = await mkdtemp(join(tmpdir(), "plinth-restate-"));
  const [ingress, admin, node, service] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const server = spawn(program("node_modules/.bin/restate-server"), ["--no-logo", "--base-dir", home], {
    stdio: "ignore",
    env: {
      ...process.env,
      RESTATE_LISTEN_MODE: "tcp",
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
      RESTATE_LOG_FILTER: "error",
      DO_NOT_TRACK: "1",
    },
  });
  const handler = fork(program("restate.mjs"), [String(service), adapterUrl, String(width)], {
    silent: true,
  });
  await once(handler, "message");
  await untilAnswers(`http://127.0.0.1:${admin}/health`);
  await post(`http://127.0.0.1:${admin}/deployments`, { uri: `http://127.0.0.1:${service}` });
  return {
    name: "Restate",
    goal: 1,
    async run() {
      const started = performance.now();
      await post(`http://127.0.0.1:${ingress}/graph/run`, { layers });
      return (performance.now() - started) / 1000;
    },
    async close() {
      await endOf(handler, () => handler.disconnect());
      await endOf(server, () => server.kill("SIGKILL"));
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function endOf(child: ChildProcess, end: () => unknown): Promise<void> {
  const gone = once(child, "exit");
  end();
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function untilAnswers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((next) => setTimeout(next, 100));
  }
  throw new Error(`${url} does not answer`);
}

async function post(url: string, body: object): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
}

const db = await benchDatabase();
const adapter = await nullAdapter();
const outbound = createOutbound(
  {
    allowedSchemes: ["http"],
    blockedHosts: [],
    allowPrivateNetworks: true,
    maxResponseBytes: 1 << 20,
    timeoutMs: 30_000,
  },
  silentLogger,
);
const side = { database: db.database, outbound, adapterUrl: adapter.url, width };
const engine = newEngine(side);
const peers: Peer[] = [];

async function startPeers(): Promise<void> {
  const { host, port, user, password } = db.connection;
  const address = `${encodeURIComponent(user)}:${encodeURIComponent(password ?? "")}@${host}:${port}`;
  await db.database.pool.query("create database dbos");
  peers.push(await startDbos(`postgresql://${address}/dbos`, adapter.url));
  peers.push(await startRestate(adapter.url));
}

try {
  if (!isAlone) await startPeers();
  const runs: Measured<number>[] = [];
  const rates = new Map<string, number[]>();
  for (let round = -1; round < sizes.rounds; round++) {
    const run = await withCpu(() => runEngine(side, engine, { tasks: graph, listed: [] }));
    if (round >= 0) runs.push(run);
    for (const peer of peers) {
      const seconds = await peer.run();
      if (round >= 0) rates.set(peer.name, [...(rates.get(peer.name) ?? []), graph.length / seconds]);
    }
  }
  const ours = median(runs.map(({ result: seconds }) => graph.length / seconds));
  console.log(`1,000 tasks, 10 layers of 100, at most ${width} at once, median of ${sizes.rounds} rounds`);
  console.log(`  Plinth   ${ours.toFixed(0).padStart(6)} tasks/s`);
  const cpuMsPerUnit = median(runs.map(({ cpuMs }) => cpuMs / graph.length));
  report({ name: "peers/main", unit: "task", cpuMsPerUnit, perSecond: ours });
  for (const { name, goal } of peers) {
    const rate = median(rates.get(name) ?? []);
    const ratio = ours / rate;
    const verdict = ratio >= goal ? "met" : "MISSED";
    console.log(
      `  ${name.padEnd(8)} ${rate.toFixed(0).padStart(6)} tasks/s   ours is ${ratio.toFixed(2)} x (goal ${goal}: ${verdict})`,
    );
  }
} finally {
  for (const peer of peers) await peer.close();
  await outbound.close();
  adapter.close();
  await db.close();
}
