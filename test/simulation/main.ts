/**
 * Simulations of the engine with a clock, a storage and adapters of their own.
 *
 *   node test/simulation/main.ts [--seeds 5000] [--seed N]
 *
 * Each seed is one simulation; `--seed N` starts at that one, and `--seeds 1 --seed N` replays it alone. Prints
 * what was covered and every breach with its seed.
 */
import { parseArgs } from "node:util";
import { simulate } from "./simulate.ts";

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "5000" }, seed: { type: "string" } },
});
const seeds = Number(values.seeds);
const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const shownFailures = 20;
const shownEvery = 500;

console.log(`seeds ${first} to ${first + seeds - 1}`);
const began = performance.now();
const totals = new Map<string, number>();
let failures = 0;
for (let seed = first; seed < first + seeds; seed++) {
  const { breaches, counts } = await simulate(seed);
  for (const [name, count] of Object.entries(counts)) totals.set(name, (totals.get(name) ?? 0) + count);
  const done = seed - first + 1;
  if (done % shownEvery === 0) console.log(`${done} seeds, ${failures} with a breach so far`);
  if (breaches.length === 0) continue;
  failures++;
  if (failures <= shownFailures) console.log(`seed ${seed}:\n  ${breaches.join("\n  ")}`);
}
for (const [name, count] of [...totals].toSorted((a, b) => b[1] - a[1])) console.log(`  ${name}: ${count}`);
const seconds = ((performance.now() - began) / 1_000).toFixed(1);
console.log(`${seeds} seeds, ${failures} with a breach, ${seconds} s`);
process.exitCode = failures === 0 ? 0 : 1;
