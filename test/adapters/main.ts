/**
 * Four adapters in the shape of public ones against a running product: units are validated, provisioned, redeployed,
 * opened, read back and undeployed over them, many at a time, and every request that reaches an adapter is held against
 * the adapter OpenAPI. Each adapter is then checked by `adapter check`. Ends with 1 when something is not as expected.
 *
 *   node test/adapters/main.ts [--units 20]
 */
import { parseArgs } from "node:util";
import { openMigrated, withOwnPostgres } from "../support/own-postgres.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { checkMiniature, leastScores } from "./check.ts";
import { miniatureNames, startMiniatures, type Miniatures } from "./miniatures/all.ts";
import { register } from "./fixture.ts";
import { requestProblems, steps, worldOf } from "./story.ts";
import { subcomponentSteps } from "./subcomponents.ts";

const { values } = parseArgs({ options: { units: { type: "string", default: "20" } } });
const units = Number(values.units);
if (!Number.isInteger(units) || units < 1) {
  console.error("--units must be a whole number from 1 on");
  process.exit(2);
}

const faults: string[] = [];
const began = performance.now();
await withOwnPostgres("adapters", async (connection) => {
  const server = await startWholeServer({ db: await openMigrated(connection) });
  const miniatures = await startMiniatures();
  try {
    await register(server, miniatures);
    await runStories(server, miniatures);
    await checkAll(miniatures);
  } finally {
    await server.close();
    await Promise.all(Object.values(miniatures).map((miniature) => miniature.close()));
  }
});
const seconds = ((performance.now() - began) / 1_000).toFixed(1);
for (const fault of faults.slice(0, 50)) console.log(fault);
console.log(`${units} units, ${faults.length} faults, ${seconds} s`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Step by step, each for all units at a time: they share the adapters, and must not get in each other's way. */
async function runStories(server: WholeServer, miniatures: Miniatures): Promise<void> {
  const worlds = Array.from({ length: units }, (_, number) => worldOf(server, miniatures, number + 1));
  const broken = new Set<number>();
  for (const [name, run] of [...steps, ...subcomponentSteps]) {
    const outcomes = await Promise.allSettled(
      worlds.map((world, index) => (broken.has(index) ? Promise.resolve() : run(world))),
    );
    outcomes.forEach((outcome, index) => {
      if (outcome.status === "fulfilled") return;
      broken.add(index);
      faults.push(`unit ${index + 1}, ${name}: ${messageOf(outcome.reason)}`);
    });
    console.log(`${broken.size === 0 ? "met   " : "BROKEN"} ${name}`);
  }
  const problems = requestProblems(miniatures);
  faults.push(...problems);
  const calls = Object.values(miniatures).reduce((sum, miniature) => sum + miniature.calls.length, 0);
  console.log(
    `${problems.length === 0 ? "met   " : "BROKEN"} ${calls} requests are as the adapter OpenAPI says`,
  );
}

async function checkAll(miniatures: Miniatures): Promise<void> {
  for (const name of miniatureNames) {
    const { score, counts, results } = await checkMiniature(miniatures[name].url);
    const isMet = counts.fail === 0 && (score ?? 0) >= leastScores[name];
    const { pass, warn, fail, skipped } = counts;
    const word = isMet ? "met   " : "BROKEN";
    console.log(
      `${word} adapter check of ${name}: score ${score}, ${pass} passed, ${warn} warned, ${fail} failed, ${skipped} skipped`,
    );
    if (isMet) continue;
    for (const { id, deviations } of results)
      for (const { severity, what } of deviations) faults.push(`${name} ${severity} ${id}: ${what}`);
  }
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
