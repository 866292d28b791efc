import { expect } from "vitest";
import { withOwnPostgres } from "../support/own-postgres.ts";
import { runRestoreLoop } from "./restore-loop.ts";

export const restoredTest =
  "a restored installation goes on with its running plans and repeats no settled call";

/** Each round but the first makes its backup of what the round before has restored. */
export async function expectRestored(rounds: number): Promise<void> {
  const report = await withOwnPostgres("restore", (connection) =>
    runRestoreLoop({
      connection,
      rounds,
      plansOfRound: 20,
      seed: 7,
      passphrase: "a long passphrase of the test",
      say: () => undefined,
    }),
  );
  expect(report.violations).toEqual([]);
  expect(report.settled).toBeGreaterThan(0);
  expect(report.open).toBeGreaterThan(0);
}
