/** The random faults in small: each way in which a database goes away, and one of the adapter. */
import { expect, it } from "vitest";
import { productProgram } from "../crash/processes.ts";
import { runFaults } from "./random/run.ts";

const faults = [
  "database read-only anew",
  "database terminated",
  "database out of connections",
  "database full",
  "database standby",
  "adapter unheard",
];

it("nothing is lost, doubled, stuck or left open by a round of faults", async () => {
  // With it the read-only database comes last, so that no later fault closes what was left open.
  const seed = 128;
  const report = await runFaults({
    program: productProgram(),
    only: faults,
    // Each comes once, however long the machine takes for them.
    rounds: faults.length,
    units: 4,
    seed,
    lastMs: { least: 800, most: 1_200 },
    quietMs: { least: 100, most: 300 },
    shareOfPairs: 0,
    say: () => undefined,
  });
  expect(report.violations, `seed ${seed}, logs in ${report.logs}`).toEqual([]);
  expect(report.windows.map(({ name }) => name).sort()).toEqual(faults.toSorted());
  expect(report.load.accepted.length).toBeGreaterThan(0);
});
