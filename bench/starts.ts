/**
 * How many starts are accepted per second? A server as a process of its own that drives no plans, new units of eight
 * components in three layers, 32 callers at once; as a ratio to one transaction with the same number of rows on the
 * same PostgreSQL, written by hand from as many callers. The goal is 400 starts per second.
 *
 *   node bench/starts.ts [--seconds 10] [--alone]
 */
import pg from "pg";
import { Pool } from "undici";
import { startEmbedded } from "../src/platform/db/start/embedded.ts";
import { benchCommand } from "./support/command.ts";
import { cpuOf } from "./support/process-use.ts";
import { callJson, startServerProcess, unlimitedRequests } from "./support/server-process.ts";

const callers = 32;
const goal = 400;
const refusedPauseMs = 100;
const { sizes, isAlone, report } = benchCommand({ seconds: { usual: 10, quick: 4 } });
const { seconds } = sizes;

const components = Array.from({ length: 8 }, (_, n) => ({
  name: `part-${n}`,
  infrastructureTemplateId: "urn:dmb:itm:bench:1",
  needs: n < 3 ? [] : [n - 3],
}));

function startBody(unit: string): object {
  const listed = components.map(({ name, infrastructureTemplateId, needs }) => ({
    id: `${unit}:${name}`,
    name,
    infrastructureTemplateId,
    dependsOn: needs.map((n) => `${unit}:part-${n}`),
  }));
  return {
    descriptor: { id: unit, name: unit, version: "1.0.0", environment: "development", components: listed },
    targetStatus: listed.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" })),
  };
}

/** Of all calls, so that each start is of a unit of its own. */
let next = 0;

/** Calls from all callers until the time is up; how many ended well per second. */
async function rate(call: (n: number) => Promise<unknown>): Promise<number> {
  let made = 0;
  const until = performance.now() + seconds * 1000;
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      await call(next++);
      made++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return made / seconds;
}

/** The rows of a start by hand: one plan, its tasks, the operation, in one transaction. */
async function byHand(pool: pg.Pool, n: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("insert into bare_plans values ($1, $2)", [n, JSON.stringify(startBody(`unit:${n}`))]);
    await client.query("insert into bare_tasks select $1, generate_series(1, 16), 'WAITING'", [n]);
    await client.query("insert into bare_operations values ($1, 'SCHEDULED')", [n]);
    await client.query("commit");
  } finally {
    client.release();
  }
}

const server = await startServerProcess(unlimitedRequests, ["--workers", "off"]);
// The server has it running; this only learns where.
const postgres = await startEmbedded({ dataDir: server.dataDir });
const pool = new pg.Pool({
  ...postgres,
  host: postgres.socket ?? postgres.host,
  database: "postgres",
  max: callers,
});
try {
  const base = `${server.url}/api/coordinator`;
  await callJson(`${base}/v1/tech-adapters`, "POST", {
    id: "urn:dmb:itm:bench:1",
    version: "1",
    name: "Bench",
  });
  const deployment = `${base}/v1/tech-adapters/urn:dmb:itm:bench:1/deployments/development`;
  await callJson(deployment, "PUT", { url: "http://127.0.0.1:9" });
  await pool.query("create table bare_plans (id int primary key, request json)");
  await pool.query("create table bare_tasks (plan int, n int, status text, primary key (plan, n))");
  await pool.query("create table bare_operations (id int primary key, status text)");
  // The callers share the machine with the server, so they call in the cheapest way that there is.
  const calls = new Pool(server.url, { connections: callers });
  const start = async (n: number): Promise<void> => {
    // On a busy machine the server refuses some of so many callers at once.
    while (!(await isAccepted(n))) await new Promise((done) => setTimeout(done, refusedPauseMs));
  };
  const isAccepted = async (n: number): Promise<boolean> => {
    const unit = `bench-${n}:1`;
    const path = `/api/coordinator/v2/deployment-units/${unit}/provisioning?environment=development`;
    const headers = { "content-type": "application/json" };
    const answer = await calls.request({
      method: "POST",
      path,
      headers,
      body: JSON.stringify(startBody(unit)),
    });
    const text = await answer.body.text();
    if (answer.statusCode === 503) return false;
    if (answer.statusCode !== 202) throw new Error(`${answer.statusCode} ${text}`);
    return true;
  };
  const bare = isAlone ? 0 : await rate((n) => byHand(pool, n));
  // As a server that has been started for a while: compiling its code is the question of `start.ts`.
  await rate(start);
  const cpuBefore = await cpuOf(server.pid);
  const ours = await rate(start);
  const cpuMsPerUnit = ((await cpuOf(server.pid)) - cpuBefore) / (ours * seconds);
  console.log(
    `starts accepted      ${ours.toFixed(0)} /s (goal ${goal}: ${ours >= goal ? "met" : "MISSED"})`,
  );
  if (!isAlone) console.log(`the rows by hand     ${bare.toFixed(0)} /s   ratio ${(ours / bare).toFixed(2)}`);
  report({ name: "starts", unit: "start", cpuMsPerUnit, perSecond: ours });
  process.exitCode = ours >= goal ? 0 : 1;
  await calls.close();
} finally {
  await pool.end();
  await postgres.stop();
  await server.close();
}
