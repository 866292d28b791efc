/** Plans that no job leads to are found whatever the clocks of the processes and of the database say. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { ended, provisioning, provisioningPath, ships } from "./ships.ts";

let server: WholeServer;
let count = 0;

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  const hour = 3_600_000;
  const [from, until] = [-1, 24].map((hours) => new Date(Date.now() + hours * hour).toISOString());
  const freeze = { name: "freeze", kind: "freeze", timeZone: "UTC", from, until };
  const { status } = await server.coordinator({
    method: "PUT",
    path: "/v1/maintenance-windows/development",
    body: { version: 0, windows: [freeze] },
  });
  expect(status).toBe(200);
});
afterAll(() => server.close());

it.each([
  ["the process that accepted it was ahead", "created_at"],
  ["the database was put back since", "inserted_at"],
])("a plan that waits is terminated at once where the clock of %s", async (_, column) => {
  const unit = ships(`urn:dmb:dp:sea:clocks${++count}:0`);
  const path = `${provisioningPath(unit.id)}&when-closed=wait`;
  const begin = () => server.coordinator({ method: "POST", path, body: provisioning(unit) });
  const { body: plan } = await begin();
  const ahead = sql.raw(`${column} = ${column} + interval '1 hour'`);
  await sql`update execution_plans set ${ahead} where id = ${plan}`.execute(server.db.database.db);
  await server.coordinator({ method: "POST", path: `/v1/execution-plans/${plan}/terminate?mode=forced` });
  expect(await ended(server, plan)).toBe("TERMINATED");
  expect((await begin()).status).toBe(202);
});
