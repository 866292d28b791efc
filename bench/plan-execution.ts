/**
 * How fast are plans executed, as a ratio to the same graph driven with two plain PostgreSQL commits per task?
 *
 * 1,000 tasks in 10 layers of 100 with 3 dependencies each, one loopback HTTP call per task, at most 64 at once, all
 * sides in one run in turn, fsync on. The plain side commits each transition by itself, as one statement: once with
 * all that the engine does in it (task, event, log line, component, notice to the readers), once the state alone. The
 * last column is the ceiling: the calls alone, nothing written. Then the latency from the end of a task to the start
 * of its successor on an idle system. `node bench/plan-execution.ts [--rounds 5] [--alone]`
 */
import { Agent, request } from "undici";
import { drivePlan, type Drive } from "../src/coordinator/execution/run.ts";
import { claimPlan } from "../src/coordinator/execution/store.ts";
import { eventsChannel } from "../src/platform/events/events.ts";
import { newId } from "../src/platform/lib/ids.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { createOutbound } from "../src/platform/outbound/outbound.ts";
import { benchCommand } from "./support/command.ts";
import {
  benchDatabase,
  layeredGraph,
  median,
  nullAdapter,
  percentile,
  type LayeredTask,
} from "./support/fixtures.ts";
import { withCpu, type Measured } from "./support/process-use.ts";
import { newEngine, runEngine, storePlan, type EngineSide } from "./support/engine-side.ts";

const width = 64;
const { sizes, isAlone, report } = benchCommand({ rounds: { usual: 5, quick: 4 } });
const { rounds } = sizes;

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
const side: EngineSide = { database: db.database, outbound, adapterUrl: adapter.url, width };
const engine = newEngine(side);
const graph = layeredGraph(10, 100, 3);
await db.database.pool.query(
  "create table plain_tasks (run text, id text, status text, primary key (run, id))",
);

/** All sides in turn; `listed` are the components that each call's body carries. */
async function compare(name: string, listed: LayeredTask[]): Promise<void> {
  const runOurs = () => withCpu(() => runEngine(side, engine, { tasks: graph, listed }));
  const plainSides = isAlone ? [] : [sameWork, stateOnly, nothing];
  await runOurs();
  for (const commits of plainSides) await runPlain(listed, commits);
  const runs: Measured<number>[] = [];
  const rates: number[][] = plainSides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    runs.push(await runOurs());
    for (const [n, commits] of plainSides.entries()) {
      rates[n]?.push(graph.length / (await runPlain(listed, commits)));
    }
  }
  const ours = median(runs.map(({ result: seconds }) => graph.length / seconds));
  const others = rates.map(median);
  const columns = others.map((rate) => `${rate.toFixed(0)} /s (${(ours / rate).toFixed(2)})`.padStart(18));
  console.log(`  ${name.padEnd(20)}${`${ours.toFixed(0)} /s`.padStart(8)}${columns.join("")}`);
  const cpuMsPerUnit = median(runs.map(({ cpuMs }) => cpuMs / graph.length));
  report({ name: `plan-execution, ${name}`, unit: "task", cpuMsPerUnit, perSecond: ours });
}

/** How a plain side makes a task's two states durable. */
interface Commits {
  prepare(): Promise<string>;
  start(run: string, id: string): Promise<unknown>;
  end(run: string, id: string): Promise<unknown>;
}

const nothing: Commits = {
  prepare: () => Promise.resolve(""),
  start: () => Promise.resolve(),
  end: () => Promise.resolve(),
};

const setState = (run: string, id: string, status: string): Promise<unknown> =>
  db.database.pool.query({
    name: "plain-state",
    text: "update plain_tasks set status = $3 where run = $1 and id = $2",
    values: [run, id, status],
  });

const stateOnly: Commits = {
  async prepare() {
    const run = newId();
    const ids = graph.map(({ id }) => id);
    const text = "insert into plain_tasks select $1, id, 'WAITING' from unnest($2::text[]) id";
    await db.database.pool.query(text, [run, ids]);
    return run;
  },
  start: (run, id) => setState(run, id, "RUNNING"),
  end: (run, id) => setState(run, id, "COMPLETED"),
};

/** The engine's work in each transition, without the fence and the number against repeats. */
const sameWork: Commits = {
  prepare: () => storePlan(side, graph, []),
  start: (run, id) =>
    db.database.pool.query({
      name: "plain-start",
      text: `with task as (
          update plan_tasks set status = 'RUNNING', intent_at = $3, started_at = $3, attempts = 1,
            may_have_acted = true
          where plan_id = $1 and task_id = $2 and status = 'WAITING' returning 1),
        event as (insert into events (stream, type, at, data) select $4, 'task', $3, $5 from task)
        select pg_notify('${eventsChannel}', $4) from task`,
      values: [run, `provision:${id}`, new Date(), `plan:${run}`, taskData(id, "RUNNING")],
    }),
  end: (run, id) =>
    db.database.pool.query({
      name: "plain-end",
      text: `with task as (
          update plan_tasks set status = 'COMPLETED', result = '', stopped_at = $3
          where plan_id = $1 and task_id = $2 and status = 'RUNNING' returning 1),
        component as (
          insert into unit_components (unit_key, environment, component_key, component_id, name, status,
            infrastructure_template_id, descriptor, hash, descriptor_version, last_operation, plan_id)
          select $1, 'development', $6, $6, $6, 'DEPLOYED', 'adapter', $7, 'hash', '1', $8, $1 from task),
        event as (
          insert into events (stream, type, at, level, data)
          select $4, type, $3, level, data::json from task,
            (values ('log', 20::smallint, $9), ('task', null, $5)) as event (type, level, data))
        select pg_notify('${eventsChannel}', $4) from task`,
      values: [
        run,
        `provision:${id}`,
        new Date(),
        `plan:${run}`,
        taskData(id, "COMPLETED"),
        id,
        JSON.stringify({ id }),
        JSON.stringify({ operation: "Deploy", status: "Successful" }),
        JSON.stringify({
          severity: "INFO",
          task: `provision:${id}`,
          message: `Provisioning of ${id} completed.`,
        }),
      ],
    }),
};

const taskData = (id: string, status: string): string =>
  JSON.stringify({ id: `provision:${id}`, status, action: "PROVISION", componentId: id });

/** The same graph, calls and bodies of the same size, by hand; seconds. */
async function runPlain(listed: LayeredTask[], commits: Commits): Promise<number> {
  const run = await commits.prepare();
  const agent = new Agent({ connections: 128 });
  const body = JSON.stringify({ descriptor: JSON.stringify(listed) });
  const dependants = new Map<string, LayeredTask[]>();
  const missing = new Map<string, number>();
  for (const task of graph) {
    missing.set(task.id, task.dependsOn.length);
    for (const id of task.dependsOn) dependants.set(id, [...(dependants.get(id) ?? []), task]);
  }
  const ready = graph.filter((task) => task.dependsOn.length === 0);
  let running = 0;
  let left = graph.length;
  const started = performance.now();
  await new Promise<void>((done, fail) => {
    const one = async (task: LayeredTask): Promise<void> => {
      await commits.start(run, task.id);
      const answer = await request(`${adapter.url}/v1/provision`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
        dispatcher: agent,
      });
      await answer.body.json();
      await commits.end(run, task.id);
    };
    const pump = (): void => {
      while (running < width) {
        const task = ready.shift();
        if (!task) break;
        running++;
        one(task).then(() => {
          running--;
          left--;
          for (const after of dependants.get(task.id) ?? []) {
            const open = (missing.get(after.id) ?? 1) - 1;
            missing.set(after.id, open);
            if (open === 0) ready.push(after);
          }
          if (left === 0) done();
          else pump();
        }, fail);
      }
    };
    pump();
  });
  const seconds = (performance.now() - started) / 1000;
  await agent.close();
  return seconds;
}

/** A chain of 200 tasks, one at a time: from the written end of each to the written start of the next. */
async function handOverLatency(): Promise<number[]> {
  const chain: LayeredTask[] = Array.from({ length: 200 }, (_, n) => ({
    id: `c${n}`,
    dependsOn: n === 0 ? [] : [`c${n - 1}`],
  }));
  const planId = await storePlan(side, chain, []);
  const plan = await claimPlan(db.database, planId, { workerId: newId(), at: new Date() });
  if (!plan) throw new Error("the plan could not be claimed");
  const ends: number[] = [];
  const starts: number[] = [];
  const { writer } = engine;
  const timed: Drive = {
    ...engine,
    // The end counts from the adapter's answer being written, the start when the next intent is committed.
    writer: {
      ...writer,
      async write(claim, write) {
        const status = write.changes[0]?.status;
        if (status === "COMPLETED") ends.push(performance.now());
        await writer.write(claim, write);
        if (status === "RUNNING") starts.push(performance.now());
      },
    },
  };
  await drivePlan(timed, plan).done;
  return ends.slice(0, -1).map((end, n) => (starts[n + 1] ?? Number.NaN) - end);
}

try {
  console.log(
    `1,000 tasks, 10 layers of 100, 3 dependencies each, at most ${width} at once, ${rounds} rounds`,
  );
  console.log("tasks per second (ratio of the engine to it)   two plain commits per task of");
  console.log("                        engine         same work        state only        calls only");
  await compare("small call bodies", []);
  await compare("whole unit in each", graph);
  if (!isAlone) {
    const gaps = await handOverLatency();
    console.log(`end of a task to start of its successor, idle, ${gaps.length} times`);
    console.log(
      `  p50 ${median(gaps).toFixed(1)} ms (goal 10)   p99 ${percentile(gaps, 0.99).toFixed(1)} ms (goal 50)`,
    );
  }
} finally {
  await outbound.close();
  adapter.close();
  await db.close();
}
