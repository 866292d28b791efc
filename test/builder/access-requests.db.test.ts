/** Access requests whose hooks are notifications: requested, decided, carried out, reported. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import {
  closedPartId,
  closedPortId,
  deployHarbour,
  hook,
  openHarbour,
  openPartId,
  otherPortId,
  portId,
  unitId,
  type Harbour,
} from "./harbour.ts";
import type { Answer, Call } from "../support/server.ts";
import { eventually } from "../support/eventually.ts";

let harbour: Harbour;

beforeAll(async () => {
  harbour = await openHarbour({
    configure: (config) => {
      config.actionHandlers.accessRequest.hooks = [hook("owner"), hook("steward")];
    },
  });
  await deployHarbour(harbour);
});
afterAll(() => harbour.close());
beforeEach(() => {
  harbour.recorder.calls.length = 0;
});

const answerHook = (hookId: string, body: object, as: Call["as"] = "operator"): Promise<Answer> =>
  harbour.server.builder({ method: "POST", path: `/hooks/${hookId}/answer`, body, as });

async function approve(request: any): Promise<void> {
  for (const { hookId } of request.hooks) {
    const { status, text } = await answerHook(hookId, { status: "OK" });
    expect(status, text).toBe(200);
  }
}

async function carriedOut(more: object): Promise<any> {
  const request = await harbour.opened(more);
  await approve(request);
  return harbour.reached(request.id, more && "operation" in more ? "REVOKED" : "GRANTED");
}

const refsSent = (): string[][] =>
  harbour.recorder.calls.filter(({ path }) => path === "/v1/updateacl").map(({ body }) => body.refs);

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const id = expect.stringMatching(/^[0-9a-f-]{36}$/);

it("a request waits for its hooks, is carried out when all are OK, and tells its story", async () => {
  const request = await harbour.opened(
    { reason: "a report", accessControlFields: { until: "May" } },
    { as: "viewer" },
  );
  expect(request).toEqual({
    id,
    operation: "GRANT",
    status: "PENDING",
    deploymentUnitId: unitId,
    environment: "development",
    outputPorts: [
      {
        urn: portId,
        name: "harbour",
        status: "WAITING",
        executionPlanId: null,
        message: null,
        waiting: null,
        waitingSince: null,
      },
    ],
    identities: ["user:ada"],
    reason: "a report",
    templateRef: null,
    accessControlFields: { until: "May" },
    requester: "service:default/viewer",
    owners: ["service:default/developer"],
    message: null,
    waiting: { reason: "Waits for the hooks: owner, steward.", since: time },
    attempt: 1,
    createdAt: time,
    updatedAt: time,
    endedAt: null,
    hooks: ["owner", "steward"].map((hookName) => ({
      hookId: id,
      hookName,
      kind: "notification",
      status: "pending",
      expiresAt: time,
      endedBy: null,
      reason: null,
      waiting: expect.stringContaining("Waits for the owner of the resource or an operator, until 20"),
    })),
    history: [{ at: time, status: "PENDING", by: "service:default/viewer", message: null }],
  });
  const [first, second] = request.hooks;
  expect((await answerHook(first.hookId, { status: "OK", reason: "Fine." }, "developer")).body).toEqual({
    hookId: first.hookId,
    hookName: "owner",
    actionId: id,
    actionName: "accessRequest",
    creationAt: time,
    updateAt: time,
    status: "OK",
    kind: "notification",
    requester: "service:default/viewer",
    owners: ["service:default/developer"],
    about: {
      deploymentUnitId: unitId,
      environment: "development",
      accessRequestId: request.id,
      planId: null,
      removeData: false,
    },
    expiresAt: time,
    attempts: 0,
    sentAt: null,
    sentInfo: null,
    lastError: null,
    response: null,
    endedBy: "service:default/developer",
    reason: "Fine.",
    waiting: null,
  });
  expect((await harbour.read(request.id)).waiting.reason).toBe("Waits for the hooks: steward.");
  expect(refsSent()).toEqual([]);
  await answerHook(second.hookId, { status: "OK" });
  const done = await harbour.reached(request.id, "GRANTED");
  expect(done.history.map(({ status, by }: any) => [status, by])).toEqual([
    ["PENDING", "service:default/viewer"],
    ["APPROVED", "service:default/operator"],
    ["APPLYING", "service:default/plinth"],
    ["GRANTED", "service:default/plinth"],
  ]);
  expect(done.outputPorts[0]).toMatchObject({ status: "DONE", executionPlanId: id });
  expect([done.waiting, done.endedAt, done.message]).toEqual([null, time, null]);
  expect(refsSent()).toEqual([["user:ada"]]);
  expect(
    harbour.recorder.calls.find(({ path }) => path === "/v1/updateacl")?.body.accessControlFields,
  ).toEqual({
    until: "May",
  });
  expect(await harbour.access()).toEqual(["user:ada"]);
  const { rows } = await sql<{ text: string }>`select operation || ' ' || actor as text from audit
    where subject = ${`access-request:${request.id}`} or (operation = 'grantAccess' and detail ->> 'planId' =
      ${done.outputPorts[0].executionPlanId}) or (operation = 'updateHook' and detail ->> 'actionId' =
      (select action_id::text from access_requests where id = ${request.id}))
    order by id`.execute(harbour.server.db.database.db);
  expect(rows.map(({ text }) => text)).toEqual([
    "requestAccess service:default/viewer",
    "updateHook service:default/developer",
    "updateHook service:default/operator",
    "approveAccessRequest service:default/operator",
    "grantAccess service:default/viewer",
    "endAccessRequest service:default/plinth",
  ]);
});

it("granting adds to who has access, revoking takes away, of several ports at once", async () => {
  await carriedOut({ identities: ["user:bob"], outputPortUrns: [portId, otherPortId] });
  expect([await harbour.access(), await harbour.access(otherPortId)]).toEqual([
    ["user:ada", "user:bob"],
    ["user:bob"],
  ]);
  await carriedOut({ operation: "REVOKE", identities: ["user:ada"] });
  expect(await harbour.access()).toEqual(["user:bob"]);
  await carriedOut({ operation: "REVOKE", identities: ["user:bob"], outputPortUrns: [portId, otherPortId] });
  expect([await harbour.access(), await harbour.access(otherPortId)]).toEqual([[], []]);
});

it("twenty requests on one component that are approved at once all take effect", async () => {
  const people = Array.from({ length: 20 }, (_, index) => `user:p${String(index).padStart(2, "0")}`);
  const opened = await Promise.all(people.map((person) => harbour.opened({ identities: [person] })));
  await Promise.all(opened.map(approve));
  for (const request of opened) await harbour.reached(request.id, "GRANTED");
  expect(await harbour.access()).toEqual(people);
  await carriedOut({ operation: "REVOKE", identities: people });
  expect(await harbour.access()).toEqual([]);
});

it("hooks that are answered at the same moment approve once, and one KO among them is the end", async () => {
  const opened = await Promise.all(
    Array.from({ length: 30 }, (_, index) => harbour.opened({ identities: [`user:m${index % 2}`] })),
  );
  const answers = opened.flatMap((request, index) =>
    request.hooks.map(({ hookId }: any, at: number) =>
      answerHook(hookId, { status: index % 3 === 0 && at === 1 ? "KO" : "OK" }),
    ),
  );
  await Promise.all(answers);
  for (const [index, { id: requestId }] of opened.entries())
    await harbour.reached(requestId, index % 3 === 0 ? "REJECTED" : "GRANTED");
  const { rows } = await sql<{ count: number; approved: number }>`select count(*) as count,
      count(distinct subject) as approved from audit
    where operation = 'approveAccessRequest'
      and subject = any(${opened.map(({ id: requestId }) => `access-request:${requestId}`)}::text[])`.execute(
    harbour.server.db.database.db,
  );
  expect(rows[0]).toEqual({ count: 20, approved: 20 });
  await carriedOut({ operation: "REVOKE", identities: ["user:m0", "user:m1"] });
});

it("one KO is the end: nothing is called, the other hook is closed and the requester is notified", async () => {
  const request = await harbour.opened({}, { as: "viewer" });
  const [first, second] = request.hooks;
  await answerHook(second.hookId, { status: "KO", reason: "Not for reports." });
  const reported = await harbour.read(request.id, "viewer");
  expect(reported).toMatchObject({
    status: "REJECTED",
    message: "The hook steward was answered KO by service:default/operator: Not for reports.",
    endedAt: time,
    waiting: null,
  });
  expect(reported.history.at(-1)).toMatchObject({ status: "REJECTED", message: reported.message });
  expect(reported.hooks.map(({ status, reason }: any) => [status, reason])).toEqual([
    ["KO", "The action has ended: REJECTED."],
    ["KO", "Not for reports."],
  ]);
  const late = await answerHook(first.hookId, { status: "OK" });
  expect([late.status, late.body.error.code]).toEqual([409, "BUILDER_HOOK_ENDED"]);
  expect(refsSent()).toEqual([]);
});

it("what an adapter refuses is FAILED with its words, and can be tried again without asking anybody", async () => {
  const before = harbour.recorder.answers.get("/v1/updateacl")!;
  harbour.recorder.answers.set("/v1/updateacl", { status: 400, body: { errors: ["no such group"] } });
  const request = await harbour.opened({ identities: ["group:none"] });
  await approve(request);
  const failed = await harbour.reached(request.id, "FAILED");
  expect(failed.message).toMatch(/harbour: .*no such group/);
  expect(await harbour.access()).toEqual([]);
  harbour.recorder.answers.set("/v1/updateacl", before);
  const retried = await harbour.server.builder({
    method: "POST",
    path: `/access-requests/${request.id}/retry`,
  });
  expect([retried.status, retried.body.attempt]).toEqual([200, 2]);
  await harbour.reached(request.id, "GRANTED");
  expect(await harbour.access()).toEqual(["group:none"]);
  await carriedOut({ operation: "REVOKE", identities: ["group:none"] });
});

it("a withdrawn request can't be answered any more: its action has ended", async () => {
  const request = await harbour.opened({}, { as: "viewer" });
  const path = `/access-requests/${request.id}/withdraw`;
  const withdrawn = await harbour.server.builder({ method: "POST", path, as: "viewer" });
  expect([withdrawn.status, withdrawn.body.status]).toEqual([200, "WITHDRAWN"]);
  const late = await answerHook(request.hooks[0].hookId, { status: "OK" });
  expect([late.status, late.body.error.code]).toEqual([409, "BUILDER_HOOK_ENDED"]);
  const again = await harbour.server.builder({ method: "POST", path });
  expect([again.status, again.body.error.code]).toEqual([409, "BUILDER_ACCESS_REQUEST_STATUS"]);
});

it("it waits visibly for an operation on the unit", async () => {
  const { server, recorder } = harbour;
  const request = await harbour.opened({ identities: ["user:zoe"] });
  const before = recorder.answers.get("/v1/provision")!;
  const { promise: after, resolve: release } = Promise.withResolvers<void>();
  recorder.answers.set("/v1/provision", { ...before, after });
  const deploying = deployAgain();
  await eventually("the operation", () => recorder.calls.some(({ path }) => path === "/v1/provision"));
  recorder.answers.set("/v1/provision", before);
  await approve(request);
  const waits = await eventually("the wait", async () => {
    const { waiting } = await harbour.read(request.id);
    return waiting?.reason.startsWith("Waits for the end of the operation") ? waiting : null;
  });
  expect(waits).toEqual({
    reason: expect.stringMatching(/^Waits for the end of the operation on the unit, plan [0-9a-f-]{36}\.$/),
    since: time,
  });
  release();
  await deploying;
  await harbour.reached(request.id, "GRANTED");
  await carriedOut({ operation: "REVOKE", identities: ["user:zoe"] });

  async function deployAgain(): Promise<void> {
    await deployHarbour({ server, recorder: { ...recorder, answers: new Map() } });
  }
});

describe("an Idempotency-Key", () => {
  const keyed = (more: object, key: string, as: Call["as"] = "viewer"): Promise<Answer> =>
    harbour.request(more, { headers: { "idempotency-key": key }, as });

  it("opens one request, though a hundred come at once", async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => keyed({}, "crowd")));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    const other = await keyed({}, "crowd", "operator");
    expect(other.body.id).not.toBe(answers[0]?.body.id);
  });

  it("is refused for another request, whatever the order of fields", async () => {
    await keyed({ accessControlFields: { a: 1, b: 2 } }, "once");
    expect((await keyed({ accessControlFields: { b: 2, a: 1 } }, "once")).status).toBe(201);
    const answer = await keyed({ accessControlFields: { a: 1 } }, "once");
    expect([answer.status, answer.body.error.code]).toEqual([409, "BUILDER_IDEMPOTENCY_KEY_REUSED"]);
  });
});

describe("who may", () => {
  it("see: its requester, its owner and operators", async () => {
    const request = await harbour.opened({}, { as: "viewer" });
    const byOperator = await harbour.opened({}, { as: "operator" });
    const statusFor = async (path: string, as: Call["as"]) =>
      (await harbour.server.builder({ path, as })).status;
    const ofViewer = `/access-requests/${request.id}`;
    const ofOperator = `/access-requests/${byOperator.id}`;
    expect(await statusFor(ofViewer, "viewer")).toBe(200);
    expect(await statusFor(ofViewer, "developer")).toBe(200);
    expect(await statusFor(ofOperator, "viewer")).toBe(404);
    expect(await statusFor(`/hooks/${byOperator.hooks[0].hookId}`, "viewer")).toBe(404);
    expect(await statusFor(`/hooks/${byOperator.hooks[0].hookId}`, "developer")).toBe(200);
    const list = async (path: string, as: Call["as"]) =>
      (await harbour.server.builder({ path, as })).body.data;
    const seen = await list("/access-requests?limit=100", "viewer");
    expect(new Set(seen.map(({ requester }: any) => requester))).toEqual(new Set(["service:default/viewer"]));
    const hooks = await list("/hooks?status=pending&limit=100", "viewer");
    expect(new Set(hooks.map(({ requester }: any) => requester))).toEqual(
      new Set(["service:default/viewer"]),
    );
    expect((await list("/hooks?limit=100", "admin")).length).toBeGreaterThan(hooks.length);
  });

  it("answer: the owner and operators, not the requester", async () => {
    const request = await harbour.opened({}, { as: "viewer" });
    const answer = await answerHook(request.hooks[0].hookId, { status: "OK" }, "viewer");
    expect([answer.status, answer.body.error.code]).toEqual([403, "BUILDER_HOOK_NOT_YOURS"]);
    const retry = await harbour.server.builder({
      method: "POST",
      path: `/access-requests/${request.id}/withdraw`,
      as: "developer",
    });
    expect([retry.status, retry.body.error.code]).toEqual([403, "BUILDER_ACCESS_REQUEST_NOT_YOURS"]);
  });
});

it("lists go on where the page before ended", async () => {
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const after: string = next === null ? "" : `&after=${encodeURIComponent(next)}`;
    const { body } = await harbour.server.builder({ path: `/access-requests?limit=7${after}` });
    seen.push(...body.data.map(({ id: each }: any) => each));
    next = body.meta.pagination.next;
  } while (next !== null);
  const { rows } = await sql<{
    id: string;
  }>`select id from access_requests order by created_at desc, id desc`.execute(harbour.server.db.database.db);
  expect(seen).toEqual(rows.map((row) => row.id));
});

describe("a request that is refused", () => {
  const rows: [string, object, string[]][] = [
    ["nobody is named", { identities: [] }, ["/identities"]],
    ["no port is named", { outputPortUrns: [] }, ["/outputPortUrns"]],
    [
      "neither a user nor a group",
      { identities: ["ada", "user:x", "role:y"] },
      ["/identities/0", "/identities/2"],
    ],
    ["an identity too long for a row", { identities: [`user:${"船".repeat(200)}`] }, ["/identities/0"]],
    ["an unknown environment", { environment: "moon" }, ["/environment"]],
    ["an unknown unit", { deploymentUnitId: "urn:dmb:dp:sea:none:0" }, ["/deploymentUnitId"]],
    ["a unit of another environment", { environment: "production" }, ["/deploymentUnitId"]],
    ["an unknown port", { outputPortUrns: [portId, "urn:x"] }, ["/outputPortUrns/1"]],
    [
      "each port that is not consumable",
      { outputPortUrns: [closedPortId, portId, closedPartId] },
      ["/outputPortUrns/0", "/outputPortUrns/2"],
    ],
    ["one port by two names", { outputPortUrns: [portId, portId.toUpperCase()] }, ["/outputPortUrns/1"]],
    [
      "all of it at once",
      { identities: ["x"], outputPortUrns: [closedPartId, "y"] },
      ["/outputPortUrns/0", "/outputPortUrns/1", "/identities/0"],
    ],
    ["an unknown operation", { operation: "GIVE" }, ["/operation"]],
    ["fields that are no object", { accessControlFields: [1] }, ["/accessControlFields"]],
    ["a reason too long", { reason: "x".repeat(2_001) }, ["/reason"]],
  ];

  it.each(rows)("%s", async (...[, more, where]) => {
    const answer = await harbour.request(more);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.error.problems.map((problem: any) => problem.where).toSorted()).toEqual(
      where.toSorted(),
    );
  });

  it("names what is not consumable", async () => {
    const { body } = await harbour.request({ outputPortUrns: [closedPortId] });
    expect(body.error).toEqual({
      name: "InputError",
      message: "The access request can't be opened: 1 problem.",
      code: "BUILDER_INVALID_ACCESS_REQUEST",
      problems: [
        {
          where: "/outputPortUrns/0",
          message: `${closedPortId} is not consumable.`,
          solution: "Ask for access to one of its consumable subcomponents.",
        },
      ],
    });
  });

  const paths: [string, Call, number][] = [
    ["an unknown id", { path: "/access-requests/7b0d9a2e-0000-4000-8000-000000000000" }, 404],
    ["an id that is none", { path: "/access-requests/x" }, 404],
    ["a broken cursor", { path: "/access-requests?after=x" }, 400],
    ["a cursor of another list", { path: "/access-requests?after=WyI3Il0" }, 400],
    ["a limit too large", { path: "/access-requests?limit=101" }, 400],
    ["an unknown status", { path: "/access-requests?status=LOST" }, 400],
    ["nobody's retry", { method: "POST", path: "/access-requests/x/retry" }, 404],
    ["no credentials", { path: "/access-requests", as: null }, 401],
    ["hooks without credentials", { path: "/hooks", as: null }, 401],
    ["an answer without credentials", { method: "POST", path: "/hooks/x/answer", body: {}, as: null }, 401],
    ["an answer to nothing", { method: "POST", path: "/hooks/x/answer", body: { status: "OK" } }, 404],
    ["an answer that is none", { method: "POST", path: "/hooks/x/answer", body: { status: "pending" } }, 400],
    ["hooks of an unknown status", { path: "/hooks?status=open" }, 400],
  ];
  it.each(paths)("%s", async (...[, call, status]) => {
    expect((await harbour.server.builder(call)).status).toBe(status);
  });
});

it("a subcomponent that is consumable can be asked for though its parent is not", async () => {
  await carriedOut({ outputPortUrns: [openPartId] });
  expect(await harbour.access(openPartId)).toEqual(["user:ada"]);
});
