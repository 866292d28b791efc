/** A worker that dies while it starts a plan that repairs drift. */
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openProcessStage } from "../support/process-stage.ts";
import { startWholeServer, until } from "../support/server.ts";
import { ended, ships, start } from "./ships.ts";

const template = "urn:dmb:utm:ship:1";
const drifted = {
  components: {
    [template]: { operations: { "reverse-provisioning": { updates: { "spec.mesh.specific.size": 5 } } } },
  },
};
const settings = (): object => ({
  coordinator: {
    drift: { schedules: [{ environment: "development", cron: "0 0 1 1 *", reconcile: "auto" }] },
  },
});

it.each([
  ["before its start is committed", true],
  ["after it", false],
])("a worker that is killed %s leaves one plan", async (_case, isBefore) => {
  const away = await startWholeServer({ workers: "off" });
  const stage = await openProcessStage({ db: away.db, settings });
  const { pool } = away.db.database;
  const lock = await pool.connect();
  const rows = async (query: string): Promise<any[]> => (await pool.query(query)).rows;
  try {
    await away.registerMock();
    const unit = ships("urn:dmb:dp:sea:repair-kill:0");
    Object.assign(unit.components[0]!, { useCaseTemplateId: template, specific: { size: 4 } });
    stage.startWorker();
    const first = await start(away, unit);
    expect(await ended(away, first)).toBe("COMPLETED");
    away.mock.setBehaviours({ ...drifted, default: { operations: { provision: { delayMs: 300 } } } });
    // The transaction of the start comes as far as the row that records it, and no further.
    if (isBefore) {
      await pool.query(`create function hold_start() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock(4711); return new; end $$`);
      await pool.query(`create trigger hold_start before update on reconciles for each row
        when (new.status = 'STARTED') execute function hold_start()`);
      await lock.query("select pg_advisory_lock(4711)");
    }
    const path = `/v1/deployment-units/${unit.id}/drift-checks?environment=development`;
    await away.coordinator({ method: "POST", path });
    if (isBefore)
      await eventually(
        "the start waits",
        async () =>
          (await rows("select 1 from pg_locks where locktype = 'advisory' and objid = 4711 and not granted"))
            .length > 0,
      );
    else
      await eventually(
        "the plan is there",
        async () => (await rows("select 1 from reconciles where status = 'STARTED'")).length > 0,
      );
    await stage.killWorkers();
    const plans = `select id from execution_plans where id <> '${first}'`;
    expect(await rows(plans)).toHaveLength(isBefore ? 0 : 1);
    if (isBefore) {
      await lock.query("select pg_advisory_unlock(4711)");
      await pool.query("drop trigger hold_start on reconciles");
    }
    stage.startWorker();
    await until(
      () => away.coordinator({ path: `/v1/reconciles?deployment-unit-id=${unit.id}` }),
      ({ body }) => body.data[0]?.status === "SUCCEEDED",
    );
    expect(await rows(plans)).toHaveLength(1);
    expect(await rows("select 1 from audit where operation = 'startReconcile'")).toHaveLength(1);
  } finally {
    lock.release();
    await stage.close();
    await away.close();
  }
});
