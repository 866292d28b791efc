/** What becomes of statements that take too long, and of their connections, on the client and on the server. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { openWire, type Wire } from "../../../test/faults/wire.ts";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { DatabaseWait } from "../lib/database-wait.ts";
import { currentDatabaseWait, withinDatabaseWait } from "../lib/request-scope.ts";
import { silentLogger } from "../lib/logger.ts";
import { connectTo, inTransaction, openDatabase, type Database } from "./database.ts";
import { sql } from "./sql.ts";
import { DatabaseTimeout } from "./failures.ts";

const name = "limited-client-test";
let db: TestDatabase;
let wire: Wire;
let database: Database;

beforeAll(async () => {
  db = await testDatabase();
  wire = await openWire(db.connection.host, db.connection.port);
});
afterAll(async () => {
  await db.drop();
  wire.close();
});
beforeEach(() => {
  const connection = { ...db.connection, host: "127.0.0.1", port: wire.port };
  database = openDatabase({ connection, log: silentLogger, poolSize: 1, applicationName: name });
});
afterEach(async () => {
  wire.flow();
  await database.close();
});

const within = <T>(ms: number, work: () => Promise<T>): Promise<T> =>
  withinDatabaseWait(new DatabaseWait(ms), work);
const sleep = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(database.db);
const pid = async (): Promise<number> => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db);
  return rows[0]!.pid;
};
const sessions = async (): Promise<number> => {
  const { rows } = await db.database.pool.query<{ n: number }>(
    "select count(*) as n from pg_stat_activity where application_name = $1",
    [name],
  );
  return rows[0]!.n;
};

it("a statement ends with the time of its request, on the server too, and its connection is not used again", async () => {
  const first = await pid();
  await expect(within(200, () => sleep(60))).rejects.toThrow(DatabaseTimeout);
  expect(await pid()).not.toBe(first);
  await expect.poll(sessions).toBe(1);
});

it("a transaction ends with it as well, and its connection is not used again", async () => {
  const first = await pid();
  const work = () => inTransaction(database, async (tx) => void (await sql`select pg_sleep(60)`.execute(tx)));
  await expect(within(200, work)).rejects.toThrow(DatabaseTimeout);
  expect(await pid()).not.toBe(first);
  await expect.poll(sessions).toBe(1);
});

it("the time is that of all statements together, and of the wait for a connection", async () => {
  const busy = inTransaction(database, async (own) => {
    await expect(within(200, pid)).rejects.toThrow(DatabaseTimeout);
    await sql`select 1`.execute(own);
  });
  await busy;
  await expect(
    within(400, async () => {
      for (;;) await sleep(0.1);
    }),
  ).rejects.toThrow(DatabaseTimeout);
});

it("a statement has the time of who sent it, not of who gave the connection back", async () => {
  const held = await database.pool.connect();
  const seen: unknown[] = [];
  const ask = () =>
    new Promise<void>((done, fail) => {
      database.pool.connect((error, _client, release) => {
        seen.push(currentDatabaseWait());
        release();
        if (error) fail(error);
        else done();
      });
    });
  const own = new DatabaseWait(60_000);
  const asked = [withinDatabaseWait(own, ask), ask()];
  withinDatabaseWait(new DatabaseWait(60_000), () => held.release());
  await Promise.all(asked);
  expect(seen).toEqual([own, undefined]);
});

it("a connection that has gone silent is closed, and the next one serves", async () => {
  await pid();
  wire.stall();
  await expect(within(200, pid)).rejects.toThrow(DatabaseTimeout);
  wire.flow();
  await expect(pid()).resolves.toBeGreaterThan(0);
});

it("a database that has gone silent is closed all the same", async () => {
  await pid();
  wire.stall();
  await database.close();
  expect(database.pool.totalCount).toBe(0);
});

it("an attempt to connect that the server answers with an error leaves nothing open", async () => {
  const sockets: Socket[] = [];
  // It does not hang up by itself, as PostgreSQL would.
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.once("data", () => socket.write(errorResponse("FATAL", "57P03", "starting up")));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connection = { ...db.connection, host: "127.0.0.1", port };
  await expect(connectTo(connection)).rejects.toThrow("starting up");
  await expect.poll(() => sockets.map((socket) => socket.readableEnded || socket.destroyed)).toEqual([true]);
  for (const socket of sockets) socket.destroy();
  server.close();
});

function errorResponse(severity: string, code: string, message: string): Buffer {
  const fields = Buffer.from(`S${severity}\0C${code}\0M${message}\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

it("a connection to a server that takes no changes is left after two seconds, between two transactions", async () => {
  const { dbname } = db.connection;
  await db.database.pool.query(`alter database ${dbname} set default_transaction_read_only = on`);
  try {
    const first = await inTransaction(database, async (tx) => {
      await sql`select pg_sleep(2.1)`.execute(tx);
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      return rows[0]!.pid;
    });
    const second = await pid();
    expect(second).not.toBe(first);
    expect(await pid()).toBe(second);
    await expect.poll(pid).not.toBe(second);
    await expect.poll(sessions).toBe(1);
  } finally {
    await db.database.pool.query(`alter database ${dbname} reset default_transaction_read_only`);
  }
});

it("one that takes changes again is kept", async () => {
  const { dbname } = db.connection;
  await db.database.pool.query(`alter database ${dbname} set default_transaction_read_only = on`);
  const first = await pid();
  await db.database.pool.query(`alter database ${dbname} reset default_transaction_read_only`);
  await sql`set default_transaction_read_only = off`.execute(database.db);
  await sleep(2.1);
  expect(await pid()).toBe(first);
});
