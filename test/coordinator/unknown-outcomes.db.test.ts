/** The ledger of unknown outcomes over HTTP: what gets into it, and each way out of it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import { startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";
import { input, testRefusals, type Refusal } from "./refusals.ts";
import { ended, hullId, mastId, provisioning, provisioningPath, sailId, ships, start } from "./ships.ts";

let server: WholeServer;
let count = 0;

beforeAll(async () => {
  server = await startWholeServer({
    configure: (config) => {
      config.coordinator.unknownOutcomes.retryDelaysMs = [];
    },
  });
  await server.registerMock();
});
afterAll(() => server.close());
afterEach(() => server.mock.setBehaviours({}));

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const always = Number.MAX_SAFE_INTEGER;
const taskOf = (id = hullId): string => `provision:${id}`;
const freshUnit = () => ships(`urn:dmb:dp:sea:ledger${++count}:0`);
type Unit = ReturnType<typeof freshUnit>;

const list = async (unit: { id: string }, more = ""): Promise<any[]> => {
  const path = `/v1/unknown-outcomes?environment=development&deployment-unit-id=${unit.id}${more}`;
  const { status, body, text } = await server.coordinator({ path });
  expect(status, text).toBe(200);
  return body.data;
};
const act = (plan: string, task: string, what: string, body?: object): Promise<Answer> =>
  server.coordinator({
    method: "POST",
    path: `/v1/unknown-outcomes/${plan}/${encodeURIComponent(task)}/${what}`,
    as: "operator",
    ...(body ? { body } : {}),
  });
const settle = (plan: string, body: object, task = taskOf()): Promise<Answer> =>
  act(plan, task, "settle", body);
const statusOf = async (unit: Unit, id = hullId): Promise<any> => {
  const path = `/v1/deployment-units/${unit.id}/components/${id}/provisioning-status?environment=development`;
  return (await server.coordinator({ path })).body.status;
};
const auditOf = async (plan: string): Promise<any[]> => {
  const { rows } = await sql<any>`select actor, operation, detail from audit
    where subject like ${`plan:${plan}/%`} order by id`.execute(server.db.database.db);
  return rows;
};
const eventsOf = async (unit: Unit): Promise<any[]> => {
  const { rows } = await sql<any>`select type, data from events
    where stream = ${`unit:development:${unit.id}`} order by id`.execute(server.db.database.db);
  return rows;
};

/** A plan whose first provision call was lost after it had left. */
async function lostCall(unit: Unit = freshUnit()): Promise<{ unit: Unit; plan: string }> {
  server.mock.setBehaviours({
    components: {
      [hullId]: { operations: { provision: { odd: { start: { name: "reset-after", times: always } } } } },
    },
  });
  const plan = await start(server, unit);
  expect(await ended(server, plan)).toBe("FAILED");
  server.mock.setBehaviours({});
  return { unit, plan };
}

/** A plan that was given up while the adapter was still at work under a token. */
async function lostToken(): Promise<{ unit: Unit; plan: string }> {
  const unit = freshUnit();
  const slow = { mode: "async", runningMs: 60_000, runningPolls: 2, terminate: "unsupported" } as const;
  server.mock.setBehaviours({ components: { [hullId]: { operations: { provision: slow } } } });
  const plan = await start(server, unit);
  await until(
    () => server.coordinator({ path: `/v1/unknown-outcomes?deployment-unit-id=${unit.id}` }),
    ({ body }) => body.data[0]?.evidence.token !== null && body.data.length === 1,
  );
  await server.coordinator({ method: "POST", path: `/v1/execution-plans/${plan}/terminate?mode=forced` });
  expect(await ended(server, plan)).toBe("TERMINATED");
  return { unit, plan };
}

describe("the ledger", () => {
  it("holds a call that was lost, with what is known of it", async () => {
    const { unit, plan } = await lostCall();
    expect(await list(unit)).toEqual([
      {
        planId: plan,
        taskId: taskOf(),
        deploymentUnitId: unit.id,
        environment: "development",
        componentId: hullId,
        adapterId: "urn:dmb:itm:mock:1",
        action: "PROVISION",
        taskStatus: "FAILED",
        state: "OPEN",
        since: time,
        ageSeconds: expect.any(Number),
        attempts: 2,
        evidence: {
          lastCallAt: time,
          endedAt: time,
          lastAnswer: expect.stringContaining("POST /v1/provision"),
          token: null,
          polls: 0,
          lastPollAt: null,
          lastPollAnswer: null,
          retries: 0,
          nextRetryAt: null,
        },
        next: expect.stringContaining("settle it by your word"),
        settlement: null,
      },
    ]);
  });

  it("holds a call that is under way, until its answer is there", async () => {
    const unit = freshUnit();
    server.mock.setBehaviours({
      components: { [hullId]: { operations: { provision: { mode: "async", runningMs: 60_000 } } } },
    });
    const plan = await start(server, unit);
    const path = `/v1/unknown-outcomes?environment=development&deployment-unit-id=${unit.id}`;
    const { body } = await until(
      () => server.coordinator({ path }),
      (answer) => typeof answer.body.data[0]?.evidence.token === "string",
    );
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      planId: plan,
      state: "IN_PROGRESS",
      taskStatus: "RUNNING",
      evidence: { endedAt: null },
      next: "Its plan polls the adapter under the token.",
    });
    for (const [what, more] of [["settle", { outcome: "DEPLOYED", reason: "x" }], ["poll"]] as const) {
      const refused = await act(plan, taskOf(), what, more);
      expect([refused.status, refused.body.code]).toEqual([409, "COORD_OUTCOME_IN_PROGRESS"]);
    }
    await server.coordinator({ method: "POST", path: `/v1/execution-plans/${plan}/terminate?mode=forced` });
    expect(await ended(server, plan)).toBe("TERMINATED");
    // The mock confirms the termination: nothing about it is unknown.
    expect(await list(unit)).toEqual([]);
  });

  it.each([
    ["said FAILED", { operations: { provision: { outcome: "FAILED" } } }],
    ["refused it", { odd: { start: { name: "400", times: always } } }],
    ["never looked at it", { odd: { start: { name: "401", times: always } } }],
    ["found it not valid", { validationErrors: ["no"] }],
    ["did it", {}],
  ] satisfies [string, RequestedBehaviour][])(
    "holds nothing of which the adapter %s",
    async (_, requested) => {
      const unit = freshUnit();
      server.mock.setBehaviours({ components: { [hullId]: requested } });
      await ended(server, await start(server, unit));
      expect(await list(unit)).toEqual([]);
    },
  );

  it("goes on page by page, the oldest first", async () => {
    const unit = freshUnit();
    const lost = {
      operations: { provision: { odd: { start: { name: "reset-after", times: always } } } },
    } as const;
    server.mock.setBehaviours({ default: lost });
    for (const part of unit.components) part.dependsOn = [];
    await ended(server, await start(server, unit));
    const seen: string[] = [];
    let after = "";
    for (let pages = 0; pages < 5; pages++) {
      const path = `/v1/unknown-outcomes?deployment-unit-id=${unit.id}&limit=2${after}`;
      const { body } = await server.coordinator({ path });
      seen.push(...body.data.map((entry: any) => `${entry.since} ${entry.componentId}`));
      expect(body.meta).toEqual({
        pagination: { limit: 2, next: body.data.length === 2 ? expect.any(String) : null },
      });
      if (body.meta.pagination.next === null) break;
      after = `&after=${encodeURIComponent(body.meta.pagination.next)}`;
    }
    expect(seen).toHaveLength(3);
    expect(seen).toEqual(seen.toSorted());
    expect(new Set(seen.map((each) => each.split(" ")[1]))).toEqual(new Set([hullId, mastId, sailId]));
  });
});

describe("an operator's word", () => {
  it.each([
    ["DEPLOYED", "DEPLOYED", "Successful"],
    ["NOT_DEPLOYED", "NOT_DEPLOYED", "Failed"],
    ["CORRUPT", "CORRUPT", "Failed"],
  ])("%s makes the component %s, with its audit row and its events", async (outcome, status, last) => {
    const { unit, plan } = await lostCall();
    const info = { publicInfo: { seen: { value: 1 } } };
    const answer = await settle(plan, { outcome, reason: "I have looked.", info });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      state: "SETTLED",
      settlement: { outcome, by: "service:default/operator", at: time, reason: "I have looked." },
    });
    expect(await statusOf(unit)).toBe(status);
    const { rows } = await sql<any>`select info, last_operation as last from unit_components
      where unit_key = ${unit.id} and component_key = ${hullId}`.execute(server.db.database.db);
    expect(rows).toEqual([
      { info: outcome === "DEPLOYED" ? info : null, last: { operation: "Deploy", status: last } },
    ]);
    const facts = {
      planId: plan,
      taskId: taskOf(),
      deploymentUnitId: unit.id,
      environment: "development",
      componentId: hullId,
    };
    const by = "service:default/operator";
    expect(await eventsOf(unit)).toEqual([
      { type: "component", data: { ...facts, status } },
      { type: "outcome", data: { ...facts, outcome, by, reason: "I have looked." } },
    ]);
    expect(await auditOf(plan)).toEqual([
      {
        actor: by,
        operation: "settleUnknownOutcome",
        detail: {
          unit: unit.id,
          environment: "development",
          component: hullId,
          outcome,
          by,
          reason: "I have looked.",
        },
      },
    ]);
    expect(await list(unit)).toEqual([]);
    expect(await list(unit, "&settled=true")).toEqual([answer.body]);
  });

  it("counts once, however often and by how many it is given at the same time", async () => {
    const { unit, plan } = await lostCall();
    const answers = await Promise.all(
      ["DEPLOYED", "NOT_DEPLOYED", "CORRUPT", "DEPLOYED"].map((outcome) =>
        settle(plan, { outcome, reason: "Race." }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const word = answers.find(({ status }) => status === 200)?.body.settlement.outcome;
    expect(await statusOf(unit)).toBe(word);
    expect(await auditOf(plan)).toHaveLength(1);
    const again = await settle(plan, { outcome: "DEPLOYED", reason: "Late." });
    expect([again.status, again.body.code]).toEqual([409, "COORD_OUTCOME_SETTLED"]);
  });

  it("says nothing any more once a later plan has changed the component", async () => {
    const { unit, plan } = await lostCall();
    const later = await start(server, unit);
    expect(await ended(server, later)).toBe("COMPLETED");
    expect(await list(unit)).toEqual([]);
    const [entry] = await list(unit, "&settled=true");
    expect(entry.settlement).toEqual({
      outcome: "SUPERSEDED",
      by: `plan:${later}`,
      at: time,
      reason: "A later plan has changed the component.",
    });
    const answer = await settle(plan, { outcome: "NOT_DEPLOYED", reason: "Too late." });
    expect([answer.status, answer.body.code]).toEqual([409, "COORD_OUTCOME_SETTLED"]);
    expect(await statusOf(unit)).toBe("DEPLOYED");
  });

  it("has to wait while an operation is active on the unit", async () => {
    const { unit, plan } = await lostCall();
    server.mock.setBehaviours({
      default: { operations: { provision: { mode: "async", runningMs: 600_000 } } },
    });
    const later = await start(server, unit);
    const answer = await settle(plan, { outcome: "DEPLOYED", reason: "Meanwhile." });
    expect([answer.status, answer.body.code]).toEqual([409, "COORD_OPERATION_ACTIVE"]);
    server.mock.setBehaviours({});
    server.mock.finish();
    expect(await ended(server, later)).toBe("COMPLETED");
  });

  it("is refused when another plan holds the component although the entry is open", async () => {
    const { plan, unit } = await lostCall();
    await sql`update unit_components set plan_id = 'another' where unit_key = ${unit.id}`.execute(
      server.db.database.db,
    );
    const answer = await settle(plan, { outcome: "DEPLOYED", reason: "Odd." });
    expect([answer.status, answer.body.code]).toEqual([409, "COORD_OUTCOME_SUPERSEDED"]);
    expect(await list(unit)).toHaveLength(1);
  });
});

describe("a poll on demand", () => {
  it("keeps the entry open while the adapter is at work, and settles it when it has ended", async () => {
    const { unit, plan } = await lostToken();
    expect(await statusOf(unit)).toBe("CORRUPT");
    const busy = await act(plan, taskOf(), "poll");
    expect(busy.status, busy.text).toBe(200);
    expect(busy.body).toMatchObject({
      state: "OPEN",
      evidence: { polls: 1, lastPollAt: time, lastPollAnswer: "The adapter is still at work." },
    });
    server.mock.forget();
    const forgotten = await act(plan, taskOf(), "poll");
    expect(forgotten.body).toMatchObject({
      state: "OPEN",
      evidence: { polls: 2, lastPollAnswer: expect.stringContaining("no longer knows the token") },
    });
    expect(await statusOf(unit)).toBe("CORRUPT");
  });

  it("settles it by the adapter's final answer", async () => {
    const unit = freshUnit();
    const slow = { mode: "async", runningMs: 60_000, runningPolls: 0, terminate: "unsupported" } as const;
    server.mock.setBehaviours({ components: { [hullId]: { operations: { provision: slow } } } });
    const plan = await start(server, unit);
    const path = `/v1/unknown-outcomes?deployment-unit-id=${unit.id}`;
    await until(
      () => server.coordinator({ path }),
      ({ body }) => typeof body.data[0]?.evidence.token === "string",
    );
    await server.coordinator({ method: "POST", path: `/v1/execution-plans/${plan}/terminate?mode=forced` });
    expect(await ended(server, plan)).toBe("TERMINATED");
    server.mock.finish();
    const settled = await until(
      () => act(plan, taskOf(), "poll"),
      ({ status, body }) => status !== 200 || body.state === "SETTLED",
    );
    expect(settled.body.settlement).toEqual({
      outcome: "DEPLOYED",
      by: "adapter:urn:dmb:itm:mock:1",
      at: time,
      reason: expect.stringMatching(/^The adapter answered COMPLETED/),
    });
    expect(await statusOf(unit)).toBe("DEPLOYED");
    expect(await auditOf(plan)).toMatchObject([{ operation: "pollUnknownOutcome" }]);
  });

  it("needs a token", async () => {
    const { plan } = await lostCall();
    const answer = await act(plan, taskOf(), "poll");
    expect([answer.status, answer.body.code]).toEqual([409, "COORD_OUTCOME_NOT_POLLABLE"]);
  });
});

describe("an unprovision that was lost", () => {
  it("is settled as not deployed", async () => {
    const unit = freshUnit();
    expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
    server.mock.setBehaviours({
      components: {
        [sailId]: { operations: { unprovision: { odd: { start: { name: "reset-after", times: always } } } } },
      },
    });
    const { body: plan } = await server.coordinator({
      method: "POST",
      path: provisioningPath(unit.id),
      body: provisioning(unit, {
        targetStatus: unit.components.map(({ id }) => ({
          componentId: id,
          targetStatus: id === sailId ? "NOT_DEPLOYED" : "DEPLOYED",
        })),
        preventRedeploy: true,
      }),
    });
    expect(await ended(server, plan)).toBe("FAILED");
    expect(await statusOf(unit, sailId)).toBe("CORRUPT");
    const answer = await settle(plan, { outcome: "NOT_DEPLOYED", reason: "Gone." }, `unprovision:${sailId}`);
    expect(answer.status, answer.text).toBe(200);
    expect(await statusOf(unit, sailId)).toBe("NOT_DEPLOYED");
  });
});

describe("the operations refuse", () => {
  const unknownId = "00000000-0000-4000-8000-000000000000";
  const word = { outcome: "DEPLOYED", reason: "Seen." };
  const onList = (what: string, query: string, field: string, code = "PLATFORM_INPUT"): Refusal => [
    what,
    { path: `/v1/unknown-outcomes?${query}` },
    400,
    code,
    field,
  ];
  const onSettle = (what: string, body: unknown, field: string): Refusal => [
    what,
    { method: "POST", path: `/v1/unknown-outcomes/${unknownId}/a/settle`, body },
    400,
    "PLATFORM_INPUT",
    field,
  ];
  const post = (path: string, body?: unknown) => ({
    method: "POST",
    path: `/v1/unknown-outcomes/${path}`,
    ...(body === undefined ? {} : { body }),
  });
  testRefusals(
    () => server,
    [
      onList("an environment that is none", "environment=moon", "environment", "COORD_UNKNOWN_ENVIRONMENT"),
      onList("an empty environment", "environment=", "environment"),
      onList("an empty unit", "deployment-unit-id=", "deployment-unit-id"),
      onList("a long unit", `deployment-unit-id=${"x".repeat(513)}`, "deployment-unit-id"),
      onList("a limit of nothing", "limit=0", "limit"),
      onList("a large limit", "limit=101", "limit"),
      onList("a limit in words", "limit=many", "limit"),
      onList("a flag that is none", "settled=1", "settled"),
      onList("an empty cursor", "after=", "after"),
      onList("a broken cursor", "after=zebra", "after", "COORD_INVALID_CURSOR"),
      onList("a cursor of another list", `after=${btoa('["1"]')}`, "after", "COORD_INVALID_CURSOR"),
      onList("a cursor of no time", `after=${btoa('["now","a","b"]')}`, "after", "COORD_INVALID_CURSOR"),
      onSettle("no body", "", ""),
      onSettle("no outcome", { reason: "x" }, "/outcome"),
      onSettle("no reason", { outcome: "DEPLOYED" }, "/reason"),
      onSettle("an empty reason", { ...word, reason: "" }, "/reason"),
      onSettle("a reason of blanks", { ...word, reason: " \n" }, "/reason"),
      onSettle("a long reason", { ...word, reason: "x".repeat(2001) }, "/reason"),
      onSettle("another outcome", { ...word, outcome: "FINE" }, "/outcome"),
      onSettle("an info that is a list", { ...word, info: [] }, "/info"),
      ["an unknown plan", post(`${unknownId}/a/settle`, word), 404, "COORD_OUTCOME_NOT_FOUND", "task"],
      ["an unknown task to poll", post(`${unknownId}/a/poll`), 404, "COORD_OUTCOME_NOT_FOUND", "task"],
      input("a long plan", post(`${"x".repeat(257)}/a/poll`), "plan"),
      input("a long task", post(`a/${"x".repeat(1025)}/poll`), "task"),
      input("NUL in the task", post("a/%00/poll"), "task"),
    ],
  );

  it("an outcome that does not fit the task", async () => {
    const { plan } = await lostCall();
    const answer = await settle(plan, { outcome: "APPLIED", reason: "Seen." });
    expect([answer.status, answer.body.code, answer.body.inputErrorField]).toEqual([
      400,
      "COORD_OUTCOME_DOES_NOT_FIT",
      "/outcome",
    ]);
  });
});
