import { expect, it } from "vitest";
import { withOwnPostgres } from "../support/own-postgres.ts";
import { runRestoreLoop } from "./restore-loop.ts";

it("a restored installation goes on with its running plans and repeats no settled call", async () => {
  const report = await withOwnPostgres("restore", (connection) =>
    runRestoreLoop({
      connection,
      rounds: 1,
      plansOfRound: 20,
      seed: 7,
      passphrase: "a long passphrase of the test",
      say: () => undefined,
    }),
  );
  expect(report.violations).toEqual([]);
  expect(report.settled).toBeGreaterThan(0);
  expect(report.open).toBeGreaterThan(0);
});
