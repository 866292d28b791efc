/**
 * Has a change made the product slower? Runs benches in a checkout of a commit and in the working tree, one after the
 * other and then the other way round, and compares what our side of each needs for a unit of its work. CPU time per unit
 * decides, because it says the same on a machine where others work too; the rates are shown beside it. Exits 1 when a
 * median is worse by more than 5 %. The benches run alone, so that no peer has to be installed.
 *
 *   npm run bench:compare -- <ref> [--pairs 9] [--quick] [plan-execution starts http peers/main ...]
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openCheckout } from "./support/checkout.ts";
import { resultsIn, type BenchResult } from "./support/command.ts";
import { comparePairs, worstRatio, type Comparison, type Pair } from "./support/pairs.ts";

const all = [
  "start",
  "descriptor-build",
  "plan-execution",
  "starts",
  "http",
  "peers/main",
  "peers/backstage",
  "peers/streams",
];
const runLimitMs = 600_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: "string", default: "9" }, quick: { type: "boolean", default: false } },
});
const [ref, ...chosen] = positionals;
const unknown = chosen.filter((name) => !all.includes(name));
if (ref === undefined || unknown.length > 0 || !(Number(values.pairs) >= 1)) {
  console.error(`npm run bench:compare -- <ref> [--pairs 9] [--quick] [${all.join(" | ")}]`);
  process.exit(2);
}

const root = join(import.meta.dirname, "..");
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => stop.abort(new Error(`ended by ${signal}`)));
}

/** A bench that misses a goal exits with 1 as well, so only what it printed counts. */
async function runBench(folder: string, name: string): Promise<BenchResult[]> {
  const args = [join(folder, `bench/${name}.ts`), "--json", "--alone", ...(values.quick ? ["--quick"] : [])];
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(runLimitMs)]);
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"], signal });
  const failed = new Promise<never>((_, reject) => child.on("error", reject));
  const results = resultsIn(await Promise.race([text(child.stdout), failed]));
  if (results.length === 0) throw new Error(`${name} printed no result in ${folder}`);
  return results;
}

async function runPairs(before: string, name: string): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let n = 0; n < Number(values.pairs); n += 1) {
    const pair: Pair = { before: [], after: [] };
    const rounds = [
      async () => (pair.before = await runBench(before, name)),
      async () => (pair.after = await runBench(root, name)),
    ];
    for (const round of n % 2 === 0 ? rounds : rounds.toReversed()) await round();
    pairs.push(pair);
  }
  return pairs;
}

const columnWidths = [46, 24, 8, 24, 8];
const line = (cells: string[]): string =>
  cells.map((cell, n) => (n === 0 ? cell.padEnd(46) : cell.padStart(columnWidths[n] ?? 0))).join("");

function print({ name, unit, cpuMs, perSecond, cpuRatio, rateRatio }: Comparison): void {
  const cpu = `${cpuMs.before.toPrecision(3)} -> ${cpuMs.after.toPrecision(3)} ms`;
  const rate = `${perSecond.before.toFixed(0)} -> ${perSecond.after.toFixed(0)} /s`;
  const verdict = cpuRatio > worstRatio ? "   WORSE" : "";
  console.log(line([`${name} (${unit})`, cpu, cpuRatio.toFixed(3), rate, rateRatio.toFixed(3)]) + verdict);
}

const checkout = await openCheckout(ref);
try {
  console.log(`${ref} (with ${checkout.benches}) -> working tree, medians of ${values.pairs} pairs`);
  console.log(line(["", "CPU of a unit", "ratio", "rate", "ratio"]));
  for (const name of chosen.length > 0 ? chosen : all) {
    const comparisons = await runPairs(checkout.folder, name).then(comparePairs, (error: unknown) => {
      if (stop.signal.aborted) throw error;
      console.log(`${name} could not be measured: ${String(error)}`);
      return [];
    });
    comparisons.forEach(print);
    if (comparisons.every(({ cpuRatio }) => cpuRatio <= worstRatio) && comparisons.length > 0) continue;
    process.exitCode = 1;
  }
} finally {
  await checkout.close();
}
