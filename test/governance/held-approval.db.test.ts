/** A plan that waits for an approval and for its environment to open, for longer than a plan may. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ended, provisioning, provisioningPath, ships } from "../coordinator/ships.ts";
import { startWholeServer, tokenOf, type TestRole, type WholeServer } from "../support/server.ts";

let server: WholeServer;
const people = ["ada", "grace"] as const;
const [ada, grace] = people as unknown as TestRole[];
const owners = { ownerGroup: "service:default/ada", devGroup: "service:default/grace" };

beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      config.governance.ownership.approvalEnvironments = ["production"];
      const { tokens } = config.auth.providers.service!["default"] as any;
      for (const name of people)
        tokens.push({ name, secret: tokenOf(name as TestRole), roles: ["developer"] });
    },
  });
  await server.registerMock();
});
afterAll(() => server.close());

it("ends, and nobody is asked any more", async () => {
  const { pool } = server.db.database;
  const from = new Date(Date.now() - 60_000).toISOString();
  const windows = [{ name: "Year end", kind: "freeze", from, until: "2999-01-01T00:00:00Z" }];
  const closed = await server.coordinator({
    method: "PUT",
    path: "/v1/maintenance-windows/production",
    body: { version: 0, windows },
  });
  expect(closed.status, closed.text).toBe(200);
  const unit = { ...ships(), ...owners, environment: "production" };
  const { body: token } = await server.coordinator({
    method: "POST",
    path: `${provisioningPath(unit.id, "production")}&when-closed=wait`,
    body: provisioning(unit),
    as: ada!,
  });
  const waiting = async (): Promise<any[]> =>
    (await server.coordinator({ path: "/v1/waiting?limit=100", as: grace! })).body.data;
  expect((await waiting()).map(({ link }) => link.planId)).toEqual([token]);
  const { rows } = await pool.query(
    `select h.id from hooks h join execution_plans p on h.action_id::text = p.approval ->> 'actionId'
      where p.id = $1`,
    [token],
  );
  await pool.query(
    `update execution_plans set hold = hold || '{"since": "2020-01-01T00:00:00Z"}' where id = $1`,
    [token],
  );
  expect(await ended(server, token)).toBe("TERMINATED");
  expect(await waiting()).toEqual([]);
  const hook = `/hooks/${rows[0].id}`;
  expect((await server.builder({ path: hook })).body).toMatchObject({ status: "KO" });
  const late = { method: "POST", path: `${hook}/answer`, as: grace!, body: { status: "OK", reason: "" } };
  expect((await server.builder(late)).status).toBe(409);
  const { text } = await server.coordinator({ path: `/v1/execution-plans/${token}/status` });
  expect(text).toContain("has waited for its environment to open");
  expect(server.mock.journal()).toEqual([]);
});
