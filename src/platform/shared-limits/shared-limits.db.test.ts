import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { openDatabase, type Database } from "../db/database.ts";
import { createRateLimit } from "../http/admission/rate-limit.ts";
import { newId } from "../lib/ids.ts";
import { silentLogger } from "../lib/logger.ts";
import type { Need, Shares } from "./concurrency.ts";
import { openSharedLimits, type SharedLimits } from "./shared-limits.ts";
import { limitsChannel } from "./store.ts";

let db: TestDatabase;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  db = await testDatabase();
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await db.database.pool.query("delete from limit_members; delete from limit_shares");
});
afterAll(() => db.drop());

const limit = 12;
const name = "tasks of http://adapter";

interface Process {
  limits: SharedLimits;
  shares: Shares;
  need: Need;
  database: Database;
  /** How often it has asked for notices. */
  listens(): number;
  usable(): number;
  /** Begins what it may, as a process does whose work never ends. */
  fill(): void;
}

/** A process with a database connection of its own. */
function startProcess({ roundMs = 50, refusedListens = 0 } = {}): Process {
  const database = openDatabase({ connection: db.connection, log: silentLogger, poolSize: 3 });
  const { listener } = database;
  let listens = 0;
  const listen: typeof listener.listen = async (...listening) => {
    listens += 1;
    if (listens <= refusedListens) throw new Error("The database does not take it.");
    return listener.listen(...listening);
  };
  const heard: Database = Object.create(database, { listener: { value: { ...listener, listen } } });
  const limits = openSharedLimits({ database: heard, log: silentLogger, roundMs, goneMs: 100 });
  const need: Need = { name, limit, used: 0, waiting: 0 };
  const shares = limits.atOnce({
    needs: () => (need.used + need.waiting > 0 ? [{ ...need }] : []),
    onGrown: () => process.fill(),
  });
  const process: Process = {
    limits,
    shares,
    need,
    database,
    listens: () => listens,
    usable: () => shares.usable(name, limit),
    fill() {
      const more = Math.max(0, Math.min(need.waiting, process.usable() - need.used));
      need.used += more;
      need.waiting -= more;
    },
  };
  closers.push(async () => {
    await limits.close();
    await database.close();
  });
  return process;
}

const want = (process: Process, count: number): void => {
  process.need.waiting += count;
  process.shares.ask(name);
};

const finish = (process: Process): void => {
  process.need.used = 0;
  process.fill();
};

const held = async (): Promise<number> => {
  const { rows } = await db.database.pool.query<{ sum: number }>(
    "select coalesce(sum(share), 0)::int as sum from limit_shares where period = 0",
  );
  return rows[0]!.sum;
};

describe("a limit of what is at work at once", () => {
  it("is wholly that of the only process that needs it", async () => {
    const process = startProcess();
    expect(process.usable()).toBe(0);
    want(process, 3);
    await eventually("its work begins", () => process.need.used === 3);
    expect(process.usable()).toBe(limit);
  });

  it("is divided by need when others join under load, and never exceeded on the way", async () => {
    const [first, second, third] = [startProcess(), startProcess(), startProcess()];
    const used = (): number[] => [first, second, third].map(({ need }) => need.used);
    want(first, 1_000);
    await eventually("the first has all", () => first.need.used === limit);
    want(second, 1_000);
    want(third, 2);
    await eventually("the others have their shares", async () => {
      expect(used().reduce((sum, each) => sum + each)).toBeLessThanOrEqual(limit);
      expect(await held()).toBeLessThanOrEqual(limit);
      // What ends makes room for the others; nothing that is at work is taken away.
      finish(first);
      return used().join() === "5,5,2";
    });
    expect(await held()).toBe(limit);
  });

  it("gives the share of a process that has ended to the others", async () => {
    const [first, second] = [startProcess(), startProcess()];
    want(first, 1_000);
    await eventually("the first has all", () => first.need.used === limit);
    want(second, 1_000);
    await first.limits.close();
    await eventually("the second has all", () => second.usable() === limit);
  });

  it.each([
    ["killed worker", newId(), "0 s"],
    ["process without a heartbeat", null, "10 s"],
  ])("gives the share of a %s to the others, a moment after it was found dead", async (_, worker, age) => {
    const dead = newId();
    const { pool } = db.database;
    await pool.query(
      `insert into limit_members (id, worker_id, serves, heartbeat_at) values ($1, $2, false, now() - $3::interval)`,
      [dead, worker, age],
    );
    await pool.query("insert into limit_shares values ($1, $2, 0, 99, $3, $3)", [dead, name, limit]);
    const process = startProcess();
    want(process, 5);
    await eventually("the dead is marked", async () => {
      const { rows } = await pool.query("select 1 from limit_members where gone_at is not null");
      if (rows.length === 0) expect(await held()).toBe(limit);
      return rows.length === 1 || process.usable() > 0;
    });
    await eventually("the share is free", () => process.usable() === limit);
    expect(await held()).toBe(limit);
  });

  it("hears notices from the round after the one in which the database refused to send them", async () => {
    const process = startProcess({ roundMs: 600_000, refusedListens: 1 });
    want(process, 3);
    await eventually("it has asked for notices again", () => process.listens() === 2);
    const { pool } = db.database;
    await eventually("its round is over", () => process.need.used === 3);
    await pool.query("delete from limit_members");
    await eventually("a notice leads to a round", async () => {
      await pool.query(`select pg_notify('${limitsChannel}', 'another')`);
      return (await pool.query("select 1 from limit_members")).rows.length === 1;
    });
    expect(process.listens()).toBe(2);
  });

  it("leaves a process what it has while the database is away", async () => {
    const process = startProcess();
    want(process, 3);
    await eventually("its work begins", () => process.need.used === 3);
    await process.database.close();
    process.need.waiting = 1_000;
    process.fill();
    expect(process.need.used).toBe(limit);
  });

  it("is not exceeded by a process whose share others have removed while it did not run and needed nothing", async () => {
    const [frozen, other] = [startProcess(), startProcess()];
    want(frozen, 1);
    await eventually("the first has all", () => frozen.need.used === 1);
    finish(frozen);
    const { pool } = db.database;
    await pool.query("delete from limit_members; delete from limit_shares");
    want(other, limit);
    await eventually("the other has all", () => other.need.used === limit);
    await eventually("the first knows", () => frozen.usable() === 0);
    want(frozen, 1_000);
    await eventually("its wait is known", async () => {
      const { rows } = await pool.query("select 1 from limit_shares where demand > share");
      return rows.length === 1;
    });
    expect([frozen.need.used, other.need.used]).toEqual([0, limit]);
  });

  it("goes round when it has fewer places than processes that wait", async () => {
    const all = [startProcess(), startProcess()];
    for (const process of all) {
      Object.assign(process.need, { name: "tasks of http://small", limit: 1 });
      process.usable = () => process.shares.usable(process.need.name, 1);
      process.need.waiting = 1_000_000;
      process.shares.ask(process.need.name);
    }
    const served = new Set<Process>();
    await eventually("both have had a turn", () => {
      const busy = all.filter(({ need }) => need.used > 0);
      expect(busy.length).toBeLessThanOrEqual(1);
      for (const process of busy) {
        served.add(process);
        finish(process);
      }
      return served.size === 2;
    });
  });
});

describe("a rate of requests", () => {
  const perMinute = 600;
  const startServer = async () => {
    const { limits } = startProcess();
    const rate = createRateLimit(perMinute, () => performance.now());
    await limits.rate(rate);
    return { rate, answer: (): boolean => rate.take("actor", "user:a") === 0 };
  };

  it("is wholly that of the only process, at once", async () => {
    const { rate } = await startServer();
    const answered = Array.from({ length: 700 }, () => rate.take("actor", "user:a")).filter(
      (wait) => wait === 0,
    );
    expect(answered).toHaveLength(perMinute);
  });

  it("holds for all processes together, and goes where the requests arrive", async () => {
    const servers = [await startServer(), await startServer(), await startServer()];
    const minute = async (): Promise<number> => {
      const { rows } = await db.database.pool.query<{ minute: number }>(
        "select floor(extract(epoch from clock_timestamp()) / 60)::int as minute",
      );
      return rows[0]!.minute;
    };
    // Nearly everything comes to the first, a little to the second.
    let began = await minute();
    let answered = 0;
    const send = (counts: readonly number[]): void => {
      for (const [server, count] of counts.entries())
        for (let request = 0; request < count; request++) if (servers[server]!.answer()) answered++;
    };
    await eventually("the limit is used up within a minute", async () => {
      const now = await minute();
      if (now !== began) answered = 0;
      began = now;
      send([8, 1, 0]);
      return answered >= perMinute * 0.9;
    });
    send([perMinute, perMinute, perMinute]);
    const minutes = (await minute()) - began + 1;
    expect(answered).toBeGreaterThanOrEqual(perMinute * 0.9);
    expect(answered).toBeLessThanOrEqual(minutes * perMinute * 1.1);
  });
});
