import { expect, it } from "vitest";
import { testDatabase } from "../support/database.ts";
import { runKillLoop } from "./kill-loop.ts";
import { productProgram } from "./processes.ts";

it("six kills lose, double and disorder nothing", async () => {
  const db = await testDatabase();
  const seed = Date.now() % 1_000_000;
  try {
    const report = await runKillLoop({
      connection: db.connection,
      program: productProgram(),
      kills: 6,
      quickKills: 0,
      seed,
      plansAtOnce: 3,
      betweenMs: 900,
      say: () => undefined,
    });
    expect(report.violations, `seed ${seed}`).toEqual([]);
    expect(report.kills).toBeGreaterThanOrEqual(6);
    expect(report.takeoversMs.length).toBeGreaterThan(0);
  } finally {
    await db.drop();
  }
});
