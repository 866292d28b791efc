/** The chain of the audit on a real database: sealing beside writers, and every way of changing it behind its back. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { writeAudit } from "../db/audit.ts";
import { inTransaction } from "../db/database.ts";
import { newId } from "../lib/ids.ts";
import { silentLogger } from "../lib/logger.ts";
import { systemContext } from "../lib/request-context.ts";
import { rfc8785 } from "../lib/rfc8785.ts";
import { createSecretBox } from "../lib/secrets/secret-box.ts";
import { pruneAudit } from "./prune.ts";
import { advanceSettled, nothingSettled, type Settled } from "./settled.ts";
import { claimHead, readTops, readWriters } from "./store.ts";
import { openAuditChain, sealAudit, type AuditChain } from "./seal.ts";
import { startAuditSealer } from "./sealer.ts";
import { checkAnchor, readChainStatus, verifyAudit, type Verified } from "./verify.ts";

let db: TestDatabase;
let chain: AuditChain;
const key = Buffer.alloc(32, 7);
const at = new Date("2026-11-23T12:00:00.000Z");
const ctx = { ...systemContext(silentLogger, () => at), clientAddress: "192.0.2.7" };

beforeAll(async () => {
  db = await testDatabase();
  chain = openAuditChain("platform", { database: db.database, secrets: createSecretBox(key) });
});
beforeEach(async () => {
  await run(
    "truncate audit, audit_chain, audit_head restart identity; insert into audit_head default values",
  );
});
afterAll(() => db.drop());

const run = (text: string) => db.database.pool.query(text);

async function write(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await writeAudit(db.database.db, ctx, {
      area: "coordinator",
      operation: "startProvisioning",
      subject: `unit:${n}@development`,
      detail: { planId: newId(), n },
    });
}

async function seal(): Promise<void> {
  const { rows } = await run("select coalesce(max(id), 0) as top from audit");
  while ((await sealAudit(chain, { upTo: rows[0].top, at }))?.hasMore === true);
}

const verify = (limit = 100_000): Promise<Verified> => verifyAudit(chain, { after: 0, limit });

async function problems(): Promise<unknown[]> {
  const { problems: found } = await verify();
  return found.map(({ kind, seq, id }) => [kind, seq, id]);
}

test("rows are chained in the order of their ids, each over itself and the hash before it", async () => {
  await write(3);
  await seal();
  const { rows } = await run(
    `select c.seq, c.hash, a.* from audit_chain c join audit a on a.id = c.audit_id order by seq`,
  );
  let previousHash = "0".repeat(64);
  for (const [index, row] of rows.entries()) {
    const record = {
      chain: "platform",
      seq: index + 1,
      id: row.id,
      at: "2026-11-23T12:00:00.000Z",
      area: "coordinator",
      actor: "service:default/plinth",
      action: "startProvisioning",
      resource: `unit:${index}@development`,
      requestId: ctx.requestId,
      clientAddress: "192.0.2.7",
      detail: row.detail,
      previousHash,
    };
    previousHash = createHash("sha256").update(rfc8785(record)).digest("hex");
    expect(row.hash.toString("hex")).toBe(previousHash);
  }
  expect(rows).toHaveLength(3);
  expect(await verify()).toEqual({ checked: 3, problems: [], next: null });
  const { head, isSigned, tail } = await readChainStatus(chain);
  expect([head?.seq, head?.hash.toString("hex"), isSigned, tail.rows]).toEqual([3, previousHash, true, 0]);
});

test("rows of before this release, without an area or an address, are sealed too", async () => {
  await run(`insert into audit (actor, operation, subject, request_id) values ('a', 'b', 'c', 'd')`);
  await seal();
  expect(await verify()).toEqual({ checked: 1, problems: [], next: null });
});

test.each<[string, string, unknown[]]>([
  ["a changed actor", "update audit set actor = 'user:default/eve' where id = 5", [["CHANGED", 5, 5]]],
  ["a changed detail", `update audit set detail = detail || '{"n": 9}' where id = 5`, [["CHANGED", 5, 5]]],
  ["a changed time", "update audit set at = at - interval '1 day' where id = 5", [["CHANGED", 5, 5]]],
  ["a changed address", "update audit set client_address = null where id = 5", [["CHANGED", 5, 5]]],
  ["a deleted row", "delete from audit where id = 5", [["DELETED", 5, 5]]],
  [
    "a row deleted with its place",
    "delete from audit where id = 5; delete from audit_chain where audit_id = 5",
    [["GAP", 5, null]],
  ],
  [
    "a row deleted with its place, and the rest moved up",
    "delete from audit where id = 5; delete from audit_chain where audit_id = 5; update audit_chain set seq = -seq where seq > 5; update audit_chain set seq = -seq - 1 where seq < 0",
    [
      ["CHANGED", 5, 6],
      ["CHANGED", 6, 7],
      ["CHANGED", 7, 8],
      ["TRUNCATED", 8, null],
    ],
  ],
  [
    "a row in place of another, and one before all",
    `delete from audit where id = 5;
     insert into audit (id, at, actor, operation, subject, request_id) overriding system value
       values (5, now(), 'user:default/eve', 'x', 'y', 'z'), (0, now(), 'user:default/eve', 'x', 'y', 'z')`,
    [
      ["CHANGED", 5, 5],
      ["INSERTED", null, 0],
    ],
  ],
  [
    "two rows that changed places",
    `update audit a set actor = b.actor, subject = b.subject, detail = b.detail from audit b
      where a.id in (4, 5) and b.id = 9 - a.id`,
    [
      ["CHANGED", 4, 4],
      ["CHANGED", 5, 5],
    ],
  ],
  [
    "two places that changed rows",
    `update audit_chain set audit_id = -4 where seq = 4; update audit_chain set audit_id = 4 where seq = 5;
     update audit_chain set audit_id = 5 where seq = 4`,
    [
      ["CHANGED", 4, 5],
      ["CHANGED", 5, 4],
    ],
  ],
  [
    "a cut end",
    "delete from audit where id > 6; delete from audit_chain where audit_id > 6",
    [["TRUNCATED", 7, null]],
  ],
  [
    "a cut end with a head that fits",
    `delete from audit where id > 6; delete from audit_chain where audit_id > 6;
     update audit_head set seq = 6, audit_id = 6, hash = (select hash from audit_chain where seq = 6)`,
    [["HEAD_UNSIGNED", 6, null]],
  ],
  [
    "a cut front",
    "delete from audit where id < 3; delete from audit_chain where seq < 3",
    [["GAP", 1, null]],
  ],
  [
    "a cut front with a head that fits",
    `update audit_head set pruned_seq = 2, pruned_id = 2, pruned_hash = (select hash from audit_chain where seq = 2);
     delete from audit where id < 3; delete from audit_chain where seq < 3`,
    [["HEAD_UNSIGNED", 8, null]],
  ],
  ["a head that is gone", "delete from audit_head", [["HEAD_MISSING", null, null]]],
  [
    "a head that was moved",
    "update audit_head set hash = (select hash from audit_chain where seq = 7)",
    [
      ["HEAD_UNSIGNED", 8, null],
      ["HEAD_CHANGED", 8, 8],
    ],
  ],
  ["all of it", "truncate audit; truncate audit_chain", [["TRUNCATED", 1, null]]],
])("shows %s", async (_case, tampering, expected) => {
  await write(8);
  await seal();
  expect(await problems()).toEqual([]);
  await run(tampering);
  expect(await problems()).toEqual(expected);
});

test("shows a row that appears among sealed ones", async () => {
  await write(4);
  // A number that was given to a transaction that was rolled back.
  await run("select nextval(pg_get_serial_sequence('audit', 'id'))");
  await write(3);
  await seal();
  expect(await problems()).toEqual([]);
  await run(`insert into audit (id, at, actor, operation, subject, request_id) overriding system value
    values (5, now(), 'user:default/eve', 'x', 'y', 'z')`);
  expect(await problems()).toEqual([["INSERTED", null, 5]]);
});

/** What somebody can do who writes to the database and knows how the chain is made, but not the key. */
async function forge(): Promise<void> {
  await run(`update audit set actor = 'user:default/eve' where id = 3; truncate audit_chain`);
  await run(`update audit_head set seq = 0, audit_id = 0, hash = decode(repeat('00', 32), 'hex')`);
  await sealAudit({ ...chain, keys: () => [Buffer.alloc(32, 8)] }, { upTo: 8, at });
}

test("shows a chain that was made again without the key, also after it went on", async () => {
  await write(8);
  await seal();
  await forge();
  expect(await problems()).toEqual([
    ["HEAD_UNSIGNED", 8, null],
    ["HEAD_WAS_UNSIGNED", 0, null],
  ]);
  await write(1);
  await seal();
  expect(await problems()).toEqual([["HEAD_WAS_UNSIGNED", 0, null]]);
});

test("shows a chain that was begun anew to one who has noted a hash of the old one", async () => {
  await write(8);
  await seal();
  const { head } = await readChainStatus(chain);
  const noted = { seq: 8, hash: head!.hash.toString("hex") };
  expect(await checkAnchor(chain, noted)).toEqual([]);
  await run(`update audit set actor = 'user:default/eve' where id = 3; truncate audit_chain;
    delete from audit_head; insert into audit_head default values`);
  await seal();
  expect(await problems()).toEqual([]);
  expect((await checkAnchor(chain, noted)).map(({ kind }) => kind)).toEqual(["ANCHOR_DIFFERS"]);
  expect((await checkAnchor(chain, { ...noted, seq: 9 })).map(({ kind }) => kind)).toEqual([
    "ANCHOR_MISSING",
  ]);
});

test("pruning moves the beginning of the chain, and what is left is verified from there", async () => {
  await write(6);
  await seal();
  const { head: before } = await readChainStatus(chain);
  const later = { ...ctx, now: () => new Date("2026-12-23T12:00:00.000Z") };
  for (let n = 0; n < 4; n += 1)
    await writeAudit(db.database.db, later, { area: "builder", operation: "x", subject: "y" });
  await sealAudit(chain, { upTo: 10, at: later.now() });
  const request = { before: new Date("2026-12-01T00:00:00.000Z"), at: later.now(), limit: 4 };
  expect(await pruneAudit(chain, request)).toEqual({ rows: 4, hasMore: true });
  expect(await pruneAudit(chain, request)).toEqual({ rows: 2, hasMore: false });
  expect(await pruneAudit(chain, request)).toEqual({ rows: 0, hasMore: false });
  const { rows } = await run("select min(id) as first, count(*) as count from audit");
  // With a row for each of the two times.
  expect(rows).toEqual([{ first: 7, count: 6 }]);
  expect(await verify()).toEqual({ checked: 4, problems: [], next: null });
  const { head } = await readChainStatus(chain);
  expect([head?.prunedSeq, head?.prunedHash]).toEqual([6, before?.hash]);
  expect(await checkAnchor(chain, { seq: 6, hash: before!.hash.toString("hex") })).toEqual([]);
  // A page that continues where rows were deleted meanwhile.
  expect(await verifyAudit(chain, { after: 3, limit: 100 })).toEqual({
    checked: 4,
    problems: [],
    next: null,
  });
  await run(`insert into audit (id, at, actor, operation, subject, request_id) overriding system value
    values (2, now(), 'user:default/eve', 'x', 'y', 'z')`);
  expect(await problems()).toEqual([["INSERTED", null, 2]]);
});

const muchLater = new Date("2030-01-01T00:00:00.000Z");
const request = { before: muchLater, at: muchLater, limit: 4 };

test.each<[string, string, RegExp]>([
  ["a changed row", "update audit set actor = 'user:default/eve' where id = 3", /CHANGED at place 3/],
  ["a deleted row", "delete from audit where id = 3", /DELETED at place 3/],
  [
    "a row deleted with its place",
    "delete from audit where id = 3; delete from audit_chain where seq = 3",
    /GAP at place 3/,
  ],
])("pruning stops before %s, and says why", async (_case, tampering, reason) => {
  await write(8);
  await seal();
  await run(tampering);
  const before = await problems();
  expect(await pruneAudit(chain, request)).toEqual({ rows: 2, hasMore: true });
  for (const _again of [1, 2]) await expect(pruneAudit(chain, request)).rejects.toThrow(reason);
  expect((await readChainStatus(chain)).head?.prunedSeq).toBe(2);
  await seal();
  expect(await problems()).toEqual(before);
});

test("pruning stops before a row of a clock that was wrong, and says why", async () => {
  await write(1);
  const wrong = { ...ctx, now: () => new Date("2099-01-01T00:00:00.000Z") };
  await writeAudit(db.database.db, wrong, { area: "builder", operation: "x", subject: "y" });
  await write(1);
  await seal();
  expect(await pruneAudit(chain, request)).toEqual({ rows: 1, hasMore: true });
  for (const _again of [1, 2])
    await expect(pruneAudit(chain, request)).rejects.toThrow(/place 2 .* 2099-01-01T00:00:00.000Z/);
  expect(await problems()).toEqual([]);
});

test("a clock that is a little ahead of the others is no reason to fail", async () => {
  await write(1);
  await seal();
  const before = new Date("2026-11-01T00:00:00.000Z");
  const behind = { before, at: new Date("2026-11-23T11:59:00.000Z"), limit: 4 };
  expect(await pruneAudit(chain, behind)).toEqual({ rows: 0, hasMore: false });
});

test("pruning deletes nothing where the ends of the chain are not signed", async () => {
  await write(8);
  await seal();
  await run("update audit_head set pruned_seq = 5, pruned_id = 5, signature = decode('00', 'hex')");
  await expect(pruneAudit(chain, request)).rejects.toThrow(/not those that this installation has signed/);
  expect((await run("select count(*) as n from audit")).rows).toEqual([{ n: 8 }]);
});

test("pruning goes by the time that is sealed, whatever the chain says of when it was", async () => {
  await write(4);
  await seal();
  await run("update audit_chain set sealed_at = '2000-01-01'");
  const recent = { ...request, before: new Date("2026-11-01T00:00:00.000Z") };
  expect(await pruneAudit(chain, recent)).toEqual({ rows: 0, hasMore: false });
});

test("pruning remembers that the chain was made again, as long as that is not old itself", async () => {
  await write(8);
  await seal();
  await run("update audit set at = '2020-01-01'");
  await forge();
  await write(1);
  await seal();
  // What was made again says of itself that it is old.
  const recent = { ...request, before: new Date("2026-11-01T00:00:00.000Z") };
  expect(await pruneAudit(chain, recent)).toMatchObject({ rows: 4 });
  expect((await readChainStatus(chain)).head).toMatchObject({ unsignedSeq: 0, unsignedAt: at });
});

test("each pruning is a row of the audit itself", async () => {
  await write(6);
  await seal();
  await pruneAudit(chain, request);
  const { rows } = await run("select operation, subject, detail from audit order by id desc limit 1");
  expect(rows).toEqual([
    {
      operation: "pruneAudit",
      subject: "audit:platform",
      detail: { from: 1, to: 4, before: muchLater.toISOString() },
    },
  ]);
  await seal();
  expect(await problems()).toEqual([]);
});

test("an anchor of before the first place that is kept can't be compared, and that is said", async () => {
  await write(6);
  await seal();
  const { rows } = await run("select encode(hash, 'hex') as hash from audit_chain where seq = 2");
  await pruneAudit(chain, request);
  expect(await checkAnchor(chain, { seq: 2, hash: rows[0].hash })).toEqual([
    {
      kind: "ANCHOR_PRUNED",
      seq: 2,
      id: null,
      message: "The place is older than what is kept, which begins at 5: nothing can be said of it.",
    },
  ]);
});

test("rows that are not sealed are not pruned", async () => {
  await write(3);
  expect(await pruneAudit(chain, request)).toEqual({ rows: 0, hasMore: false });
  expect((await readChainStatus(chain)).tail.rows).toBe(3);
});

test("is verified in pages", async () => {
  await write(8);
  await seal();
  await run("update audit set actor = 'x' where id in (2, 7)");
  const first = await verifyAudit(chain, { after: 0, limit: 3 });
  expect([first.checked, first.next, first.problems.map(({ seq }) => seq)]).toEqual([3, 3, [2]]);
  const second = await verifyAudit(chain, { after: 3, limit: 100 });
  expect([second.checked, second.next, second.problems.map(({ seq }) => seq)]).toEqual([5, null, [7]]);
});

test("a row waits for a lower one that is not committed", async () => {
  const look = async (settled: Settled): Promise<Settled> => {
    const { top } = await readTops(db.database.db);
    return advanceSettled(settled, { top, writers: await readWriters(db.database.db) });
  };
  let settled = nothingSettled;
  await inTransaction(db.database, async (slow) => {
    await writeAudit(slow, ctx, { area: "builder", operation: "slow", subject: "s" });
    await write(2);
    for (let n = 0; n < 3; n += 1) settled = await look(settled);
    expect(settled).toMatchObject({ upTo: 0, pending: { top: 3 } });
    expect(await sealAudit(chain, { upTo: settled.upTo, at })).toBeNull();
  });
  settled = await look(settled);
  expect(settled).toEqual({ upTo: 3, pending: null });
  expect(await sealAudit(chain, { upTo: 3, at })).toMatchObject({ rows: 3 });
  expect(await problems()).toEqual([]);
});

test("writers do not wait for one who seals, nor does a second one who would seal", async () => {
  await write(1);
  await inTransaction(db.database, async (sealing) => {
    expect(await claimHead(sealing)).not.toBeNull();
    await write(3);
    expect(await sealAudit(chain, { upTo: 4, at })).toBeNull();
  });
  expect(await sealAudit(chain, { upTo: 4, at })).toMatchObject({ rows: 4 });
});

test("three sealers beside twenty writers, some of whom roll back, seal each row once", async () => {
  const options = { chains: [chain], log: silentLogger, now: () => at, everyMs: 5 };
  const sealers = [1, 2, 3].map(() => startAuditSealer(options));
  const writer = async (n: number): Promise<void> => {
    for (let round = 0; round < 15; round += 1)
      await inTransaction(db.database, async (tx) => {
        await writeAudit(tx, ctx, { area: "builder", operation: `${n}`, subject: `${round}` });
        if ((n + round) % 5 === 0) throw new Error("rolled back");
        await writeAudit(tx, ctx, { area: "builder", operation: `${n}`, subject: `${round}` });
      }).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: 20 }, (_, n) => writer(n)));
  await eventually("all rows are sealed", async () => (await readChainStatus(chain)).tail.rows === 0);
  await Promise.all(sealers.map((each) => each.close()));
  const { rows } = await run("select count(*) as n from audit");
  expect(rows[0].n).toBe(480);
  expect(await verify()).toEqual({ checked: 480, problems: [], next: null });
});
