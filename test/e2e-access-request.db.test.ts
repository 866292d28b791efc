/** From a consumer's request over a ticketing system to what a role may read in the database, and back. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { hook } from "./builder/harbour.ts";
import { startThirdParty, type ThirdParty } from "./builder/third-party.ts";
import { eventually } from "./support/eventually.ts";
import { openTableStage, type TableStage } from "./support/table-stage.ts";

/** Roles belong to the whole server, so the name is this run's own. */
const person = `user:asker-${process.pid}-${Date.now()}`;

let stage: TableStage;
let ticketing: ThirdParty;

beforeAll(async () => {
  ticketing = await startThirdParty();
  const hooks = [hook("tickets", { kind: "remote", url: ticketing.url, secret: "x".repeat(40) })];
  stage = await openTableStage("asked", (config) => {
    config.actionHandlers.accessRequest.hooks = hooks;
  });
});
afterAll(async () => {
  await stage.close();
  await ticketing.close();
});

/** Asks, waits for the ticket, and lets the ticketing system answer at the address that it was given. */
async function askAndDecide(operation: "GRANT" | "REVOKE", status: "OK" | "KO"): Promise<any> {
  const { server, unitId, tableId } = stage;
  const body = {
    operation,
    deploymentUnitId: unitId,
    environment: "development",
    outputPortUrns: [tableId],
    identities: [person],
    reason: "to count trips",
  };
  const asked = await server.builder({ method: "POST", path: "/access-requests", body, as: "operator" });
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

it("who is granted access after the third party's OK reads; after the revocation it is refused", async () => {
  const { client, readAs, server, tableId } = stage;
  const dataContract = { schema: [{ name: "id", dataType: "INT" }] };
  await stage.deploy({ consumable: true, dataContract });
  await client.query("insert into asked.trips values (7)");
  expect((await askAndDecide("GRANT", "KO")).status).toBe("REJECTED");
  expect(await stage.findRole(person)).toBeUndefined();
  expect((await askAndDecide("GRANT", "OK")).status).toBe("GRANTED");
  const role = (await stage.findRole(person)) ?? "";
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
