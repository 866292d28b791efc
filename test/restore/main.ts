/**
 * `npm run test:restore [-- --rounds 10] [--plans 60] [--seed N]`: backups under load, each restored after a kill -9; ends with 1
 * when a plan was lost, a settled call was repeated, or the adapter acted twice upon one.
 */
import { parseArgs } from "node:util";
import { withOwnPostgres } from "../support/own-postgres.ts";
import { runRestoreLoop } from "./restore-loop.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    plans: { type: "string", default: "60" },
    seed: { type: "string" },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);
const report = await withOwnPostgres("restore", (connection) =>
  runRestoreLoop({
    connection,
    rounds: Number(values.rounds),
    plansOfRound: Number(values.plans),
    seed,
    passphrase: "a long passphrase of the test",
    say: (line) => console.log(line),
  }),
);
for (const violation of report.violations) console.log(violation);
console.log(
  `${report.plans} plans, ${report.settled} tasks settled and ${report.open} open in the backups, ` +
    `${report.repeats} open calls repeated with their keys, ${report.violations.length} violations`,
);
process.exitCode = report.violations.length === 0 ? 0 : 1;
