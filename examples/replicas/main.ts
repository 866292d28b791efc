/**
 * Replicas: one PostgreSQL, two API processes, three workers; 200 plans; two workers are killed in mid-run. Then it measures
 * the limits that hold for all processes together, with three processes of each kind.
 * `npm run example:replicas -- [--plans 200] [--kills 2]` ends with 0 when every plan ended right.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { check, type Findings } from "./check.ts";
import {
  measureRequests,
  measureTasks,
  narrowTechnology,
  requestsPerMinute,
  tasksOfNarrow,
  type LimitsFindings,
} from "./limits.ts";
import { followPlan, isOver, registerAdapter, startPlan, type Plan } from "./plans.ts";
import { createProcesses, type Processes, type Running } from "../processes.ts";

const { values } = parseArgs({
  options: { plans: { type: "string", default: "200" }, kills: { type: "string", default: "2" } },
});
const planCount = Number(values.plans);
const killCount = Number(values.kills);
if (!(planCount >= 1) || ![0, 1, 2].includes(killCount)) {
  console.error("--plans must be a number from 1, --kills 0, 1 or 2");
  process.exit(2);
}

/** Concurrent callers that start plans. */
const callers = 8;

const interrupt = new AbortController();
const interrupted = new Promise<never>((_, fail) => {
  interrupt.signal.addEventListener("abort", () => fail(new Error("Interrupted.")));
});
const began = performance.now();
const say = (line: string): void =>
  console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(5)} s  ${line}`);

const home = await mkdtemp(join(tmpdir(), "plinth-replicas-"));
const processes = createProcesses(home);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (interrupt.signal.aborted) {
      for (const { child } of processes.all) child.kill("SIGKILL");
      process.exit(130);
    }
    say("stopping everything; a second Ctrl-C does not wait");
    interrupt.abort();
  });
}
try {
  process.exitCode = await Promise.race([runExample(processes), interrupted]);
} catch (error) {
  process.exitCode = interrupt.signal.aborted ? 130 : 1;
  if (!interrupt.signal.aborted) console.error((error as Error).message);
} finally {
  await processes.stopAll();
  await rm(home, { recursive: true, force: true });
}

async function runExample(group: Processes): Promise<number> {
  const installation = await startInstallation(group);
  interrupt.signal.throwIfAborted();
  const failed = new AbortController();
  const signal = AbortSignal.any([interrupt.signal, failed.signal]);
  say(`starting ${planCount} plans, every other one at each API process`);
  const plans: Plan[] = [];
  const following: Promise<void>[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < planCount) {
      signal.throwIfAborted();
      const n = next++;
      const plan = await startPlan(installation.apis[n % 2]!, `urn:example:unit:${n}`);
      plans.push(plan);
      // Followed at the other API process: each shows what the other accepted.
      following.push(followPlan(installation.apis[(n + 1) % 2]!, plan, signal));
    }
  };
  const load = Promise.all(Array.from({ length: callers }, caller)).then(() => Promise.all(following));
  const progressTimer = setInterval(() => say(progress(plans, group.all)), 1_000);
  try {
    await Promise.all([load, killInMidRun(group, installation, { plans, signal })]);
  } catch (error) {
    // Otherwise the followers of the plans would retry for ever.
    failed.abort();
    throw error;
  } finally {
    clearInterval(progressTimer);
  }
  say(progress(plans, group.all));
  const findings = await check({ ...installation, plans, killed: group.all.filter(({ killedAt }) => killedAt) });
  const limits = await measureLimits(group, installation);
  print(findings, limits, group.all);
  return findings.problems.length + limits.problems.length > 0 ? 1 : 0;
}

/** API processes with a small rate limit take the place of the first ones. */
async function measureLimits(group: Processes, installation: Installation): Promise<LimitsFindings> {
  const { signal } = interrupt;
  say(`measuring: one adapter may have ${tasksOfNarrow} tasks, and another worker joins`);
  const tasks = await measureTasks(installation.apis, {
    signal,
    join: async () => void (await installation.startWorker("worker 4").waitForLine("workerId")),
  });
  say(`measuring: a caller may send ${requestsPerMinute} requests a minute to three API processes`);
  await group.stop(group.all.filter(({ name }) => name.startsWith("api")));
  const limit = { PLINTH_SERVER_RATE_LIMIT_PER_MINUTE: String(requestsPerMinute) };
  const urls = await Promise.all(["api 3", "api 4", "api 5"].map((name) => installation.startApi(name, limit)));
  const requests = await measureRequests(urls, signal);
  return {
    rows: { ...tasks.rows, ...requests.rows },
    problems: [...tasks.problems, ...requests.problems],
  };
}

interface Installation {
  apis: string[];
  adapter: string;
  workers: Running[];
  startWorker: (name: string) => Running;
  /** Resolves with the address of the coordinator's interface. */
  startApi: (name: string, own?: Record<string, string>) => Promise<string>;
}

async function startInstallation(group: Processes): Promise<Installation> {
  const postgres = group.start("postgres", "scripts/postgres.ts", ["--data-dir", join(home, "database")]);
  const adapter = group.start("adapter", "src/adapters/mock/main.ts", []);
  const database = await postgres.waitForLine("password");
  // What an operator would put into the environment of every process.
  const env = {
    COORDINATOR_DB_HOST: String(database["host"]),
    COORDINATOR_DB_PORT: String(database["port"]),
    COORDINATOR_DB_USERNAME: String(database["user"]),
    COORDINATOR_DB_PASSWORD: String(database["password"]),
    COORDINATOR_DB_DBNAME: "replicas",
    PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: "100",
  };
  say(`PostgreSQL takes connections on port ${env.COORDINATOR_DB_PORT}`);
  const narrow = { adapters: [{ id: narrowTechnology, parallelTasks: tasksOfNarrow }] };
  await writeFile(join(home, "plinth.yaml"), JSON.stringify({ coordinator: { execution: narrow } }));
  const apiArguments = ["start", "--areas", "coordinator", "--workers", "off", "--port", "0"];
  const startApi = async (name: string, own = {}): Promise<string> => {
    const api = group.start(name, "src/cli/main.ts", apiArguments, { ...env, ...own });
    const url = String((await api.waitForLine("url"))["url"]);
    say(`${name} listens on ${url}, workers off`);
    return `${url}/api/coordinator`;
  };
  const starting = ["api 1", "api 2"].map((name) => startApi(name));
  const startWorker = (name: string): Running =>
    group.start(name, "src/cli/main.ts", ["start", "--workers", "only"], env);
  const workers = ["worker 1", "worker 2", "worker 3"].map(startWorker);
  const bases = await Promise.all(starting);
  await Promise.all(workers.map((worker) => worker.waitForLine("workerId")));
  say(`${workers.length} workers take plans`);
  const adapterUrl = String((await adapter.waitForLine("listening"))["listening"]);
  await registerAdapter(bases[0]!, adapterUrl);
  return { apis: bases, adapter: adapterUrl, workers, startWorker, startApi };
}

/** Worker 2 is killed and not replaced; worker 3 is killed and started again. */
async function killInMidRun(
  group: Processes,
  installation: Installation,
  { plans, signal }: { plans: readonly Plan[]; signal: AbortSignal },
): Promise<void> {
  for (let kill = 0; kill < killCount; kill++) {
    const share = (kill + 1) / (killCount + 2);
    while (plans.filter(isOver).length < planCount * share) {
      signal.throwIfAborted();
      await new Promise((next) => setTimeout(next, 20));
    }
    const victim = installation.workers[kill + 1]!;
    await group.kill(victim);
    say(`KILLED ${victim.name} (SIGKILL), ${kill === 0 ? "and it stays dead" : "and it is started again"}`);
    if (kill > 0) installation.startWorker(`${victim.name}, again`);
  }
}

function progress(plans: readonly Plan[], all: readonly Running[]): string {
  const over = plans.filter(isOver).length;
  const workers = all.filter(({ name }) => name.startsWith("worker"));
  const alive = workers.filter((worker) => !worker.isGone()).length;
  return `${String(over).padStart(4)} of ${planCount} plans ended, ${plans.length - over} open, ${alive} workers alive`;
}

function print(
  { takeoversMs, problems: ofPlans, calls, repeats }: Findings,
  limits: LimitsFindings,
  all: readonly Running[],
): void {
  const problems = [...ofPlans, ...limits.problems];
  const sorted = takeoversMs.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  console.log();
  for (const { name, killedAt } of all)
    console.log(`${name.padEnd(18)} ${killedAt === null ? "ran to the end" : "killed"}`);
  const rows = {
    "adapter calls": `${calls}, of them ${repeats} repeats of calls in flight at a kill, under the same key`,
    "taken over": `${sorted.length} plans; after the kill: half within ${middle} ms, the last after ${sorted.at(-1) ?? 0} ms`,
    ...limits.rows,
    result: problems.length === 0 ? `all ${planCount} plans ended right` : `${problems.length} problems`,
  };
  for (const [name, row] of Object.entries(rows)) console.log(`${name.padEnd(18)} ${row}`);
  for (const problem of problems.slice(0, 30)) console.log(`  ${problem}`);
}
