import { expect, it } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { runShutdown } from "./run.ts";

it("a server that is stopped at work leaves no caller, stream or plan behind", async () => {
  const db = await testDatabase();
  try {
    const report = await runShutdown({
      connection: db.connection,
      tasks: 30,
      streams: 40,
      connections: 10,
      graceMs: 8_000,
      say: () => undefined,
    });
    expect(report.violations).toEqual([]);
    expect(report.exitCode).toBe(0);
    expect(report.claimsMs).toHaveLength(3);
  } finally {
    await db.drop();
  }
});
