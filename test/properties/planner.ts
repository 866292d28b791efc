/**
 * The planner's properties on random deployment units, states and requests.
 *
 *   node test/properties/planner.ts [--graphs 200000] [--seed N] [--only N]
 *
 * Prints the seed, the count and the failures. A failure names its graph; `--seed S --only G` runs that one
 * alone and prints the whole scenario.
 */
import { parseArgs } from "node:util";
import type { Draw } from "./planner-scenarios.ts";
import { drawScenario } from "./planner-scenarios.ts";
import { features, violations } from "./planner-properties.ts";

const { values } = parseArgs({
  options: {
    graphs: { type: "string", default: "200000" },
    seed: { type: "string" },
    only: { type: "string" },
  },
});
const graphs = Number(values.graphs);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const shownFailures = 20;

if (values.only === undefined) runAll();
else runOne(Number(values.only));

function runAll(): void {
  console.log(`seed ${seed}`);
  const start = performance.now();
  let failures = 0;
  const covered = new Map<string, number>();
  for (let graph = 0; graph < graphs; graph += 1) {
    const found = judge(graph);
    for (const feature of features(drawScenario(newDraw(graph)))) {
      covered.set(feature, (covered.get(feature) ?? 0) + 1);
    }
    if (found.length === 0) continue;
    failures += 1;
    if (failures <= shownFailures) console.log(`graph ${graph}: ${found.join("; ")}`);
  }
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  for (const [feature, count] of [...covered].toSorted((a, b) => b[1] - a[1]))
    console.log(`  ${feature}: ${count}`);
  console.log(`${graphs} graphs, ${failures} failures, ${seconds} s`);
  process.exitCode = failures === 0 ? 0 : 1;
}

function runOne(graph: number): void {
  console.log(JSON.stringify(drawScenario(newDraw(graph)), undefined, 2));
  const found = judge(graph);
  console.log(found.length === 0 ? "holds" : found.join("\n"));
  process.exitCode = found.length === 0 ? 0 : 1;
}

function judge(graph: number): string[] {
  const draw = newDraw(graph);
  try {
    return violations(drawScenario(draw), draw);
  } catch (error) {
    return [`thrown: ${String(error)}`];
  }
}

/** Each graph has a generator of its own (splitmix32), so that one can be run without those before it. */
function newDraw(graph: number): Draw {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(graph + 1, 0x85ebca6b)) | 0;
  return (max) => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % (max + 1);
  };
}
