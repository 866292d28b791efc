/**
 * `npm run test:promotion [-- --rounds 3] [--only TEXT] [--seed N] [--source]`: the standby of the database is promoted in four ways
 * while two instances drive plans. Ends with 1 when anything was lost, doubled, stuck, or left on the side that can only be read.
 * Runs the bundle, which it builds first; with --source the sources.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "../../scripts/bundle.ts";
import { sourceProgram } from "../crash/processes.ts";
import { summaryOf } from "../faults/random/report.ts";
import { parts } from "./back.ts";
import { runPromotions, type PromotionReport } from "./run.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    seed: { type: "string" },
    source: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(rounds > 0) || !Number.isInteger(seed) || seed < 0) {
  console.error("--rounds must be a number above 0, --seed a whole number");
  process.exit(2);
}

console.log(`${rounds} rounds, seed ${seed}`);
if (!values.source) await bundle(join(import.meta.dirname, "../../dist"));
const from = performance.now();
const report = await runPromotions({
  program: values.source ? sourceProgram : "dist/plinth.js",
  rounds,
  only: values.only,
  units: 8,
  seed,
  say: (line) => console.log(`${((performance.now() - from) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
});
for (const part of parts) console.log(`${`${part} back`.padEnd(15)} ${spread(report.backs, part)}`);
for (const line of summaryOf(report)) console.log(line);
process.exitCode = report.violations.length > 0 ? 1 : 0;

function spread(backs: PromotionReport["backs"], part: (typeof parts)[number]): string {
  const times = backs.map(({ back }) => back[part] ?? Infinity).sort((a, b) => a - b);
  return `median ${times[Math.floor((times.length - 1) / 2)]} ms, longest ${times.at(-1)} ms (${times.length} promotions)`;
}
