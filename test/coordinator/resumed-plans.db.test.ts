/** A resumed plan is judged by the policies of its own start, and leaves alone what was settled since. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startWholeServer, type Answer, type WholeServer } from "../support/server.ts";
import {
  ended,
  hullId,
  mastId,
  provisioning,
  provisioningPath,
  sailId,
  ships,
  start,
  wanted,
} from "./ships.ts";

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
beforeEach(() => server.mock.setBehaviours({}));

const freshUnit = () => ships(`urn:dmb:dp:sea:resumed${++count}:0`);
type Unit = ReturnType<typeof freshUnit>;

const post = (path: string, body?: object): Promise<Answer> =>
  server.coordinator({ method: "POST", path, ...(body ? { body } : {}) });
const resume = (token: string): Promise<Answer> => post(`/v1/execution-plans/${token}/resume`);
const statusOf = async ({ id }: Unit): Promise<string> => {
  const path = `/v1/deployment-units/${id}/provisioning-status?environment=development`;
  return (await server.coordinator({ path })).body.status;
};
const tasksOf = async (token: string): Promise<{ id: string; status: string }[]> => {
  const { rows } = await sql<{ id: string; status: string }>`select task_id as id, status from plan_tasks
    where plan_id = ${token} order by position`.execute(server.db.database.db);
  return rows;
};
const callsOf = (token: string): string[] =>
  server.mock
    .journal()
    .flatMap(({ idempotencyKey }) =>
      idempotencyKey?.startsWith(`${token}:`) ? idempotencyKey.slice(token.length + 1) : [],
    );

async function failing(unit: Unit, componentId: string): Promise<string> {
  server.mock.setBehaviours({
    components: { [componentId]: { operations: { provision: { outcome: "FAILED" } } } },
  });
  const token = await start(server, unit);
  expect(await ended(server, token)).toBe("FAILED");
  server.mock.setBehaviours({});
  return token;
}

async function resumed(token: string): Promise<{ token: string; status: string }> {
  const { status, body, text } = await resume(token);
  expect(status, text).toBe(202);
  return { token: body, status: await ended(server, body) };
}

describe("the policies of a resumed plan", () => {
  /** A policy that storage without a keel violates, until its end is called. */
  async function enforceKeels(id: string): Promise<() => Promise<void>> {
    const call = async (path: string, body: object): Promise<void> => {
      const { status, text } = await server.governance({ method: "POST", path, body });
      expect(status, text).toBeLessThan(300);
    };
    await call("/policies", {
      id,
      name: "No hull without a keel",
      advice: "Add a keel.",
      engine: "cel",
      spec: { assert: `has(resource.keel) ? [] : [{"path": "keel", "message": "There is none."}]` },
      resourceType: "storage",
    });
    const path = `/policies/${id}/status`;
    await call(path, { status: "enabled", reason: "a test" });
    const disable = { path, method: "POST", body: { status: "disabled", reason: "a test" } };
    // Also where the test has failed before: the others deploy without keels.
    onTestFinished(async () => void (await server.governance(disable)));
    return () => call(path, disable.body);
  }

  it.each([
    ["of a component that is left to deploy", "keel-left", hullId],
    ["of a component that the plan before has deployed", "keel-done", mastId],
  ])("are those of its start: one that was enabled since stops it, %s", async (_, id, failed) => {
    const unit = freshUnit();
    const origin = await failing(unit, failed);
    const disable = await enforceKeels(id);
    const first = await resumed(origin);
    expect(first.status).toBe("FAILED");
    expect(callsOf(first.token)).toEqual([]);
    expect(await tasksOf(first.token)).toContainEqual({ id: `policy:${hullId}`, status: "FAILED" });
    // A plan that the policies have ended is resumed like any other, and judged as a whole again.
    const second = await resumed(first.token);
    expect(second.status).toBe("FAILED");
    expect(await tasksOf(second.token)).toContainEqual({ id: `policy:${hullId}`, status: "FAILED" });
    await disable();
    const third = await resumed(second.token);
    expect(third.status).toBe("COMPLETED");
    expect((await tasksOf(third.token)).map((task) => task.id)).not.toContain(`policy:${hullId}`);
    expect(await statusOf(unit)).toBe("DEPLOYED");
  });

  it("say nothing of a plan that only undeploys", async () => {
    const unit = freshUnit();
    expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
    server.mock.setBehaviours({
      components: { [mastId]: { operations: { unprovision: { outcome: "FAILED" } } } },
    });
    const body = provisioning(unit, { targetStatus: wanted(unit, "NOT_DEPLOYED") });
    const { body: origin } = await post(provisioningPath(unit.id), body);
    expect(await ended(server, origin)).toBe("FAILED");
    server.mock.setBehaviours({});
    const disable = await enforceKeels("keel-gone");
    const { token, status } = await resumed(origin);
    await disable();
    expect(status).toBe("COMPLETED");
    expect((await tasksOf(token)).map(({ id }) => id)).toEqual([
      `unprovision:${mastId}`,
      `unprovision:${hullId}`,
    ]);
  });
});

describe("what was settled since", () => {
  const settle = async (token: string, task: string, outcome: string): Promise<void> => {
    const path = `/v1/unknown-outcomes/${token}/${encodeURIComponent(task)}/settle`;
    const { status, text } = await post(path, { outcome, reason: "I looked." });
    expect(status, text).toBe(200);
  };
  const lost = { odd: { start: { name: "reset-after", times: Number.MAX_SAFE_INTEGER } } } as const;

  /** A plan whose call for the component was lost after it had left. */
  async function losing(
    unit: Unit,
    componentId: string,
    operation: "provision" | "unprovision",
  ): Promise<string> {
    server.mock.setBehaviours({ components: { [componentId]: { operations: { [operation]: lost } } } });
    const targetStatus = wanted(unit, operation === "provision" ? "DEPLOYED" : "NOT_DEPLOYED");
    const { body: token } = await post(provisioningPath(unit.id), provisioning(unit, { targetStatus }));
    expect(await ended(server, token)).toBe("FAILED");
    server.mock.setBehaviours({});
    return token;
  }

  it("as what the task was to bring is done: the resumed plan does what is left", async () => {
    const unit = freshUnit();
    expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
    const origin = await losing(unit, sailId, "unprovision");
    await settle(origin, `unprovision:${sailId}`, "NOT_DEPLOYED");
    const { token, status } = await resumed(origin);
    expect(status).toBe("COMPLETED");
    expect(callsOf(token)).toEqual([`unprovision:${mastId}`, `unprovision:${hullId}`]);
    expect(await statusOf(unit)).toBe("NOT_DEPLOYED");
    const { body } = await server.coordinator({
      path: `/v2/provisioning-operations?environment=development&deployment-unit-id=${unit.id}`,
    });
    const { components } = body.data.find(({ operation }: any) => operation.executionPlanId === token);
    expect(
      components.map(({ componentId, provisioningAction }: any) => [componentId, provisioningAction]),
    ).toContainEqual([sailId, "NONE"]);
  });

  it("leaves nothing to resume where nothing else was open", async () => {
    const unit = freshUnit();
    const origin = await losing(unit, sailId, "provision");
    await settle(origin, `provision:${sailId}`, "DEPLOYED");
    const { status, body } = await resume(origin);
    expect([status, body.code]).toEqual([400, "COORD_NOT_RESUMABLE"]);
    expect(body.userMessage).toContain("have completed, or were settled as done: nothing is left to do.");
    expect(await statusOf(unit)).toBe("DEPLOYED");
  });

  it("as something else is done again", async () => {
    const unit = freshUnit();
    const origin = await losing(unit, sailId, "provision");
    await settle(origin, `provision:${sailId}`, "NOT_DEPLOYED");
    const { token, status } = await resumed(origin);
    expect(status).toBe("COMPLETED");
    expect(callsOf(token)).toEqual([`provision:${sailId}`]);
  });
});
