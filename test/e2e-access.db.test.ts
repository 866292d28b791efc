/** From an access request to what a role may read in the database, and back, through the postgres adapter. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgresAdapter } from "../src/adapters/postgres/server.ts";
import { testDatabase, type TestDatabase } from "./support/database.ts";
import { startWholeServer, type WholeServer } from "./support/server.ts";
import { ended } from "./coordinator/ships.ts";

const templateId = "urn:dmb:itm:postgres:1";
const unitId = "urn:dmb:dp:mobility:reads:0";
const tableId = "urn:dmb:cmp:mobility:reads:0:trips";
/** Roles belong to the whole server, so the name is this run's own. */
const person = `user:reader-${process.pid}-${Date.now()}`;

let server: WholeServer;
let store: TestDatabase;
let adapter: { url: string; close(): Promise<void> };
let client: pg.Client;

beforeAll(async () => {
  server = await startWholeServer();
  store = await testDatabase();
  adapter = await startPostgresAdapter({ databaseUrl: store.url });
  client = new pg.Client({ connectionString: store.url });
  await client.connect();
  const body = { id: templateId, name: "PostgreSQL", version: "1" };
  await server.coordinator({ method: "POST", path: "/v1/tech-adapters", body });
  const path = `/v1/tech-adapters/${templateId}/deployments/development`;
  const put = await server.coordinator({ method: "PUT", path, body: { url: adapter.url } });
  expect(put.status).toBe(200);
});
afterAll(async () => {
  await client.end();
  await adapter.close();
  await server.close();
  await store.drop();
});

async function run(path: string, body: object): Promise<string> {
  const answer = await server.coordinator({ method: "POST", path, body });
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  const end = await ended(server, answer.body);
  const { text } = await server.coordinator({ path: `/v1/logs/${answer.body}?level=WARNING` });
  expect(`${end} ${text}`).toBe("COMPLETED []");
  return answer.body;
}

const request = (requestId: string, identities: string[]): object => ({
  dataProductUrn: unitId,
  outputPortId: 1,
  outputPortUrn: tableId,
  requestId,
  identities,
  environment: "development",
});

/** What the person's role gets to see of the table. */
async function readAs(role: string): Promise<unknown> {
  try {
    await client.query(`set role ${client.escapeIdentifier(role)}`);
    return (await client.query("select * from reads.trips")).rows;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query("reset role");
  }
}

it("who is granted access reads, who is revoked it is refused", async () => {
  const descriptor = {
    id: unitId,
    name: "reads",
    version: "1.0.0",
    environment: "development",
    components: [
      {
        id: tableId,
        name: "trips",
        kind: "storage",
        consumable: true,
        version: "1.0.0",
        infrastructureTemplateId: templateId,
        dependsOn: [],
        specific: { schema: "reads", table: "trips" },
        dataContract: { schema: [{ name: "id", dataType: "INT" }] },
      },
    ],
  };
  await run(`/v2/deployment-units/${unitId}/provisioning?environment=development`, {
    descriptor,
    targetStatus: [{ componentId: tableId, targetStatus: "DEPLOYED" }],
  });
  await client.query("insert into reads.trips values (7)");
  const token = await run("/v1/updateacl", request("grant", [person]));
  const { rows } = await client.query<{ role: string }>(
    "select rolname as role from pg_roles where shobj_description(oid, 'pg_authid') = $1",
    [`plinth: ${person}`],
  );
  const role = rows[0]?.role ?? "";
  expect(role).not.toBe("");
  expect(await readAs(role)).toEqual([{ id: 7 }]);
  const status = await server.coordinator({ path: `/v1/execution-plans/${token}/status` });
  expect(status.body.dag.dependsOnTasks[0].result.message).toBe("1 references can read reads.trips.");
  await run("/v1/updateacl", request("revoke", []));
  // 42501: insufficient privilege.
  expect(await readAs(role)).toBe("42501");
  await client.query(`drop role ${client.escapeIdentifier(role)}`);
});
