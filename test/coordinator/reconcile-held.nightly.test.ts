/** Repairs that have to wait do not keep back those of other units, however many they are. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startWholeServer, until, type WholeServer } from "../support/server.ts";
import { ended, ships, start } from "./ships.ts";

let server: WholeServer;
const never = { cron: "0 0 1 1 *", timeZone: "UTC" };

beforeAll(async () => {
  server = await startWholeServer({
    configure({ coordinator }) {
      coordinator.drift.schedules = [
        { ...never, environment: "development", reconcile: "auto" },
        { ...never, environment: "production", reconcile: "auto" },
      ];
    },
  });
  await server.registerMock();
});
afterAll(() => server.close());

/** As many as one round looks at, all older than what the test finds. */
const storeWaiting = async (count: number): Promise<void> => {
  const { pool } = server.db.database;
  await pool.query(
    `insert into units (unit_key, environment, unit_id)
      select 'urn:dmb:dp:sea:frozen-' || n, 'production', 'urn:dmb:dp:sea:frozen-' || n from generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query(
    `insert into reconciles (id, unit_key, unit_id, environment, check_id, components, status, created_at, expires_at)
      select 'frozen-' || n, 'urn:dmb:dp:sea:frozen-' || n, 'urn:dmb:dp:sea:frozen-' || n, 'production', 'none', '{}',
        'DUE', now() - interval '1 hour' + n * interval '1 second', now() + interval '1 day'
      from generate_series(1, $1::int) n`,
    [count],
  );
};

it("one in an open environment starts behind a hundred in a closed one", async () => {
  const path = "/v1/maintenance-windows/production";
  const freeze = {
    name: "Year end",
    kind: "freeze",
    from: "2020-01-01T00:00:00Z",
    until: "2999-01-01T00:00:00Z",
  };
  const body = { version: 0, windows: [freeze] };
  expect((await server.coordinator({ method: "PUT", path, body })).status).toBe(200);
  const template = "urn:dmb:utm:ship:1";
  const unit = ships("urn:dmb:dp:sea:behind:0");
  Object.assign(unit.components[0]!, { useCaseTemplateId: template, specific: { size: 4 } });
  expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
  await storeWaiting(100);
  const { pool } = server.db.database;
  await eventually("the others wait", async () => {
    const { rows } = await pool.query(
      "select count(*)::int as n from reconciles where status = 'DUE' and reason like '%Year end%'",
    );
    return rows[0].n === 100;
  });
  const updates = { "spec.mesh.specific.size": 5 };
  server.mock.setBehaviours({
    components: { [template]: { operations: { "reverse-provisioning": { updates } } } },
  });
  const checks = `/v1/deployment-units/${unit.id}/drift-checks?environment=development`;
  const { body: id } = await server.coordinator({ method: "POST", path: checks });
  const checked = await until(
    () => server.coordinator({ path: `/v1/drift-checks/${id}` }),
    (answer) => answer.body.status === "COMPLETED",
  );
  expect(checked.body.result).toBe("DRIFTED");
  await eventually("it is repaired", async () => {
    const { body: list } = await server.coordinator({ path: `/v1/reconciles?deployment-unit-id=${unit.id}` });
    return list.data[0]?.status === "SUCCEEDED";
  });
  const { rows } = await pool.query(
    "select distinct status from reconciles where environment = 'production'",
  );
  expect(rows).toEqual([{ status: "DUE" }]);
});
