import { expect, it } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { productProgram } from "../processes.ts";
import { ids } from "./load.ts";
import { runGovernanceLoop } from "./loop.ts";

it("kills lose and double no evaluation, decision or change of governance", async () => {
  const db = await testDatabase();
  const seed = Date.now() % 1_000_000;
  try {
    const report = await runGovernanceLoop({
      connection: db.connection,
      program: productProgram(),
      kills: 5,
      seed,
      say: () => undefined,
      async plant({ pool }) {
        const one = `select ctid from results where policy_id = '${ids.topics[0]}' limit 1`;
        await pool.query(`delete from results where ctid in (${one})`);
        await pool.query(`delete from evaluation_report_parts
          where report_id in (select id from evaluation_reports where kind = 'trial' order by id limit 1)`);
        await pool.query(`insert into audit (at, actor, operation, subject, detail)
          select at, actor, operation, subject, detail from audit where operation = 'setPolicyStatus'
            and subject = 'policy:${ids.cycled}' limit 1`);
        await pool.query(`delete from audit where operation = 'requestException'`);
      },
    });
    expect(report.violations, `seed ${seed}`).toEqual([]);
    expect(report.kills.server + report.kills.worker).toBe(5);
    expect(report.reports).toBeGreaterThan(0);
    const planted = report.planted.join("\n");
    expect(planted).toMatch(/has 0 results of topic-a/);
    expect(planted).toMatch(/report \S+ has 0 of \d+ parts/);
    expect(planted).toMatch(/the policy went from|its audit ends with|changes of status are stored/);
    expect(planted).toMatch(/was requested 0 times/);
  } finally {
    await db.drop();
  }
});
