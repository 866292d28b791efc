/**
 * `npm run test:soak -- [--minutes 60] [--starts-per-minute 60] [--kill-every-ms 20000] [--seed N] [--source]`: steady load with kills
 * for long. Ends with 1 when memory, open files or a table grows, a plan failed or hung. Runs the bundle, which it builds first;
 * with --source the sources. Old rows are looked for every five minutes, so half an hour is the least that says something.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "../../scripts/bundle.ts";
import { sourceProgram } from "../crash/processes.ts";
import { withOwnPostgres } from "../support/own-postgres.ts";
import { runSoak } from "./soak.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    "starts-per-minute": { type: "string", default: "60" },
    "kill-every-ms": { type: "string", default: "20000" },
    seed: { type: "string" },
    source: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);
const startsPerMinute = Number(values["starts-per-minute"]);
const killEveryMs = Number(values["kill-every-ms"]);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (
  !(minutes > 0) ||
  minutes > 120 ||
  !(startsPerMinute > 0) ||
  !(killEveryMs >= 1_000) ||
  !Number.isInteger(seed)
) {
  console.error(
    "--minutes: above 0, at most 120; --starts-per-minute above 0; --kill-every-ms from 1000; --seed a whole number",
  );
  process.exit(2);
}

console.log(`${minutes} minutes, ${startsPerMinute} starts a minute, seed ${seed}`);
if (!values.source) await bundle(join(import.meta.dirname, "../../dist"));
const program = values.source ? sourceProgram : "dist/plinth.js";
const report = await withOwnPostgres("soak", (connection) =>
  runSoak({
    connection,
    program,
    minutes,
    startsPerMinute,
    killEveryMs,
    seed,
    say: (line) => console.log(line),
  }),
);
console.log("\nhighest of each third");
for (const { name, thirds, grows } of report.series) {
  const isSmall = thirds.every((value) => value < (name.startsWith("rows") ? 50 : 1));
  if (isSmall && !grows) continue;
  const figures = thirds.map((value) => value.toFixed(0).padStart(8)).join("");
  console.log(`${name.padEnd(36)}${figures}${grows ? "  GROWS" : ""}`);
}
console.log(
  `${report.accepted} plans started, ${report.busy} refused because their unit was at work, ${report.reads} reads, ${report.kills} kills, ` +
    `${report.deletedPlans} rows of old plans deleted`,
);
for (const violation of report.violations) console.log(`  ${violation}`);
console.log(`violations ${report.violations.length}`);
process.exitCode = report.violations.length > 0 ? 1 : 0;
