/** From a consumer's request over a ticketing system to what a role may read in the database, and back. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgresAdapter } from "../src/adapters/postgres/server.ts";
import { hook } from "./builder/harbour.ts";
import { startThirdParty, type ThirdParty } from "./builder/third-party.ts";
import { ended } from "./coordinator/ships.ts";
import { testDatabase, type TestDatabase } from "./support/database.ts";
import { startWholeServer, type WholeServer } from "./support/server.ts";
import { eventually } from "./support/eventually.ts";

const templateId = "urn:dmb:itm:postgres:1";
const unitId = "urn:dmb:dp:mobility:asked:0";
const tableId = "urn:dmb:cmp:mobility:asked:0:trips";
/** Roles belong to the whole server, so the name is this run's own. */
const person = `user:asker-${process.pid}-${Date.now()}`;

let server: WholeServer;
let store: TestDatabase;
let ticketing: ThirdParty;
let adapter: { url: string; close(): Promise<void> };
let client: pg.Client;

beforeAll(async () => {
  ticketing = await startThirdParty();
  server = await startWholeServer({
    configure: (config) => {
      config.actionHandlers.accessRequest.hooks = [
        hook("tickets", { kind: "remote", url: ticketing.url, secret: "x".repeat(40) }),
      ];
    },
  });
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
  await ticketing.close();
  await store.drop();
});

async function deploy(): Promise<void> {
  const component = {
    id: tableId,
    name: "trips",
    kind: "storage",
    consumable: true,
    version: "1.0.0",
    infrastructureTemplateId: templateId,
    dependsOn: [],
    specific: { schema: "asked", table: "trips" },
    dataContract: { schema: [{ name: "id", dataType: "INT" }] },
  };
  const descriptor = { id: unitId, name: "asked", version: "1.0.0", environment: "development" };
  const answer = await server.coordinator({
    method: "POST",
    path: `/v2/deployment-units/${unitId}/provisioning?environment=development`,
    body: {
      descriptor: { ...descriptor, components: [component] },
      targetStatus: [{ componentId: tableId, targetStatus: "DEPLOYED" }],
    },
  });
  expect(await ended(server, answer.body), answer.text).toBe("COMPLETED");
  await client.query("insert into asked.trips values (7)");
}

/** Asks, waits for the ticket, and lets the ticketing system answer at the address that it was given. */
async function askAndDecide(operation: "GRANT" | "REVOKE", status: "OK" | "KO"): Promise<any> {
  const body = {
    operation,
    deploymentUnitId: unitId,
    environment: "development",
    outputPortUrns: [tableId],
    identities: [person],
    reason: "to count trips",
  };
  const asked = await server.builder({ method: "POST", path: "/access-requests", body, as: "viewer" });
  expect(asked.status, asked.text).toBe(201);
  const { respondToUrl } = await eventually("the ticket", () =>
    ticketing.tickets.find(({ fields }) => fields.accessRequestId === asked.body.id),
  );
  // The server was started on a port that it found itself, which its base URL can't name.
  const { pathname } = new URL(respondToUrl);
  const answered = await fetch(server.url + pathname, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ status, hookInfo: { ticket: "T-1" } }),
  });
  expect(answered.status).toBe(200);
  return eventually("the end", async () => {
    const { body: found } = await server.builder({ path: `/access-requests/${asked.body.id}` });
    return found.endedAt === null ? null : found;
  });
}

/** What the person's role gets to see of the table. */
async function readAs(role: string): Promise<unknown> {
  try {
    await client.query(`set role ${client.escapeIdentifier(role)}`);
    return (await client.query("select * from asked.trips")).rows;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query("reset role");
  }
}

async function findRole(): Promise<string | undefined> {
  const { rows } = await client.query<{ role: string }>(
    "select rolname as role from pg_roles where shobj_description(oid, 'pg_authid') = $1",
    [`plinth: ${person}`],
  );
  return rows[0]?.role;
}

it("who is granted access after the third party's OK reads; after the revocation it is refused", async () => {
  await deploy();
  expect((await askAndDecide("GRANT", "KO")).status).toBe("REJECTED");
  expect(await findRole()).toBeUndefined();
  expect((await askAndDecide("GRANT", "OK")).status).toBe("GRANTED");
  const role = (await findRole()) ?? "";
  expect(await readAs(role)).toEqual([{ id: 7 }]);
  const acls = "select identity, component_id from acls";
  expect((await server.db.database.pool.query(acls)).rows).toEqual([
    { identity: person, component_id: tableId },
  ]);
  expect((await askAndDecide("REVOKE", "KO")).status).toBe("REJECTED");
  expect(await readAs(role)).toEqual([{ id: 7 }]);
  expect((await askAndDecide("REVOKE", "OK")).status).toBe("REVOKED");
  // 42501: insufficient privilege.
  expect(await readAs(role)).toBe("42501");
  expect((await server.db.database.pool.query(acls)).rows).toEqual([]);
  await client.query(`drop role ${client.escapeIdentifier(role)}`);
});
