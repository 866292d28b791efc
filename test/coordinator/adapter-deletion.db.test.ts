/** An adapter that plans are about to deploy something with can't be deleted: nothing could undeploy that. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { inTransaction } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import { registerAdapter, startWholeServer, type WholeServer } from "../support/server.ts";
import { ended, hullId, provisioning, provisioningPath, ships, start, wanted } from "./ships.ts";

const adapterId = "urn:dmb:itm:forge:1";
const path = `/v1/tech-adapters/${adapterId}`;

let server: WholeServer;
let peer: HttpPeer;
let count = 0;
/** What the adapter waits for before it answers a validation. */
let validated = Promise.resolve();

beforeAll(async () => {
  peer = await startHttpPeer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      if (request.url !== "/v1/validate") response.end('{"status":"COMPLETED","result":""}');
      else void validated.then(() => response.end('{"valid":true}'));
    });
  });
  server = await startWholeServer();
});
afterAll(async () => {
  await server.close();
  await peer.close();
});
beforeEach(() =>
  registerAdapter(server, { id: adapterId, url: peer.url, environments: ["development", "production"] }),
);

const forged = () => {
  const unit = ships(`urn:dmb:dp:sea:forged${++count}:0`);
  unit.components = [{ ...unit.components[0]!, infrastructureTemplateId: adapterId }];
  return unit;
};
type Unit = ReturnType<typeof forged>;
const remove = (of: string) => server.coordinator({ method: "DELETE", path: of });
async function undeploy(unit: Unit): Promise<void> {
  const body = provisioning(unit, { targetStatus: wanted(unit, "NOT_DEPLOYED") });
  const { body: token } = await server.coordinator({
    method: "POST",
    path: provisioningPath(unit.id),
    body,
  });
  expect(await ended(server, token)).toBe("COMPLETED");
}
const inUse = (message: string) => ({
  status: 409,
  body: {
    code: "COORD_ADAPTER_IN_USE",
    userMessage: expect.stringContaining("is in use by 1 component."),
    moreInfo: { problems: [`id: ${message}`] },
  },
});

it("while a plan is about to deploy with it, it and its deployment there stay", async () => {
  const answer = Promise.withResolvers<void>();
  validated = answer.promise;
  const unit = forged();
  const plan = await start(server, unit);
  const busy = inUse(`${hullId}@development is being deployed with it (plan ${plan}).`);
  expect(await remove(path)).toMatchObject(busy);
  expect(await remove(`${path}/deployments/development`)).toMatchObject(busy);
  expect((await remove(`${path}/deployments/production`)).status).toBe(204);
  answer.resolve();
  expect(await ended(server, plan)).toBe("COMPLETED");
  expect(await remove(path)).toMatchObject(inUse(`${hullId}@development is deployed with it.`));
  await undeploy(unit);
  expect((await remove(path)).status).toBe(204);
});

it("what is deployed and being deployed again counts once", async () => {
  const unit = forged();
  expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
  const answer = Promise.withResolvers<void>();
  validated = answer.promise;
  const plan = await start(server, unit);
  expect(await remove(path)).toMatchObject(inUse(`${hullId}@development is deployed with it.`));
  answer.resolve();
  expect(await ended(server, plan)).toBe("COMPLETED");
  await undeploy(unit);
});

it("a start that has read the adapter and is not accepted yet is waited for", async () => {
  const { database } = server.db;
  const unit = forged();
  // The lock stands for whatever takes time between reading the adapters and accepting the plan.
  await sql`create function hold_start() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(4711); return new; end'`.execute(database.db);
  await sql`create trigger hold_start before insert on execution_plans for each row
    when (new.unit_key = ${sql.lit(unit.id)}) execute function hold_start()`.execute(database.db);
  const waiting = async (kind: string): Promise<unknown> =>
    (
      await sql`select 1 from pg_locks where locktype = ${kind} and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(database.db)
    ).rows.length;
  const both = await inTransaction(database, async (tx) => {
    await sql`select pg_advisory_xact_lock(4711)`.execute(tx);
    const started = start(server, unit);
    await expect.poll(() => waiting("advisory")).toBe(1);
    const deleted = remove(path);
    await Promise.race([expect.poll(() => waiting("relation")).toBe(1), deleted]);
    return { started, deleted };
  });
  const plan = await both.started;
  expect(await both.deleted).toMatchObject(
    inUse(`${hullId}@development is being deployed with it (plan ${plan}).`),
  );
  expect(await ended(server, plan)).toBe("COMPLETED");
});
