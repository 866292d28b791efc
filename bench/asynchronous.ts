/**
 * What does polling cost a plan? 1,000 components whose adapter works for five seconds and gives a token, 100 at once,
 * driven by the engine with the polling of a default installation. Of each limit one place is kept for other units, so
 * the engine's limit is 101. The critical path is what the same work takes
 * when every end is known at once: waves of 100, each as long as one task. Goals: at most 1.1 times the critical
 * path, at most 6 polls for any task.
 *
 *   node bench/asynchronous.ts [--seconds 5] [--tasks 1000] [--limit 100]
 */
import { parseArgs } from "node:util";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { createOutbound } from "../src/platform/outbound/outbound.ts";
import { asynchronousAdapter } from "./support/asynchronous-adapter.ts";
import { newEngine, runEngine } from "./support/engine-side.ts";
import { benchDatabase, layeredGraph } from "./support/fixtures.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    tasks: { type: "string", default: "1000" },
    limit: { type: "string", default: "100" },
  },
});
const [taskSeconds, tasks, limit] = [Number(values.seconds), Number(values.tasks), Number(values.limit)];
const goals = { ratio: 1.1, polls: 6 };

const db = await benchDatabase();
const adapter = await asynchronousAdapter(taskSeconds * 1000);
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
try {
  const side = { database: db.database, outbound, adapterUrl: adapter.url, width: limit + 1 };
  const criticalSeconds = Math.ceil(tasks / limit) * taskSeconds;
  console.log(`${tasks} components, ${taskSeconds} s each, at most ${limit} at once`);
  const plan = { tasks: layeredGraph(1, tasks, 0), listed: [] };
  const seconds = await runEngine(side, newEngine(side), plan);
  const ratio = seconds / criticalSeconds;
  const polls = await adapter.polls();
  const most = Math.max(...polls);
  const mean = polls.reduce((sum, n) => sum + n, 0) / polls.length;
  const isMet = (is: boolean): string => (is ? "met" : "MISSED");
  console.log(`  critical path ${criticalSeconds.toFixed(1)} s, took ${seconds.toFixed(1)} s`);
  console.log(`  ratio ${ratio.toFixed(3)} (goal at most ${goals.ratio}: ${isMet(ratio <= goals.ratio)})`);
  console.log(
    `  polls a task: mean ${mean.toFixed(1)}, most ${most} (goal at most ${goals.polls}: ${isMet(most <= goals.polls)})`,
  );
  process.exitCode = ratio <= goals.ratio && most <= goals.polls ? 0 : 1;
} finally {
  await outbound.close();
  adapter.close();
  await db.close();
}
