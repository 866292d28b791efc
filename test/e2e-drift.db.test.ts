/** Drift of a real table: what somebody changed by hand is told, with its place in the descriptor. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgresAdapter } from "../src/adapters/postgres/server.ts";
import { testDatabase, type TestDatabase } from "./support/database.ts";
import { startWholeServer, until, type WholeServer } from "./support/server.ts";
import { ended } from "./coordinator/ships.ts";

const templateId = "urn:dmb:itm:postgres:1";
const unitId = "urn:dmb:dp:mobility:drifts:0";
const tableId = "urn:dmb:cmp:mobility:drifts:0:trips";

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
  expect((await server.coordinator({ method: "PUT", path, body: { url: adapter.url } })).status).toBe(200);
});
afterAll(async () => {
  await client.end();
  await adapter.close();
  await server.close();
  await store.drop();
});

async function checkDrift(): Promise<any> {
  const path = `/v1/deployment-units/${unitId}/drift-checks?environment=development`;
  const begun = await server.coordinator({ method: "POST", path });
  expect(begun.status).toBe(202);
  const { body } = await until(
    () => server.coordinator({ path: `/v1/drift-checks/${begun.body}` }),
    (answer) => answer.body.status === "COMPLETED",
  );
  return body;
}

it("a table that somebody changed by hand has drifted, and deploying it again mends it", async () => {
  const columns = [
    { name: "id", dataType: "BIGINT", constraint: "PRIMARY_KEY" },
    { name: "plate", dataType: "VARCHAR", dataLength: 12 },
  ];
  const descriptor = {
    id: unitId,
    name: "drifts",
    version: "1.0.0",
    environment: "development",
    components: [
      {
        id: tableId,
        name: "trips",
        kind: "storage",
        version: "1.0.0",
        infrastructureTemplateId: templateId,
        useCaseTemplateId: "urn:dmb:utm:postgres-storage:1",
        dependsOn: [],
        specific: { schema: "drifts", table: "trips" },
        dataContract: { schema: columns },
      },
    ],
  };
  const deploy = async (): Promise<void> => {
    const path = `/v2/deployment-units/${unitId}/provisioning?environment=development`;
    const body = { descriptor, targetStatus: [{ componentId: tableId, targetStatus: "DEPLOYED" }] };
    const { body: token } = await server.coordinator({ method: "POST", path, body });
    expect(await ended(server, token)).toBe("COMPLETED");
  };
  await deploy();
  const sound = {
    result: "NO_DRIFT",
    components: [{ componentId: tableId, checkedBy: ["VALIDATION", "REVERSE_PROVISIONING"], pointers: [] }],
  };
  expect(await checkDrift()).toMatchObject(sound);
  await client.query("alter table drifts.trips drop column plate");
  expect(await checkDrift()).toMatchObject({
    result: "DRIFTED",
    components: [{ componentId: tableId, result: "DRIFTED", pointers: ["/dataContract/schema/1"] }],
  });
  await deploy();
  expect(await checkDrift()).toMatchObject(sound);
});
