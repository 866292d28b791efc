/** Governance's database is out of reach, or holds a change up: what callers get, and that nothing is lost or doubled. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase, inTransaction, type Database } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { expectErrorObject } from "../coordinator/refusals.ts";
import { openWire, type Wire } from "../faults/wire.ts";
import { eventually } from "../support/eventually.ts";
import { startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";

let server: WholeServer;
let wire: Wire;
/** Past the wire. */
let tables: Database;

beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    async configure({ database }) {
      const { host = "", port } = database.coordinator;
      wire = await openWire(host, port);
      database.governance.host = "127.0.0.1";
      database.governance.port = wire.port;
    },
  });
  tables = openDatabase({
    connection: { ...server.db.connection, schema: "coordinator" },
    log: silentLogger,
    poolSize: 2,
  });
});
afterAll(async () => {
  await tables.close();
  await server.close();
  wire.close();
});

const list = (): Promise<Answer> => server.governance({ path: "/policies" });
const create = (id: string): Promise<Answer> =>
  server.governance({
    method: "POST",
    path: "/policies",
    body: { id, name: id, engine: "cel", spec: { assert: "true" } },
  });

const expectUnavailable = (answer: Answer): void => {
  expect([answer.status, answer.body.code]).toEqual([503, "PLATFORM_DATABASE_UNAVAILABLE"]);
  expect(answer.headers.get("retry-after")).toBe("1");
  expectErrorObject(answer);
};

const countRows = async (): Promise<unknown> => {
  const { rows } =
    await sql`select (select count(*) from policies) as policies, (select count(*) from audit) as audit,
    (select count(*) from policy_versions) as versions, (select count(*) from exceptions) as exceptions,
    (select sum(revision) from revisions) as revisions`.execute(tables.db);
  return rows[0];
};

it("is a 503 that says when to come back; the other areas go on, and what was there is there afterwards", async () => {
  expect((await create("before")).status).toBe(201);
  const before = await countRows();
  wire.cut();
  expectUnavailable(await list());
  expectUnavailable(await create("during"));
  const enabled = { status: "enabled", reason: "Agreed." };
  expectUnavailable(
    await server.governance({ method: "POST", path: "/policies/before/status", body: enabled }),
  );
  expectUnavailable(await server.governance({ path: "/exceptions" }));
  expectUnavailable(await server.governance({ path: "/results" }));
  const evaluated = { id: "x", environment: "development", resourceType: "storage", descriptor: "{}" };
  expectUnavailable(await server.governance({ method: "POST", path: "/evaluate", body: evaluated }));
  expect((await server.coordinator({ path: "/v1/tech-adapters" })).status).toBe(200);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(await countRows()).toEqual(before);
  await wire.mend();
  const after = await until(list, ({ status }) => status === 200);
  expect(after.body.data.map(({ id }: any) => id)).toEqual(["before"]);
  expect((await create("after")).status).toBe(201);
});

it("that breaks in the middle of a change leaves no trace of it", async () => {
  const before = await countRows();
  const answer = await inTransaction(tables, async (tx) => {
    await sql`lock table audit in access exclusive mode`.execute(tx);
    const created = create("torn");
    await eventually("the insert that waits", async () => {
      const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and state = 'active'`.execute(tables.db);
      return rows[0];
    });
    wire.cut();
    return created;
  });
  expectUnavailable(answer);
  await wire.mend();
  await until(list, ({ status }) => status === 200);
  expect(await countRows()).toEqual(before);
  expect((await create("torn")).status).toBe(201);
});
