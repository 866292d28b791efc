/** What callers get while the database is out of reach, and that everything works again when it is back. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { inTransaction } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { openWire, type Wire } from "../faults/wire.ts";
import { eventually } from "../support/eventually.ts";
import { startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";
import { countRows, expectErrorObject } from "./refusals.ts";
import { provisioning, provisioningPath } from "./ships.ts";

let server: WholeServer;
let wire: Wire;

beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    async configure(config) {
      const { coordinator } = config.database;
      wire = await openWire(coordinator.host ?? "", coordinator.port);
      coordinator.host = "127.0.0.1";
      coordinator.port = wire.port;
    },
  });
  await server.registerMock();
});
afterAll(async () => {
  await server.close();
  wire.close();
});

const startShips = (): Promise<Answer> =>
  server.coordinator({ method: "POST", path: provisioningPath(), body: provisioning() });
const list = (): Promise<Answer> => server.coordinator({ path: "/v1/tech-adapters" });

const expectUnavailable = (answer: Answer): void => {
  expect([answer.status, answer.body.code]).toEqual([503, "PLATFORM_DATABASE_UNAVAILABLE"]);
  expect(answer.headers.get("retry-after")).toBe("1");
  expectErrorObject(answer);
};

it("a lost connection is a 503 that says when to come back, and nothing is half-written", async () => {
  const before = await countRows(server);
  wire.cut();
  expectUnavailable(await list());
  expectUnavailable(await startShips());
  expectUnavailable(await server.coordinator({ path: "/v1/execution-plans/any/events" }));
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(await countRows(server)).toEqual(before);
  await wire.mend();
  await until(list, ({ status }) => status === 200);
  expect((await startShips()).status).toBe(202);
});

it("a connection that is cut in the middle of a start leaves no trace of it", async () => {
  const path = provisioningPath("urn:dmb:dp:sea:torn:0");
  const unit = { ...provisioning().descriptor, id: "urn:dmb:dp:sea:torn:0" };
  const before = await countRows(server);
  const answer = await whileLocked("operations", async () => {
    const started = server.coordinator({ method: "POST", path, body: provisioning(unit) });
    await blocked();
    wire.cut();
    return started;
  });
  expectUnavailable(answer);
  await wire.mend();
  await until(list, ({ status }) => status === 200);
  expect(await countRows(server)).toEqual(before);
  expect((await server.coordinator({ method: "POST", path, body: provisioning(unit) })).status).toBe(202);
});

it("a statement that takes too long is a 503 as well", async () => {
  const answer = await whileLocked("tech_adapters", async () => {
    const listed = list();
    // The server cancels a statement at its time limit; here the test does, which PostgreSQL reports the same way.
    await sql`select pg_cancel_backend(${await blocked()})`.execute(server.db.database.db);
    return listed;
  });
  expectUnavailable(answer);
  expect((await list()).status).toBe(200);
});

async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  return inTransaction(server.db.database, async (tx) => {
    await sql`lock table ${sql.ref(table)} in access exclusive mode`.execute(tx);
    return work();
  });
}

/** Waits until a connection of the server waits for a lock; answers its process id. */
const blocked = (): Promise<number> =>
  eventually("a connection that waits for a lock", async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`.execute(
      server.db.database.db,
    );
    return rows[0]?.pid;
  });
