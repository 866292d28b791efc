/** What shows plans and adapters at work: literal shapes of the answers, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import { mockAdapterId } from "../support/server.ts";
import { barge, ferry, hulk, namedUnit, startFleet, type Fleet } from "./fleet.ts";
import { input, testRefusals } from "./refusals.ts";
import { ended, hullId, mastId, sailId, start } from "./ships.ts";

let fleet: Fleet;
let server: Fleet["server"];
let plans: Fleet["plans"];
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ms = expect.toSatisfy((value) => typeof value === "number" && value >= 0);
const bodyOf = (path: string): Promise<any> => fleet.bodyOf(path);

beforeAll(async () => {
  fleet = await startFleet();
  ({ server, plans } = fleet);
});
afterAll(() => fleet.close());

describe("operations with their progress", () => {
  const list = (query: string): Promise<any> =>
    bodyOf(`/v2/provisioning-operations?include-progress=true&${query}`);

  it("says how far one at work is", async () => {
    const { data } = await list("status=RUNNING");
    expect(data).toEqual([
      {
        operation: expect.objectContaining({ executionPlanId: plans.busy, status: "RUNNING" }),
        components: expect.any(Array),
        progress: { total: 6, completed: 3, failed: 0, running: 1, waiting: 2 },
        failure: null,
        waitsFor: null,
      },
    ]);
  });

  it("says why one failed", async () => {
    const { data } = await list("status=FAILED");
    expect(data[0]).toMatchObject({
      progress: { total: 6, completed: 4, failed: 2, running: 0, waiting: 0 },
      failure: "Failed: mast.",
      waitsFor: null,
    });
  });

  it("says what one waits for, who can act, and until when", async () => {
    const { db } = server.db.database;
    const waitsFor = async (): Promise<any> => (await list("status=RUNNING")).data[0].waitsFor;
    const set = (columns: string): Promise<unknown> =>
      sql`update execution_plans set ${sql.raw(columns)} where id = ${plans.busy}`.execute(db);
    await sql`update plan_tasks set waiting = '{"reason":"No answer.","since":"2026-01-01T00:00:00.000Z"}'
      where plan_id = ${plans.busy} and status = 'RUNNING'`.execute(db);
    expect(await waitsFor()).toEqual({
      kind: "ADAPTER",
      reason: "hull: No answer.",
      since: "2026-01-01T00:00:00.000Z",
      who: [],
      until: null,
      next: "The adapter is asked again.",
    });
    const { rows } = await sql<{ workerId: string }>`select worker_id as "workerId" from execution_plans
      where id = ${plans.busy}`.execute(db);
    await set("worker_id = null");
    expect(await waitsFor()).toMatchObject({ kind: "WORKER", reason: "Its worker has gone." });
    await set(`worker_id = '${rows[0]!.workerId}', started_at = null, status = 'WAITING'`);
    expect(await waitsFor()).toMatchObject({ kind: "WORKER", reason: "No worker has taken the plan yet." });
    // The worker sees that the environment is open, and takes the hold away.
    const setUntil = (kind: string, columns: string): Promise<any> =>
      eventually(`it waits for ${kind}`, async () => {
        await set(columns);
        const found = await waitsFor();
        return found?.kind === kind ? found : null;
      });
    // A plan that has been held for too long is ended.
    const since = new Date().toISOString();
    const hold = `hold = '${JSON.stringify({ reason: "Closed.", since, until: "2026-01-02T00:00:00.000Z" })}'`;
    expect(await setUntil("WINDOW", hold)).toEqual({
      kind: "WINDOW",
      reason: "Closed.",
      since,
      who: [],
      until: "2026-01-02T00:00:00.000Z",
      next: "A worker takes the plan once operations may begin in its environment.",
    });
    const approval = `approval_status = 'PENDING', approval = '{"rule":"board","approvers":["group:default/board"],
      "since":"2026-01-01T00:00:00.000Z","expiresAt":"2026-01-03T00:00:00.000Z","actionId":"a","planHash":""}'`;
    expect(await setUntil("APPROVAL", approval)).toEqual({
      kind: "APPROVAL",
      reason: 'Waits for an approval, by the rule "board".',
      since: "2026-01-01T00:00:00.000Z",
      who: ["group:default/board"],
      until: "2026-01-03T00:00:00.000Z",
      next: "Once it is approved a worker takes the plan; otherwise the plan ends without having begun.",
    });
    await set(
      "approval_status = null, approval = null, hold = null, started_at = created_at, status = 'RUNNING'",
    );
    await sql`update plan_tasks set waiting = null where plan_id = ${plans.busy}`.execute(db);
    expect(await waitsFor()).toBeNull();
  });

  it("is found by its plan", async () => {
    const { data } = await bodyOf(`/v2/provisioning-operations?execution-plan-id=${plans.busy}`);
    expect(data.map((each: any) => each.operation.executionPlanId)).toEqual([plans.busy]);
    expect((await bodyOf("/v2/provisioning-operations?execution-plan-id=none")).data).toEqual([]);
  });

  it("says nothing of it unasked", async () => {
    const { data } = await bodyOf("/v2/provisioning-operations?limit=1");
    expect(Object.keys(data[0])).toEqual(["operation", "components"]);
  });
});

describe("the times of a plan", () => {
  const timing = (token: string): Promise<any> => bodyOf(`/v1/execution-plans/${token}/timing`);
  const chain = (first: string) => [
    `${first}:${hullId}`,
    `provision:${hullId}`,
    `provision:${mastId}`,
    `provision:${sailId}`,
  ];

  it("has the split of each task, the critical path, and nothing that remains of one that has ended", async () => {
    const body = await timing(plans.first);
    expect(body).toEqual({
      executionPlanId: plans.first,
      status: "COMPLETED",
      asOf: time,
      createdAt: time,
      startedAt: time,
      stoppedAt: time,
      beforeStartMs: ms,
      approvalMs: 0,
      tasks: expect.any(Array),
      criticalPath: { taskIds: expect.any(Array), ms },
      remaining: { medianMs: 0, p90Ms: 0, reason: null },
      statistics: [
        {
          adapterId: mockAdapterId,
          action: "PROVISION",
          samples: expect.any(Number),
          medianMs: ms,
          p90Ms: ms,
        },
        {
          adapterId: mockAdapterId,
          action: "VALIDATE_COMPONENT",
          samples: expect.any(Number),
          medianMs: ms,
          p90Ms: ms,
        },
      ],
    });
    expect(body.criticalPath.taskIds.slice(1)).toEqual(chain("validate").slice(1));
    expect(body.tasks.at(-1)).toEqual({
      taskId: `provision:${sailId}`,
      action: "PROVISION",
      componentId: sailId,
      adapterId: mockAdapterId,
      status: "COMPLETED",
      isCritical: true,
      split: { predecessorsMs: ms, queueMs: ms, retriesMs: 0, callMs: ms, pollMs: 0 },
      remaining: null,
    });
  });

  it("estimates what remains, and splits off the polls", async () => {
    const body = await timing(plans.busy);
    expect(body.remaining).toEqual({ medianMs: ms, p90Ms: ms, reason: null });
    expect(body.remaining.p90Ms).toBeGreaterThanOrEqual(body.remaining.medianMs);
    const hull = body.tasks.find(({ taskId }: any) => taskId === `provision:${hullId}`);
    expect(hull).toMatchObject({ status: "RUNNING", isCritical: true, remaining: { reason: null } });
    expect(hull.split.pollMs).toBeGreaterThan(0);
    const sail = body.tasks.find(({ taskId }: any) => taskId === `provision:${sailId}`);
    expect(sail.split.predecessorsMs).toBeGreaterThan(0);
  });

  it("says where nothing is known of earlier tasks", async () => {
    const { db } = server.db.database;
    const id = (adapter: string) =>
      sql`update plan_tasks set adapter_id = ${adapter}
      where plan_id = ${plans.busy} and task_id = ${`provision:${sailId}`}`.execute(db);
    await id("urn:dmb:itm:new:1");
    const reason = "No earlier PROVISION of urn:dmb:itm:new:1 has completed.";
    const body = await timing(plans.busy);
    expect(body.remaining).toEqual({ medianMs: null, p90Ms: null, reason });
    expect(body.tasks.at(-1).remaining).toEqual({ medianMs: null, p90Ms: null, reason });
    await id(mockAdapterId);
  });

  testRefusals(
    () => server,
    [
      ["an unknown token", { path: "/v1/execution-plans/a/timing" }, 404, "COORD_PLAN_NOT_FOUND", "token"],
      input("NUL in the token", { path: "/v1/execution-plans/a%00/timing" }, "token"),
    ],
  );
});

describe("what a termination will do", () => {
  it("is said of each mode and task", async () => {
    const body = await bodyOf(`/v1/execution-plans/${plans.busy}/termination`);
    const never = (id: string) => ({
      taskId: `provision:${id}`,
      action: "PROVISION",
      componentId: id,
      status: "WAITING",
      effect: "NEVER_BEGUN",
      why: "It has not begun, and does not begin.",
    });
    const hull = {
      taskId: `provision:${hullId}`,
      action: "PROVISION",
      componentId: hullId,
      status: "RUNNING",
    };
    expect(body).toEqual({
      executionPlanId: plans.busy,
      status: "RUNNING",
      requestedMode: null,
      mayTerminate: false,
      whoMay: ["operator", "service", "admin"],
      done: [],
      modes: [
        {
          mode: "safe",
          summary: "1 task at work will finish; 2 tasks will not begin.",
          tasks: [
            {
              ...hull,
              effect: "FINISHES",
              why: "It is at work and runs to its own end, at the latest the time limit of the operation.",
            },
            never(mastId),
            never(sailId),
          ],
          mayBecomeCorrupt: [],
          untouched: [mastId, sailId],
        },
        {
          mode: "forced",
          summary: "1 task will be stopped by the adapters, 0 tasks cut off; 2 tasks will not begin.",
          tasks: [{ ...hull, effect: "STOPPED", why: expect.any(String) }, never(mastId), never(sailId)],
          mayBecomeCorrupt: [hullId],
          untouched: [mastId, sailId],
        },
      ],
    });
    const path = `/v2/deployment-units/${hulk.id}/provisioning/termination?environment=development`;
    expect(await bodyOf(path)).toEqual(body);
    const { body: asOperator } = await server.coordinator({ path, as: "operator" });
    expect(asOperator.mayTerminate).toBe(true);
  });

  const ofUnit = (id: string, environment = "development"): { path: string } => ({
    path: `/v2/deployment-units/${id}/provisioning/termination?environment=${environment}`,
  });
  testRefusals(
    () => server,
    [
      [
        "an unknown token",
        { path: "/v1/execution-plans/a/termination" },
        404,
        "COORD_PLAN_NOT_FOUND",
        "token",
      ],
      [
        "a plan that has ended",
        {
          get path() {
            return `/v1/execution-plans/${plans.first}/termination`;
          },
        },
        400,
        "COORD_PLAN_FINISHED",
        "token",
      ],
      ["a unit at rest", ofUnit(barge.id), 400, "COORD_NOTHING_ACTIVE", "deployment-unit-id"],
      ["an unknown environment", ofUnit(barge.id, "moon"), 400, "COORD_UNKNOWN_ENVIRONMENT", "environment"],
    ],
  );
});

describe("calls of adapters", () => {
  const path = (query = "", environment = "development"): string =>
    `/v1/tech-adapters/${mockAdapterId}/deployments/${environment}/calls${query}`;

  it("are listed page by page, the last one first", async () => {
    const all = await bodyOf(path("?limit=100"));
    expect(all.data[0]).toMatchObject({ executionPlanId: plans.busy, action: "VALIDATE_COMPONENT" });
    const failed = all.data.find(({ outcome }: any) => outcome === "FAILED");
    expect(failed).toEqual({
      executionPlanId: plans.failed,
      taskId: `provision:${mastId}`,
      deploymentUnitId: ferry.id,
      componentId: mastId,
      action: "PROVISION",
      outcome: "FAILED",
      attempts: 1,
      wasPolled: false,
      startedAt: time,
      stoppedAt: time,
      durationMs: ms,
      message: "No wood.",
    });
    const paged: any[] = [];
    let next: string | null = "";
    while (next !== null) {
      const page: any = await bodyOf(path(`?limit=7${next === "" ? "" : `&cursor=${next}`}`));
      expect(page.data.length).toBeLessThanOrEqual(7);
      paged.push(...page.data);
      next = page.meta.pagination.next;
    }
    expect(paged).toEqual(all.data);
    const times = paged.map(({ stoppedAt }) => Date.parse(stoppedAt));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const { data } = await bodyOf(path("", "production"));
    expect(new Set(data.map(({ executionPlanId }: any) => executionPlanId))).toEqual(
      new Set([plans.production]),
    );
  });

  it("say whether the adapter answers", async () => {
    const { data, meta } = await bodyOf("/v1/adapter-health?environment=development");
    expect(meta).toEqual({ pagination: { limit: 100, next: null } });
    expect(data).toEqual([
      {
        adapterId: mockAdapterId,
        name: expect.any(String),
        environment: "development",
        enabled: true,
        health: "ANSWERING",
        since: time,
        reason: "It answers.",
        calls: { completed: 25, failed: 1, unanswered: 0, terminated: 0 },
        atWork: 1,
        medianMs: ms,
        p90Ms: ms,
        lastCallAt: time,
        lastError: {
          executionPlanId: plans.failed,
          taskId: `provision:${mastId}`,
          action: "PROVISION",
          outcome: "FAILED",
          at: time,
          message: "No wood.",
        },
      },
    ]);
    expect((await bodyOf(path())).health).toEqual(data[0]);
    const first = await bodyOf("/v1/adapter-health?limit=1");
    const second = await bodyOf(`/v1/adapter-health?limit=1&cursor=${first.meta.pagination.next}`);
    expect(second.data[0].environment).not.toBe(first.data[0].environment);
  });

  it("say that it fails while a call of it is not answered", async () => {
    const away = "urn:dmb:itm:away:1";
    const body = { url: "http://127.0.0.1:9", enabled: true };
    await server.coordinator({
      method: "POST",
      path: "/v1/tech-adapters",
      body: { id: away, version: "1", name: "Away" },
    });
    await server.coordinator({
      method: "PUT",
      path: `/v1/tech-adapters/${away}/deployments/staging`,
      body,
    });
    const raft = namedUnit("raft", { environment: "staging" });
    for (const component of raft.components) component.infrastructureTemplateId = away;
    const token = await start(server, raft);
    const health = async (): Promise<any> =>
      (await bodyOf("/v1/adapter-health?environment=staging")).data.find(
        ({ adapterId }: any) => adapterId === away,
      );
    await ended(server, token);
    expect(await health()).toMatchObject({
      health: "FAILING",
      since: time,
      reason: expect.stringMatching(/^The last (call was|\d calls were) not answered\.$/),
      lastError: { executionPlanId: token, outcome: "UNANSWERED", message: expect.any(String) },
    });
  });

  testRefusals(
    () => server,
    [
      [
        "an unknown adapter",
        { path: "/v1/tech-adapters/a/deployments/development/calls" },
        404,
        "COORD_ADAPTER_NOT_FOUND",
        "id",
      ],
      ["an unknown address", { path: path("", "moon") }, 404, "COORD_DEPLOYMENT_NOT_FOUND", "environment"],
      ["a broken cursor", { path: path("?cursor=!") }, 400, "COORD_INVALID_CURSOR", "cursor"],
      [
        "a cursor of another list",
        { path: path(`?cursor=${Buffer.from('["a","b","c"]').toString("base64url")}`) },
        400,
        "COORD_INVALID_CURSOR",
        "cursor",
      ],
      input("a page of too many", { path: path("?limit=101") }, "limit"),
      [
        "a broken cursor of the health",
        { path: "/v1/adapter-health?cursor=!" },
        400,
        "COORD_INVALID_CURSOR",
        "cursor",
      ],
      [
        "the health in an unknown environment",
        { path: "/v1/adapter-health?environment=moon" },
        400,
        "COORD_UNKNOWN_ENVIRONMENT",
        "environment",
      ],
    ],
  );
});
