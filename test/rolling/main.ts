/**
 * `npm run test:rolling [-- --from REF] [--phase-ms N] [--seed N]`: the program of an earlier commit (that before the newest migration
 * unless named) and this one serve side by side, in both directions. Ends with 1 when a plan was lost, a call doubled, or one of
 * the two accepted nothing.
 */
import { parseArgs } from "node:util";
import { withOwnPostgres } from "../support/own-postgres.ts";
import { programBeforeLastMigration, runRolling } from "./rolling.ts";

const { values } = parseArgs({
  options: {
    from: { type: "string" },
    "phase-ms": { type: "string", default: "8000" },
    seed: { type: "string" },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const ref = values.from ?? (await programBeforeLastMigration());
console.log(`from ${ref}, seed ${seed}`);
const report = await withOwnPostgres("rolling", (connection) =>
  runRolling({
    connection,
    ref,
    seed,
    phaseMs: Number(values["phase-ms"]),
    say: (line) => console.log(line),
  }),
);
for (const violation of report.violations) console.log(violation);
console.log(
  `${report.plans} plans (${report.accepted.old} accepted by the old program, ${report.accepted.new} by the new one), ` +
    `${report.calls} calls, ${report.migrations} migrations applied beside the old program, ${report.violations.length} violations`,
);
const hasBoth = report.accepted.old > 0 && report.accepted.new > 0;
process.exitCode = report.violations.length === 0 && hasBoth ? 0 : 1;
