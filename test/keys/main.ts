/**
 * `npm run test:keys [-- --rounds 3] [--units 8] [--rows 400] [--source]`: every key and secret is exchanged while two processes work
 * under load, with a rekey that is killed in its middle. Ends with 1 when a request was lost or refused without a reason, a plan
 * did not complete, or a stored secret can be read with a key of before. Runs the bundle, which it builds first; with --source the
 * sources.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "../../scripts/bundle.ts";
import { sourceProgram } from "../crash/processes.ts";
import { withOwnPostgres } from "../support/own-postgres.ts";
import { runRotation } from "./rotation.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    units: { type: "string", default: "8" },
    rows: { type: "string", default: "400" },
    source: { type: "boolean", default: false },
  },
});
const [rounds, units, storedRows] = [values.rounds, values.units, values.rows].map(Number) as [
  number,
  number,
  number,
];
if (![rounds, units, storedRows].every((each) => Number.isInteger(each) && each > 0)) {
  console.error("--rounds, --units and --rows must be whole numbers above 0");
  process.exit(2);
}

if (!values.source) await bundle(join(import.meta.dirname, "../../dist"));
const program = values.source ? sourceProgram : "dist/plinth.js";
const from = performance.now();
const say = (line: string): void =>
  console.log(`${((performance.now() - from) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
const report = await withOwnPostgres("keys", (connection) =>
  runRotation({ connection, program, rounds, units, storedRows, say }),
);
for (const [answer, times] of [...report.answers].toSorted(([a], [b]) => a.localeCompare(b)))
  console.log(`${String(times).padStart(8)} x ${answer}`);
for (const violation of report.violations) console.log(violation);
console.log(`${report.plans} plans completed, ${report.violations.length} violations`);
if (report.logs !== null) console.log(`logs: ${report.logs}`);
process.exitCode = report.violations.length === 0 ? 0 : 1;
