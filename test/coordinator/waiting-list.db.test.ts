/** What waits for a caller, from all three areas in one list. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startWholeServer, type TestRole, type WholeServer } from "../support/server.ts";
import { ended, mastId, provisioning, provisioningPath, ships, start } from "./ships.ts";

let server: WholeServer;
let failed: string;

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  const unit = ships("urn:dmb:dp:sea:waiting:0");
  server.mock.setBehaviours({ components: { [mastId]: { outcome: "FAILED" } } });
  const { body } = await server.coordinator({
    method: "POST",
    path: provisioningPath(unit.id),
    body: provisioning(unit),
    as: "developer",
  });
  failed = body;
  await ended(server, failed);
  server.mock.setBehaviours({});
  await ended(server, await start(server, ships("urn:dmb:dp:sea:well:0")));
  const { db } = server.db.database;
  const { rows } = await sql<{ ref: string }>`select originator as ref from operations
    where plan_id = ${failed}`.execute(db);
  const me = rows[0]!.ref;
  await sql`insert into hook_actions (id, name, status, requester, owners, fields, traceparent, created_at)
    select gen_random_uuid(), 'accessRequest', 'PENDING', 'user:default/ann', owners, '{}', '', at
    from (values (array[lower(${me}::text)], timestamptz '2026-01-01'), (array['user:default/other'], '2026-01-02'))
      as a (owners, at)`.execute(db);
  await sql`insert into hooks (id, action_id, position, name, kind, status, expires_at, created_at, updated_at)
    select gen_random_uuid(), id, 0, 'owner', 'notification', 'pending', '2999-01-01', created_at, created_at
    from hook_actions`.execute(db);
  await sql`with session as (
      insert into assistant_sessions (id, owner, created_at, updated_at)
      values (gen_random_uuid(), ${me}, '2026-01-03', '2026-01-03') returning id
    ), run as (
      insert into assistant_runs (id, session_id, owner, actor, request_id, request_hash, message, status, created_at)
      select gen_random_uuid(), id, ${me}, '{}', 'r', '', '', 'waiting', '2026-01-03' from session returning id
    )
    insert into assistant_approvals (id, run_id, call_id, agents, server, tool, arguments, status, created_at,
      expires_at)
    select gen_random_uuid(), id, 'c', '[]', 'tickets', 'close', '{}', 'pending', timestamptz '2026-01-03',
      timestamptz '2999-01-01' from run`.execute(db);
});
afterAll(() => server.close());

const list = async (as: TestRole, query = ""): Promise<any> => {
  const { status, body, text } = await server.coordinator({ path: `/v1/waiting${query}`, as });
  expect(status, text).toBe(200);
  return body;
};
const kinds = ({ data }: any): string[] => data.map(({ kind }: any) => kind);

it("has the caller's own, the oldest first, and leads to each", async () => {
  const body = await list("developer");
  expect(kinds(body)).toEqual(["HOOK", "APPROVAL", "FAILED_OPERATION"]);
  expect(body.meta.pagination).toEqual({ limit: 20, more: false });
  expect(body.data[2]).toMatchObject({
    id: failed,
    title: expect.stringContaining("Deploying urn:dmb:dp:sea:waiting:0 in development failed."),
    expiresAt: null,
  });
  for (const { path } of body.data) {
    const answer = await fetch(server.url + path, {
      headers: { authorization: `Bearer ${server.token("developer")}` },
    });
    expect([path, answer.status]).toEqual([path, 200]);
  }
});

it("has nothing of others, except for operators what they may answer in their place", async () => {
  expect(kinds(await list("viewer"))).toEqual([]);
  expect(kinds(await list("operator"))).toEqual(["HOOK", "HOOK", "FAILED_OPERATION"]);
});

it("says when it is cut short", async () => {
  const body = await list("developer", "?limit=2");
  expect([kinds(body), body.meta.pagination]).toEqual([["HOOK", "APPROVAL"], { limit: 2, more: true }]);
});
