/**
 * `npm run test:faults -- --minutes 30 [--seed N] [--only TEXT] [--source]`: random faults of database, processes and network
 * over two instances. Ends with 1 when anything was lost, doubled, stuck or left open. `--only` (repeatable) takes the faults
 * that have the text in their name. Runs the bundle, which it builds first; with --source the sources.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "../../../scripts/bundle.ts";
import { sourceProgram } from "../../crash/processes.ts";
import { summaryOf } from "./report.ts";
import { runFaults } from "./run.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    source: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(minutes > 0) || !Number.isInteger(seed) || seed < 0) {
  console.error("--minutes must be a number above 0, --seed a whole number");
  process.exit(2);
}

console.log(`${minutes} minutes, seed ${seed}`);
if (!values.source) await bundle(join(import.meta.dirname, "../../../dist"));
const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());
const from = performance.now();
const report = await runFaults({
  program: values.source ? sourceProgram : "dist/plinth.js",
  only: values.only,
  seconds: minutes * 60,
  units: 8,
  seed,
  lastMs: { least: 2_000, most: 12_000 },
  quietMs: { least: 1_000, most: 5_000 },
  shareOfPairs: 0.4,
  signal: interrupted.signal,
  say: (line) => console.log(`${((performance.now() - from) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
});
for (const line of summaryOf(report)) console.log(line);
process.exitCode = report.violations.length > 0 ? 1 : 0;
