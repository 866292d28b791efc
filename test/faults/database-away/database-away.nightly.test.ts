import { expect, it } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { wireFaults } from "../database-faults.ts";
import { openWire } from "../wire.ts";
import { runDatabaseAway } from "./run.ts";

it("operations end right and callers see nothing but 503 while the database comes and goes", async () => {
  const db = await testDatabase();
  const wire = await openWire(db.connection.host, db.connection.port);
  const seed = Date.now() % 1_000_000;
  try {
    const report = await runDatabaseAway({
      connection: { ...db.connection, host: "127.0.0.1", port: wire.port },
      direct: db.connection,
      faults: wireFaults(wire),
      operations: 16,
      callers: 4,
      awayMs: { least: 0, most: 1_000 },
      betweenMs: { least: 400, most: 1_500 },
      seed,
      say: () => undefined,
    });
    expect(report.violations, `seed ${seed}`).toEqual([]);
    expect(Object.keys(report.faults).sort()).toEqual(["cut", "stalled"]);
    expect(report.answers["start 202"]).toBe(16);
  } finally {
    wire.close();
    await db.drop();
  }
});
