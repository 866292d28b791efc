/** Operations that wait for their turn on a unit, resumed plans, and units that are rolled back. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startWholeServer, until, type Answer, type Call, type WholeServer } from "../support/server.ts";
import { input, testRefusals } from "./refusals.ts";
import {
  ended,
  hullId,
  mastId,
  previewPath,
  provisioning,
  provisioningPath,
  sailId,
  ships,
  start,
  unitId,
  wanted,
  whileAdapterIsHeld,
  type Ships,
} from "./ships.ts";

const limit = 3;
let server: WholeServer;
let still: WholeServer;
let units = 0;

beforeAll(async () => {
  server = await startWholeServer({
    configure: (config) => void (config.coordinator.queuedOperationsPerUnit = limit),
  });
  await server.registerMock();
  // Without workers nothing writes behind the back of a table of refusals.
  still = await startWholeServer({ workers: "off" });
});
afterAll(() => Promise.all([server.close(), still.close()]));
beforeEach(() => server.mock.setBehaviours({}));

const freshUnit = (): Ships => ships(`urn:dmb:dp:sea:line-${units++}:0`);
const startOf = (unit: Ships, more: object = {}): Call => ({
  method: "POST",
  path: `${provisioningPath(unit.id)}&queue=true`,
  body: provisioning(unit, more),
});
const statusOf = async (token: string): Promise<any> =>
  (await server.coordinator({ path: `/v1/execution-plans/${token}/status` })).body;
const terminate = (token: string, mode = "forced"): Promise<Answer> =>
  server.coordinator({ method: "POST", path: `/v1/execution-plans/${token}/terminate?mode=${mode}` });
const resume = (token: string, headers = {}): Promise<Answer> =>
  server.coordinator({ method: "POST", path: `/v1/execution-plans/${token}/resume`, headers });

/** A plan of the unit that stays at work until it is terminated; later plans are done at once. */
async function holdUnit(unit: Ships): Promise<string> {
  server.mock.setBehaviours({ default: { mode: "async", runningPolls: 1_000_000 } });
  const token = await start(server, unit);
  await until(
    () => server.coordinator({ path: `/v1/execution-plans/${token}/status` }),
    ({ text }) => text.includes("its token is polled"),
  );
  server.mock.setBehaviours({});
  return token;
}

describe("a start with queue=true", () => {
  it("begins at once where the unit is at rest", async () => {
    const answer = await server.coordinator(startOf(freshUnit()));
    expect(answer.status).toBe(202);
    expect(await ended(server, answer.body)).toBe("COMPLETED");
  });

  it("waits in a line that is seen, can be left, is full at last, and is worked off in order", async () => {
    const unit = freshUnit();
    const active = await holdUnit(unit);
    const tokens: string[] = [];
    for (let place = 1; place <= limit; place++) {
      const { status, body } = await server.coordinator(startOf(unit));
      expect(status).toBe(202);
      tokens.push(body);
    }
    const full = await server.coordinator(startOf(unit));
    expect([full.status, full.body.code, full.body.inputErrorField]).toEqual([
      409,
      "COORD_QUEUE_FULL",
      "queue",
    ]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await statusOf(tokens[1]!)).dag).toEqual({
      id: tokens[1],
      displayName: `Provision ${unit.id}`,
      name: tokens[1],
      status: "WAITING",
      startTime: null,
      stopTime: null,
      waiting: {
        reason: `Waits for plan ${active}; position 2 in the line of its unit.`,
        since: time,
        position: 2,
        waitsForPlan: active,
        next: "At its turn it is planned on the state that the unit then has.",
      },
      result: { message: "" },
      dependsOnTasks: [],
    });
    const path = `/v2/provisioning-operations?deployment-unit-id=${unit.id}&status=SCHEDULED`;
    const listed = await server.coordinator({ path });
    const inLine = listed.body.data.map(({ operation }: any) => [
      operation.executionPlanId,
      operation.waiting,
    ]);
    const next = "At its turn it is planned on the state that the unit then has.";
    expect(new Map(inLine)).toEqual(
      new Map(
        tokens.map((token, n) => {
          const reason = `Waits for its turn on the unit; position ${n + 1} in its line.`;
          return [token, { reason, since: time, position: n + 1, next }];
        }),
      ),
    );
    expect((await terminate(tokens[1]!, "safe")).status).toBe(202);
    expect(await ended(server, tokens[1]!)).toBe("TERMINATED");
    expect((await terminate(tokens[1]!)).body.code).toBe("COORD_PLAN_FINISHED");
    expect((await statusOf(tokens[2]!)).dag.waiting.position).toBe(2);
    expect((await terminate(active)).status).toBe(202);
    expect([await ended(server, tokens[0]!), await ended(server, tokens[2]!)]).toEqual([
      "COMPLETED",
      "COMPLETED",
    ]);
    const begun = async (token: string): Promise<string> => (await statusOf(token)).dag.startTime;
    expect((await begun(tokens[0]!)) < (await begun(tokens[2]!))).toBe(true);
  });

  it("can't be overtaken by a start without it", async () => {
    const unit = freshUnit();
    const active = await holdUnit(unit);
    const queued = await server.coordinator(startOf(unit));
    // Held as well: had it ended already, another start would be free to begin.
    server.mock.setBehaviours({ default: { mode: "async", runningPolls: 1_000_000 } });
    await terminate(active);
    const codes = new Set<string>();
    while ((await statusOf(queued.body)).dag.startTime === null) {
      const { status, body } = await server.coordinator({
        ...startOf(unit),
        path: provisioningPath(unit.id),
      });
      codes.add(status === 202 ? "overtaken" : body.code);
    }
    await terminate(queued.body);
    expect([...codes].filter((code) => code !== "COORD_OPERATION_ACTIVE")).toEqual([]);
  });

  it("ends as failed, with the reason, when it can't be planned at its turn, and lets the next one in", async () => {
    const unit = freshUnit();
    const preview = await server.coordinator({ ...startOf(unit), path: previewPath(unit.id) });
    const active = await holdUnit(unit);
    const pinned = await server.coordinator(startOf(unit, { planHash: preview.body.planHash }));
    const unknown = await server.coordinator(
      startOf(unit, { targetStatus: [...wanted(unit), { componentId: "nobody", targetStatus: "DEPLOYED" }] }),
    );
    const good = await server.coordinator(startOf(unit));
    await terminate(active);
    expect(await ended(server, pinned.body)).toBe("FAILED");
    expect(await ended(server, unknown.body)).toBe("FAILED");
    expect(await ended(server, good.body)).toBe("COMPLETED");
    expect((await statusOf(pinned.body)).dag.result.message).toContain("The state of");
    expect((await statusOf(unknown.body)).dag.result.message).toContain(
      "/targetStatus/3/componentId: nobody",
    );
    const logs = await server.coordinator({ path: `/v1/logs/${unknown.body}?level=ERROR` });
    expect(logs.body.length).toBeGreaterThan(1);
    expect((await resume(unknown.body)).body.code).toBe("COORD_NOT_RESUMABLE");
  });

  it("of a hundred at once lets one begin and as many wait as may, first in first out", async () => {
    const unit = freshUnit();
    // The first is not done before the last has come.
    const answers = await whileAdapterIsHeld(server, () =>
      Promise.all(Array.from({ length: 100 }, () => server.coordinator(startOf(unit)))),
    );
    const codes = Map.groupBy(answers, ({ status, body }) => (status === 202 ? "accepted" : body.code));
    expect(Object.fromEntries([...codes].map(([code, { length }]) => [code, length]))).toEqual({
      COORD_QUEUE_FULL: 99 - limit,
      accepted: 1 + limit,
    });
    const runs = await Promise.all(
      codes.get("accepted")!.map(async ({ body: token }) => {
        expect(await ended(server, token)).toBe("COMPLETED");
        const { body: logs } = await server.coordinator({ path: `/v1/logs/${token}` });
        const place = /position (\d)/.exec(logs[0]?.phase === "QUEUE" ? logs[0].message : "")?.[1] ?? "0";
        return { place, begun: (await statusOf(token)).dag.startTime as string };
      }),
    );
    const inOrder = runs.toSorted((a, b) => (a.begun < b.begun ? -1 : 1));
    expect(inOrder.map(({ place }) => place)).toEqual(["0", "1", "2", "3"]);
  });
});

describe("resumePlan", () => {
  it("does what was left undone, under a new token that names the old one", async () => {
    const unit = freshUnit();
    server.mock.setBehaviours({
      components: { [mastId]: { operations: { provision: { outcome: "FAILED" } } } },
    });
    const origin = await start(server, unit);
    expect(await ended(server, origin)).toBe("FAILED");
    server.mock.setBehaviours({});
    const before = server.mock.journal().length;
    const answers = await Promise.all(Array.from({ length: 100 }, () => resume(origin)));
    const [won, ...more] = answers.filter(({ status }) => status === 202);
    expect([won?.text, more]).toEqual([expect.stringMatching(/^"[0-9a-f-]{36}"$/), []]);
    const token: string = won?.body;
    expect(await ended(server, token)).toBe("COMPLETED");
    const calls = server.mock
      .journal()
      .slice(before)
      .filter(({ operation }) => operation !== "poll");
    expect(calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      `${token}:provision:${mastId}`,
      `${token}:provision:${sailId}`,
    ]);
    expect((await statusOf(token)).originPlan).toBe(origin);
    const plan = await server.coordinator({ path: `/v1/execution-plans/${token}` });
    expect(plan.body.originPlan).toBe(origin);
    const status = `/v1/deployment-units/${unit.id}/provisioning-status?environment=development`;
    expect((await server.coordinator({ path: status })).body.status).toBe("DEPLOYED");
    const again = await resume(origin);
    expect([again.status, again.body.code]).toEqual([409, "COORD_UNIT_CHANGED"]);
    expect((await resume(token)).body.code).toBe("COORD_NOT_RESUMABLE");
  });

  it("goes on from a terminated plan, and again from its own failure, once per key", async () => {
    const unit = freshUnit();
    const origin = await holdUnit(unit);
    const busy = await resume(origin);
    expect([busy.status, busy.body.code, busy.body.inputErrorField]).toEqual([
      400,
      "COORD_NOT_RESUMABLE",
      "token",
    ]);
    await terminate(origin);
    await ended(server, origin);
    server.mock.setBehaviours({
      components: { [sailId]: { operations: { provision: { outcome: "FAILED" } } } },
    });
    const first = await resume(origin, { "idempotency-key": "r1" });
    const same = await resume(origin, { "idempotency-key": "r1" });
    expect([first.status, same.status, same.text]).toEqual([202, 202, first.text]);
    expect(await ended(server, first.body)).toBe("FAILED");
    server.mock.setBehaviours({});
    const second = await resume(first.body);
    expect(await ended(server, second.body)).toBe("COMPLETED");
  });

  it("repeats a validation that failed, and is refused without the adapter", async () => {
    const unit = freshUnit();
    server.mock.setBehaviours({
      components: { [hullId]: { operations: { validate: { validationErrors: ["no"] } } } },
    });
    const origin = await start(server, unit);
    expect(await ended(server, origin)).toBe("FAILED");
    server.mock.setBehaviours({});
    const { db } = server.db.database;
    await sql`update adapter_deployments set enabled = false`.execute(db);
    const refused = await resume(origin);
    await sql`update adapter_deployments set enabled = true`.execute(db);
    expect([refused.status, refused.body.code]).toEqual([400, "COORD_INVALID_DESCRIPTOR"]);
    const resumed = await resume(origin);
    expect(await ended(server, resumed.body)).toBe("COMPLETED");
  });

  it("keeps nothing of how the calls of before ended", async () => {
    const unit = freshUnit();
    server.mock.setBehaviours({
      components: { [hullId]: { operations: { provision: { outcome: "FAILED" } } } },
    });
    const origin = await start(server, unit);
    expect(await ended(server, origin)).toBe("FAILED");
    const { db } = server.db.database;
    await sql`update plan_tasks set accepted_at = now(), unanswered = true
      where plan_id = ${origin} and status = 'FAILED'`.execute(db);
    // By now the component has a row, so a refusal no longer means that nothing of it can be there.
    server.mock.setBehaviours({ components: { [hullId]: { odd: { start: { name: "400", times: 1 } } } } });
    const { body: token } = await resume(origin);
    expect(await ended(server, token)).toBe("FAILED");
    const { rows } = await sql`select status, refused, accepted_at, unanswered from plan_tasks
      where plan_id = ${token} and task_id = ${`provision:${hullId}`}`.execute(db);
    expect(rows).toEqual([{ status: "FAILED", refused: false, accepted_at: null, unanswered: false }]);
    const ledger = `/v1/unknown-outcomes?settled=true&deployment-unit-id=${unit.id}`;
    expect((await server.coordinator({ path: ledger })).body.data).toEqual([]);
  });

  testRefusals(
    () => still,
    [
      [
        "an unknown token",
        { method: "POST", path: "/v1/execution-plans/none/resume" },
        404,
        "COORD_PLAN_NOT_FOUND",
        "token",
      ],
      input(
        "an Idempotency-Key with a blank",
        { method: "POST", path: "/v1/execution-plans/none/resume", headers: { "idempotency-key": "a b" } },
        "idempotency-key",
      ),
    ],
  );
});

describe("rollBack", () => {
  const rollback = (id: string, body: unknown, more = ""): Call => ({
    method: "POST",
    path: `/v2/deployment-units/${id}/provisioning/rollback${more}?environment=development`,
    body,
  });

  it("brings a unit back to an earlier operation, as previewed", async () => {
    const unit = freshUnit();
    const first = await start(server, unit);
    await ended(server, first);
    const changed: any = structuredClone(unit);
    changed.version = "2.0.0";
    changed.components.pop();
    changed.components[1].kind = "view";
    await ended(server, await start(server, changed));
    const shown = await server.coordinator(rollback(unit.id, { operationId: first }, "/preview"));
    const actions = (operations: any[]): unknown => operations.map((each) => [each.componentId, each.action]);
    expect([shown.status, shown.body.outcome, actions(shown.body.operations)]).toEqual([
      200,
      "OK",
      [
        [hullId, "NONE"],
        [mastId, "REDEPLOY"],
        [sailId, "DEPLOY"],
      ],
    ]);
    expect(shown.headers.get("etag")).toBe(`"${shown.body.planHash}"`);
    const body = { executionPlanId: first, planHash: shown.body.planHash };
    const started = await server.coordinator(rollback(unit.id, body));
    expect([started.status, started.text]).toEqual([202, expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    expect(await ended(server, started.body)).toBe("COMPLETED");
    const path = `/v1/deployment-units/${unit.id}/provisioning-status?environment=development&include-descriptor=true`;
    const { status, provisioningDetails } = (await server.coordinator({ path })).body;
    expect([status, provisioningDetails.descriptor]).toEqual(["DEPLOYED", unit]);
    const { rows } = await sql<any>`select operation, detail from audit
      where detail ->> 'planId' = ${started.body}`.execute(server.db.database.db);
    expect(rows[0]).toMatchObject({ operation: "rollBack", detail: { rolledBackTo: first } });
  });

  const unfit = [400, "COORD_OPERATION_UNFIT"] as const;
  testRefusals(
    () => still,
    ["", "/preview"].flatMap((more) => [
      ["nobody named", rollback(unitId, {}, more), ...unfit, "/operationId"],
      [
        "two operations",
        rollback(unitId, { operationId: "a", executionPlanId: "b" }, more),
        ...unfit,
        "/operationId",
      ],
      [
        "an unknown operation",
        rollback(unitId, { operationId: "a" }, more),
        404,
        "COORD_OPERATION_NOT_FOUND",
        "/operationId",
      ],
      [
        "an unknown plan",
        rollback(unitId, { executionPlanId: "a" }, more),
        404,
        "COORD_OPERATION_NOT_FOUND",
        "/executionPlanId",
      ],
      input("a number", rollback(unitId, { operationId: 1 }, more), "/operationId"),
      input("no body", rollback(unitId, undefined, more), ""),
    ]),
  );

  it("is refused for what is no state of this unit here, all reasons at once", async () => {
    const other = freshUnit();
    const token = await holdUnit(other);
    const call = rollback(unitId, { operationId: token });
    const answer = await server.coordinator({
      ...call,
      path: call.path.replace("development", "production"),
    });
    expect([answer.status, answer.body.code, answer.body.errors.length]).toEqual([
      400,
      "COORD_OPERATION_UNFIT",
      3,
    ]);
    await terminate(token);
  });
});
