/** What waits for a caller, from all three areas in one list. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { send, startWholeServer, type TestRole, type WholeServer } from "../support/server.ts";
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
  expect(body.meta.pagination).toEqual({ limit: 20, more: false, next: null });
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

it.each([
  [["coordinator"], ["FAILED_OPERATION"]],
  [
    ["coordinator", "assistant"],
    ["APPROVAL", "FAILED_OPERATION"],
  ],
  [
    ["coordinator", "builder:listHooks"],
    ["HOOK", "FAILED_OPERATION"],
  ],
  // The approvals of tool calls are read by whoever may use the assistant, and that is more than reading.
  [["read"], ["HOOK", "FAILED_OPERATION"]],
  [["coordinator:listWaiting"], []],
  [["all"], ["HOOK", "APPROVAL", "FAILED_OPERATION"]],
])("has for a token with the scopes %j only what these scopes read", async (scopes, expected) => {
  const { body: made } = await send(server.url, {
    method: "POST",
    path: "/api/auth/v1/tokens",
    body: { name: scopes.join(), scopes },
    as: "developer",
  });
  const ask = (query: string) =>
    send(server.url, {
      path: `/api/coordinator/v1/waiting${query}`,
      as: null,
      headers: { authorization: `Bearer ${made.token}` },
    });
  const { status, body } = await ask("");
  expect([status, kinds(body), body.meta.unavailable]).toEqual([200, expected, []]);
  for (const kind of ["HOOK", "APPROVAL", "FAILED_OPERATION"]) {
    const asked = await ask(`?kind=${kind}`);
    expect([kind, asked.status, asked.body.code]).toEqual(
      expected.includes(kind) ? [kind, 200, undefined] : [kind, 403, "PLATFORM_SCOPE_MISSING"],
    );
  }
});

it("says when it is cut short", async () => {
  const body = await list("developer", "?limit=2");
  expect([kinds(body), body.meta.pagination]).toEqual([
    ["HOOK", "APPROVAL"],
    { limit: 2, more: true, next: expect.any(String) },
  ]);
});

it("says of each why it waits, who may act, until when, and what a link is made of", async () => {
  const { data, meta } = await list("developer");
  const [hook, approval, failure] = data;
  expect(Object.keys(hook).toSorted()).toEqual([
    "atDeadline",
    "deploymentUnitId",
    "environment",
    "expiresAt",
    "id",
    "kind",
    "link",
    "path",
    "reason",
    "requester",
    "since",
    "subject",
    "title",
    "whoMayAct",
  ]);
  expect(hook).toMatchObject({
    subject: "ACCESS_REQUEST",
    reason: expect.stringContaining("Waits for the owner of the resource or an operator, until 2999-01-01"),
    atDeadline: "It ends as EXPIRED: access is not changed.",
    requester: "user:default/ann",
    whoMayAct: { refs: ["service:default/developer"], operators: true, rule: null },
    link: { hookId: hook.id },
  });
  expect(approval).toMatchObject({
    subject: "APPROVAL",
    atDeadline: "The run goes on without the call.",
    whoMayAct: { refs: ["service:default/developer"], operators: false, rule: null },
    link: { approvalId: approval.id, runId: expect.any(String), sessionId: expect.any(String) },
  });
  expect(failure).toMatchObject({
    environment: "development",
    deploymentUnitId: "urn:dmb:dp:sea:waiting:0",
    requester: "service:default/developer",
    link: { planId: failed },
  });
  expect(meta.unavailable).toEqual([]);
});

it("goes on after its cursor, also among those of one millisecond, and leaves nothing out", async () => {
  const { db } = server.db.database;
  await sql`insert into hook_actions (id, name, status, requester, owners, fields, traceparent, created_at)
    select gen_random_uuid(), 'deployment', 'PENDING', 'user:default/ann', '{}',
      '{"deploymentUnitId": "urn:u", "environment": "production", "planId": "p", "removeData": true, "rule": "removal of data"}', '',
      timestamptz '2026-01-03' + n * interval '1 microsecond' from generate_series(0, 4) n`.execute(db);
  await sql`insert into hooks (id, action_id, position, name, kind, status, expires_at, created_at, updated_at)
    select gen_random_uuid(), id, 0, 'owner', 'notification', 'pending', '2999-01-01', created_at, created_at
    from hook_actions where name = 'deployment'`.execute(db);
  await sql`insert into unknown_outcomes (plan_id, task_id, environment, action, task_status, idempotency_key, traceparent, attempts, since, ended_at)
    values (${failed}, 'task', 'production', 'PROVISION', 'FAILED', '', '', 1, '2026-01-03', '2026-01-03')`.execute(
    db,
  );
  const whole = await list("operator");
  const seen: string[] = [];
  for (let query = "?limit=2"; ;) {
    const { data, meta } = await list("operator", query);
    seen.push(...data.map(({ kind, id }: any) => `${kind} ${id}`));
    if (meta.pagination.next === null) break;
    query = `?limit=2&cursor=${encodeURIComponent(meta.pagination.next)}`;
  }
  expect(seen).toEqual(whole.data.map(({ kind, id }: any) => `${kind} ${id}`));
  expect(new Set(seen).size).toBe(9);
  expect(whole.data.find(({ kind }: any) => kind === "UNKNOWN_OUTCOME")).toMatchObject({
    id: `${failed}/task`,
    whoMayAct: { refs: [], operators: true, rule: null },
    link: { planId: failed, taskId: "task" },
  });
  expect(whole.data.find(({ subject }: any) => subject === "DATA_REMOVAL_APPROVAL")).toMatchObject({
    kind: "HOOK",
    environment: "production",
    deploymentUnitId: "urn:u",
    atDeadline: "It ends as EXPIRED: the plan ends without having begun.",
    whoMayAct: { rule: "removal of data" },
    link: { planId: "p" },
  });
  expect(kinds(await list("operator", "?kind=UNKNOWN_OUTCOME"))).toEqual(["UNKNOWN_OUTCOME"]);
  // Only people settle outcomes.
  expect(kinds(await list("service", "?kind=UNKNOWN_OUTCOME"))).toEqual([]);
});

it("lists the others while one area is away, and says which", async () => {
  const { db } = server.db.database;
  await sql`alter table coordinator.exceptions rename to exceptions_away`.execute(db);
  try {
    const body = await list("developer");
    expect(body.data.length).toBeGreaterThan(0);
    expect(body.meta.unavailable).toEqual([{ kind: "EXCEPTION", reason: "It could not be read." }]);
  } finally {
    await sql`alter table coordinator.exceptions_away rename to exceptions`.execute(db);
  }
});

it.each(["mine", Buffer.from('["2026-01-01T00:00:00.000Z","SHIP","a"]').toString("base64url")])(
  "refuses the cursor %s",
  async (cursor) => {
    const { status, body } = await server.coordinator({ path: `/v1/waiting?cursor=${cursor}` });
    expect([status, body.code, body.inputErrorField]).toEqual([400, "COORD_INVALID_CURSOR", "cursor"]);
  },
);
