/**
 * A process while its database is in trouble: it holds no more connections than its documented bound, answers every request
 * with what is asked or with 503 and when to come back, and is as before when the trouble is over.
 */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxConnections } from "../../src/platform/db/connection-limits.ts";
import { inTransaction } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { workerLockClass } from "../../src/platform/jobs/worker-lease.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import { ended, provisioning, provisioningPath } from "../coordinator/ships.ts";
import { expectErrorObject } from "../coordinator/refusals.ts";
import {
  setDatabaseWait,
  startWholeServer,
  until,
  type Answer,
  type WholeServer,
} from "../support/server.ts";
import { openWire, type Wire } from "./wire.ts";

/** What the server logs in as, so that its sessions can be told from those of the test. */
const user = `trouble_${newId().replaceAll("-", "")}`;
const bound = maxConnections({ isWorker: true });
/** More than the pool has connections, so that all of those are open. */
const callers = 30;
const troubleMs = 1_500;

/** As in production, but for writes, which have more time there than a test has. */
const databaseWaitMs = { read: 4_000, write: 2_000 };
/** Far more than requests have, and far less than the database itself gives a statement. */
const lateMs = 15_000;

let server: WholeServer;
let wire: Wire;
let admin: pg.Client;

beforeAll(async () => {
  server = await startWholeServer({
    async configure(config) {
      const { coordinator } = config.database;
      const { host = "", port, password } = coordinator;
      admin = new pg.Client({ host, port, user: coordinator.user, password, database: "postgres" });
      await admin.connect();
      await admin.query(`create role ${user} superuser login password 'trouble'`);
      wire = await openWire(host, port);
      Object.assign(coordinator, { host: "127.0.0.1", port: wire.port, user, password: "trouble" });
      setDatabaseWait(config, databaseWaitMs);
    },
  });
  await server.registerMock();
});
afterAll(async () => {
  await server.close();
  await admin.query(`drop role ${user}`);
  await admin.end();
  wire.close();
});

let units = 0;
const startUnit = (): Promise<Answer> => {
  const id = `urn:dmb:dp:sea:trouble-${++units}:0`;
  const unit = { ...provisioning().descriptor, id };
  return server.coordinator({ method: "POST", path: provisioningPath(id), body: provisioning(unit) });
};
const list = (): Promise<Answer> => server.coordinator({ path: "/v1/tech-adapters" });

const count = async (text: string): Promise<number> => {
  const { rows } = await admin.query<{ n: number }>(`select count(*)::int as n from ${text}`);
  return rows[0]!.n;
};
const sessions = (): Promise<number> => count(`pg_stat_activity where usename = '${user}'`);
const dbname = (): string => server.db.connection.dbname;
const databaseOid = (): string => `(select oid from pg_database where datname = '${dbname()}')`;
const terminate = () =>
  admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${user}'`);
/** `alter database`, by whose end every session has heard of it. */
const alter = async (what: string): Promise<void> => {
  await admin.query(`alter database ${dbname()} ${what}`);
  await terminate();
};

interface Trouble {
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
  /** Said to at least one caller while it lasts; undefined where all may be answered. */
  message?: RegExp;
  /** How long it lasts. */
  ms?: number;
}

const troubles: Record<string, Trouble> = {
  "read-only": {
    begin: () => alter("set default_transaction_read_only = on"),
    end: () => alter("reset default_transaction_read_only"),
    message: /read-only, or a standby/,
    // A connection that is forgotten at each of some attempts to take the lease again is beyond the bound by then.
    ms: 2 * troubleMs,
  },
  "whose connections are terminated": { begin: terminate, end: terminate },
  "that takes no connections": {
    begin: () => alter("allow_connections false"),
    end: () => admin.query(`alter database ${dbname()} allow_connections true`),
    message: /can't be reached/,
  },
  "with few places for connections": {
    // Superusers have the reserved places as well, but no limit of their role: the database's does not hold them either.
    async begin() {
      await admin.query(`alter role ${user} nosuperuser connection limit 4`);
      await admin.query(`grant pg_read_all_data, pg_write_all_data to ${user}`);
      await terminate();
    },
    async end() {
      await admin.query(`alter role ${user} superuser connection limit -1`);
      await terminate();
    },
    message: /no more connections/,
  },
  "that is slow": {
    begin: async () => wire.slow(150),
    end: async () => wire.slow(0),
  },
  "whose disk is full": { begin: () => fillDisk(), end: () => freeDisk(), message: /no room/ },
  "that is starting": (() => {
    const starting = startingServer();
    return {
      async begin() {
        wire.cut();
        await starting.open(wire.port);
      },
      async end() {
        await starting.close();
        await wire.mend();
      },
      message: /starting, recovering/,
    };
  })(),
};

describe.each(Object.entries(troubles))("a database %s", (_name, trouble) => {
  it("leaves the process within its connections, its callers with 503, and no trace when it is over", async () => {
    await until(list, ({ status }) => status === 200);
    const answers: Answer[] = [];
    let most = 0;
    let isOver = false;
    const call = async (number: number): Promise<void> => {
      while (!isOver) {
        answers.push(await (number % 5 === 0 ? startUnit() : list()));
        await new Promise((next) => setTimeout(next, 20));
      }
    };
    // A connection counts when it is open at two looks: the database, and the wire for a moment, still have those just closed.
    const watch = async (): Promise<void> => {
      let before = wire.open();
      while (!isOver) {
        await new Promise((next) => setTimeout(next, 20));
        const now = wire.open();
        most = Math.max(most, [...now].filter((each) => before.has(each)).length);
        before = now;
      }
    };
    await trouble.begin();
    const calling = Promise.all([watch(), ...Array.from({ length: callers }, (_each, n) => call(n))]);
    await new Promise((next) => setTimeout(next, trouble.ms ?? troubleMs));
    // On a slow machine the callers take longer to see it.
    const { message } = trouble;
    const isSeen = (): boolean => message === undefined || answers.some(({ text }) => message.test(text));
    await expect.poll(isSeen).toBe(true);
    await trouble.end();
    isOver = true;
    await calling;
    expect(most).toBeLessThanOrEqual(bound);
    expectPlain(answers, trouble.message);
    await expectWell();
  });
});

/** Every answer is what was asked for, or a 503 in the area's words that says when to come back. */
function expectPlain(answers: Answer[], message: RegExp | undefined): void {
  const others = answers.filter(({ status }) => status !== 200 && status !== 202);
  for (const answer of others) {
    expect([answer.status, answer.body.code]).toEqual([503, "PLATFORM_DATABASE_UNAVAILABLE"]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expectErrorObject(answer);
  }
  if (message) expect(others.some(({ text }) => message.test(text))).toBe(true);
}

/** It serves, drives plans, holds its one lease, and has not more connections than before. */
async function expectWell(): Promise<void> {
  const started = await until(startUnit, ({ status }) => status === 202);
  expect(await ended(server, started.body)).toBe("COMPLETED");
  await expect
    .poll(() =>
      count(`pg_locks where locktype = 'advisory' and granted and classid = ${workerLockClass}
        and database = ${databaseOid()}`),
    )
    .toBe(1);
  await expect.poll(sessions).toBeLessThanOrEqual(bound);
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("It waited longer than a request may.")), lateMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const whileLocked = (table: string, work: () => Promise<void>): Promise<void> =>
  inTransaction(server.db.database, async (tx) => {
    await sql`lock table ${sql.ref(table)} in access exclusive mode`.execute(tx);
    await work();
  });

/** PostgreSQL says the same of every statement that needs room; no test may fill the disk of the machine. */
async function fillDisk(): Promise<void> {
  const { pool } = server.db.database;
  await pool.query(`create or replace function cgp.full_disk() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  for (const table of await tables())
    await pool.query(`create trigger full_disk before insert or update on ${table}
      for each statement execute function cgp.full_disk()`);
  await terminate();
}

async function freeDisk(): Promise<void> {
  for (const table of await tables())
    await server.db.database.pool.query(`drop trigger full_disk on ${table}`);
}

async function tables(): Promise<string[]> {
  const { rows } = await server.db.database.pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname like 'cgp%'",
  );
  return rows.map(({ name }) => name);
}

/** What a PostgreSQL answers until it has recovered. */
function startingServer() {
  const sockets = new Set<Socket>();
  const fields = "SFATAL\0C57P03\0Mthe database system is starting up\0\0";
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", () => socket.end(Buffer.concat([head, Buffer.from(fields)])));
  });
  return {
    async open(port: number) {
      listener.listen(port, "127.0.0.1");
      await once(listener, "listening");
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
}

describe("what would wait without end", () => {
  it("a read of a locked table ends with 503 while the table is locked", async () => {
    await whileLocked("tech_adapters", async () => {
      expectPlain([await inTime(list())], /took too long/);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    });
    // What it had asked for waits no longer in the database either.
    await expect.poll(() => count(`pg_locks where not granted and database = ${databaseOid()}`)).toBe(0);
    expect((await list()).status).toBe(200);
  });

  it("a start that needs a locked table ends with 503 and leaves nothing", async () => {
    await whileLocked("operations", async () => expectPlain([await inTime(startUnit())], /took too long/));
    await expectWell();
  });

  it("reads and starts end with 503 while the database says nothing, however many there are", async () => {
    await until(list, ({ status }) => status === 200);
    wire.stall();
    const ready = fetch(`${server.url}/readyz`);
    const answers = await inTime(Promise.all([...Array.from({ length: callers }, list), startUnit()]));
    expect((await inTime(ready)).status).toBe(503);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expectPlain(answers, /took too long/);
    wire.flow();
    await expectWell();
  });
});
