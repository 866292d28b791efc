/** What reads and claims hooks and access requests, over large tables: it touches a page of rows, by an index. */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  claimRequests,
  countOpen,
  findByAction,
  listRequests,
  readRequest,
  wakeWaitingRequests,
  type RequestQuery,
} from "../../src/builder/approvals/access-requests/store.ts";
import { claimCalls, findExpired, listHooks, readHookByHash } from "../../src/builder/approvals/store.ts";
import { findAccessChange } from "../../src/coordinator/starts/adapter-requests/store.ts";
import { inTransaction, type Db } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

const rows = 60_000;
const open = 200;
let db: TestDatabase;
const now = new Date("2026-11-21T12:00:00Z");
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

beforeAll(async () => {
  db = await testDatabase();
  const { db: pool } = db.database;
  const each = sql`select n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id,
      ${now}::timestamptz - n * interval '1 second' as at, n <= ${open} as is_open, 'user:default/p' || n % 500 as who
    from generate_series(1, ${rows}::int) n`;
  await sql`insert into hook_actions (id, name, status, requester, owners, fields, traceparent, created_at, ended_at)
    select id, 'accessRequest', case when is_open then 'PENDING' else 'APPROVED' end, who,
      array['user:default/o' || n % 700], '{}', '', at, case when not is_open then at end from (${each}) e`.execute(
    pool,
  );
  await sql`insert into hooks (id, action_id, position, name, kind, status, request_hash, request_seed, next_attempt_at,
      expires_at, created_at, updated_at)
    select id, id, 0, 'tickets', 'remote', case when is_open then 'pending' else 'OK' end, 'hash-' || n,
      'seed', case when is_open then at end, at + interval '3 hours', at, at from (${each}) e`.execute(pool);
  await sql`insert into access_requests (id, action_id, operation, status, unit_id, environment, identities, reason,
      requester, owners, body_hash, next_look_at, http_request_id, traceparent, created_at, updated_at)
    select id, id, 'GRANT', case when is_open then 'APPLYING' else 'GRANTED' end, 'urn:u' || n % 50, 'development',
      array['user:x'], '', who, array['user:default/o' || n % 700], '', case when is_open then at end, '', '', at, at
    from (${each}) e`.execute(pool);
  await sql`insert into access_request_ports (request_id, position, urn, status)
    select id, 0, 'urn:p', 'DONE' from (${each}) e`.execute(pool);
  for (const table of ["hook_actions", "hooks", "access_requests", "access_request_ports"])
    await sql`vacuum analyze ${sql.ref(table)}`.execute(pool);
});
afterAll(() => db.drop());

const page: RequestQuery = {
  status: undefined,
  visibleTo: null,
  requester: "user:default/p7",
  after: null,
  limit: 20,
};
const hooks = { status: undefined, visibleTo: null, after: null, limit: 20 };
const middle = { createdAt: new Date(now.getTime() - (rows / 2) * 1000).toISOString(), id: uuid(1) };
const ofRequester = { requester: "user:default/p7", owners: ["user:default/p7"] };
const ofOwner = { requester: "user:default/o7", owners: ["user:default/o7"] };
const claim = { workerId: uuid(1), underWay: [], at: now, limit: 16 };

it.each<[string, (tx: Db) => Promise<unknown>]>([
  ["due calls", (tx) => claimCalls(tx, claim)],
  ["expired hooks", (tx) => findExpired(tx, now, { except: [uuid(1)], limit: 100 })],
  ["an answer", (tx) => readHookByHash(tx, "hash-777")],
  ["the list of hooks", (tx) => listHooks(tx, hooks)],
  ["its middle", (tx) => listHooks(tx, { ...hooks, after: middle })],
  ["pending hooks", (tx) => listHooks(tx, { ...hooks, status: "pending" })],
  ["hooks that are KO, of which there are none", (tx) => listHooks(tx, { ...hooks, status: "KO" })],
  ["hooks of an owner", (tx) => listHooks(tx, { ...hooks, status: "pending", visibleTo: ofOwner })],
  ["hooks of a requester", (tx) => listHooks(tx, { ...hooks, visibleTo: ofRequester })],
  ["due requests", (tx) => claimRequests(tx, claim)],
  ["a request", (tx) => readRequest(tx, uuid(7))],
  ["the request of an action", (tx) => findByAction(tx, uuid(7))],
  ["open requests of a person", (tx) => countOpen(tx, "user:default/p7")],
  ["the list of requests", (tx) => listRequests(tx, page)],
  ["its middle", (tx) => listRequests(tx, { ...page, after: middle })],
  ["failed requests, of which there are none", (tx) => listRequests(tx, { ...page, status: "FAILED" })],
  ["own requests", (tx) => listRequests(tx, { ...page, visibleTo: ofRequester.owners })],
  [
    "requests of an owner",
    (tx) => listRequests(tx, { ...page, visibleTo: ofOwner.owners, requester: "user:x" }),
  ],
  [
    "requests that wait for others",
    (tx) => wakeWaitingRequests(tx, { unitId: "urn:u7", environment: "development", at: now }),
  ],
  ["a change of access", (tx) => findAccessChange(tx, { unitKey: "u", environment: "development" }, "p")],
])("%s", async (...[, work]) => {
  const touched = await inTransaction(db.database, async (tx) => {
    const before = await readCounts(tx);
    await work(tx);
    const after = await readCounts(tx);
    return { scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched };
  });
  expect(touched.scanned).toBe(0);
  expect(touched.fetched).toBeLessThan(2_000);
});

/** Rows read so far, as far as this connection has not handed its counts in. */
async function readCounts(tx: Db): Promise<{ scanned: number; fetched: number }> {
  const { rows: counts } = await sql<{ scanned: number; fetched: number }>`select
      coalesce(sum(seq_tup_read), 0)::float8 as scanned, coalesce(sum(idx_tup_fetch), 0)::float8 as fetched
    from pg_stat_xact_user_tables where relname in ('hooks', 'hook_actions', 'access_requests',
      'access_request_ports')`.execute(tx);
  return counts[0]!;
}
