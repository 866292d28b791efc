/** Plans that repair drift: asked about in one environment, started by themselves in the other. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import {
  mockAdapterId,
  startWholeServer,
  until,
  type TestRole,
  type WholeServer,
} from "../support/server.ts";
import { eventually } from "../support/eventually.ts";
import { input, refusal, testRefusals } from "./refusals.ts";
import { ended, hullId, provisioningPath, ships, start, wanted } from "./ships.ts";

let server: WholeServer;
let count = 0;
/** On the first of January: the tests begin their checks themselves. */
const never = { cron: "0 0 1 1 *", timeZone: "UTC" };

beforeAll(async () => {
  server = await startWholeServer({
    configure({ coordinator }) {
      coordinator.drift.schedules = [
        { ...never, environment: "development", reconcile: "ask" },
        { ...never, environment: "production", reconcile: "auto" },
      ];
      coordinator.drift.reconcile = {
        ...coordinator.drift.reconcile,
        parallelPlans: 1,
        stopAfterFailures: 2,
      };
    },
  });
  await server.registerMock();
});
afterAll(() => server.close());
beforeEach(() => server.mock.setBehaviours({}));

const template = "urn:dmb:utm:ship:1";
const changed = {
  components: {
    [template]: { operations: { "reverse-provisioning": { updates: { "spec.mesh.specific.size": 5 } } } },
  },
};
const same = {
  components: {
    [template]: { operations: { "reverse-provisioning": { updates: { "spec.mesh.specific.size": 4 } } } },
  },
};
async function deployed(environment: string, more: object = {}) {
  server.mock.setBehaviours(same);
  const unit = { ...ships(`urn:dmb:dp:sea:repair-${count++}:0`), ...more, environment };
  Object.assign(unit.components[0]!, { useCaseTemplateId: template, specific: { size: 4 } });
  expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
  return unit;
}
type Unit = Awaited<ReturnType<typeof deployed>>;

async function check(unit: Unit): Promise<string> {
  const path = `/v1/deployment-units/${unit.id}/drift-checks?environment=${unit.environment}`;
  const { body: id } = await server.coordinator({ method: "POST", path });
  const { body } = await until(
    () => server.coordinator({ path: `/v1/drift-checks/${id}` }),
    (answer) => answer.body.status === "COMPLETED",
  );
  return body.result;
}
async function drift(unit: Unit): Promise<void> {
  server.mock.setBehaviours(changed);
  expect(await check(unit)).toBe("DRIFTED");
}
async function found<T>(ask: () => Promise<T>, isIt: (value: T) => boolean): Promise<T> {
  let value: T | undefined;
  await eventually("the reconcile is as awaited", async () => isIt((value = await ask())));
  return value as T;
}
const ofUnit = async (unit: Unit): Promise<any> =>
  (await server.coordinator({ path: `/v1/reconciles?deployment-unit-id=${unit.id}` })).body.data[0];
const reaches = async (unit: Unit, status: string): Promise<any> => {
  const { id } = await found(
    () => ofUnit(unit),
    (each) => each?.status === status,
  );
  return (await server.coordinator({ path: `/v1/reconciles/${id}`, as: "viewer" })).body;
};
const decide = (id: string, what: "approve" | "refuse", as: TestRole = "developer") =>
  server.coordinator({
    method: "POST",
    path: `/v1/reconciles/${id}/${what}`,
    ...(what === "refuse" && { body: { reason: "It was changed on purpose." } }),
    as,
  });
const waitingOf = async (as: TestRole): Promise<string[]> =>
  (await server.coordinator({ path: "/v1/waiting?limit=100", as })).body.data
    .filter(({ kind }: any) => kind === "RECONCILE")
    .map(({ id }: any) => id);
const auditOf = async (unit: Unit): Promise<any[]> => {
  const { rows } = await sql<any>`select operation, actor from audit
    where subject = ${`unit:${unit.id}@${unit.environment}`} and operation like '%Reconcile' order by id`.execute(
    server.db.database.db,
  );
  return rows;
};
const me = "service:default/plinth-reconcile";
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const inDb = ({ db }: WholeServer) => db.database.db;

describe("where drift is asked about", () => {
  it("the question shows what a plan would do, and an approval starts exactly that", async () => {
    const unit = await deployed("development");
    await drift(unit);
    const asked = await reaches(unit, "ASKED");
    expect(asked).toEqual({
      id: expect.any(String),
      deploymentUnitId: unit.id,
      environment: "development",
      driftCheckId: expect.any(String),
      components: [hullId],
      status: "ASKED",
      automatic: false,
      planId: null,
      reason: null,
      decidedBy: null,
      createdAt: time,
      expiresAt: time,
      startedAt: null,
      endedAt: null,
      planHash: expect.any(String),
      changes: [{ componentId: hullId, action: "REDEPLOY", reason: "REQUESTED" }],
      changeCount: 1,
    });
    expect(Date.parse(asked.expiresAt) - Date.parse(asked.createdAt)).toBe(72 * 3_600_000);
    expect(await waitingOf("developer")).toContain(asked.id);
    expect(await waitingOf("viewer")).toEqual([]);
    const { status, body } = await decide(asked.id, "approve");
    expect([status, body.status, body.automatic, body.decidedBy]).toEqual([
      200,
      "STARTED",
      false,
      "service:default/developer",
    ]);
    expect(await ended(server, body.planId)).toBe("COMPLETED");
    expect(await reaches(unit, "SUCCEEDED")).toMatchObject({
      planId: body.planId,
      reason: null,
      endedAt: time,
    });
    const again = await decide(asked.id, "approve");
    expect([again.status, again.body.code]).toEqual([409, "COORD_RECONCILE_ENDED"]);
    expect(await auditOf(unit)).toEqual([
      { operation: "askReconcile", actor: me },
      { operation: "approveReconcile", actor: "service:default/developer" },
    ]);
    expect(await waitingOf("operator")).not.toContain(asked.id);
  });

  it("of two who approve at once one starts it", async () => {
    const unit = await deployed("development");
    await drift(unit);
    const { id } = await reaches(unit, "ASKED");
    const answers = await Promise.all([decide(id, "approve"), decide(id, "approve", "operator")]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { rows } = await sql`select 1 from execution_plans where unit_key = ${unit.id}`.execute(
      inDb(server),
    );
    expect(rows).toHaveLength(2);
  });

  it("a refusal ends the question until a later check", async () => {
    const unit = await deployed("development");
    await drift(unit);
    const { id } = await reaches(unit, "ASKED");
    const { status, body } = await decide(id, "refuse");
    expect([status, body.status, body.reason]).toEqual([200, "REFUSED", "It was changed on purpose."]);
    expect((await decide(id, "refuse")).status).toBe(409);
    await check(unit);
    expect((await reaches(unit, "ASKED")).id).not.toBe(id);
  });

  it("one question is open for a unit", async () => {
    const unit = await deployed("development");
    await drift(unit);
    const { id } = await reaches(unit, "ASKED");
    await check(unit);
    expect((await ofUnit(unit)).id).toBe(id);
  });

  it.each<[string, (unit: Unit, id: string) => Promise<unknown>, string, RegExp]>([
    [
      "a plan that has changed the unit",
      (unit) => start(server, unit),
      "DROPPED",
      /^The plan \S+ has changed/,
    ],
    [
      "a check that finds no drift",
      async (unit) => {
        server.mock.setBehaviours(same);
        return check(unit);
      },
      "DROPPED",
      /^A later check has found no drift\.$/,
    ],
    [
      "its time",
      (_unit, id) =>
        sql`update reconciles set expires_at = now() where id = ${id}`.execute(server.db.database.db),
      "EXPIRED",
      /^Nobody has decided in time\.$/,
    ],
  ])("%s ends the question", async (_case, act, status, reason) => {
    const unit = await deployed("development");
    await drift(unit);
    const { id } = await reaches(unit, "ASKED");
    await act(unit, id);
    expect((await reaches(unit, status)).reason).toMatch(reason);
  });

  it("a unit with an unknown outcome waits, and is not repaired by an approval either", async () => {
    const unit = await deployed("development");
    const unsettled = sql`insert into unknown_outcomes (plan_id, task_id, unit_key, unit_id, environment, action,
        task_status, idempotency_key, traceparent, attempts, since, ended_at)
      select plan_id, 'task', unit_key, unit_id, environment, 'PROVISION', 'FAILED', 'k', '', 1, now(), now()
      from operations where unit_key = ${unit.id}`;
    await unsettled.execute(inDb(server));
    await drift(unit);
    await found(
      () => ofUnit(unit),
      (each) => each?.reason === "Waits until the unknown outcomes of the unit are settled.",
    );
    expect((await ofUnit(unit)).status).toBe("FOUND");
    await sql`delete from unknown_outcomes where unit_key = ${unit.id}`.execute(inDb(server));
    const { id } = await reaches(unit, "ASKED");
    await unsettled.execute(inDb(server));
    const blocked = await decide(id, "approve");
    expect([blocked.status, blocked.body.code]).toEqual([409, "COORD_RECONCILE_BLOCKED"]);
    await sql`delete from unknown_outcomes where unit_key = ${unit.id}`.execute(inDb(server));
  });
});

describe("where plans start by themselves", () => {
  it("one repairs the unit, and further drift of it within a day is asked about", async () => {
    const unit = await deployed("production");
    await drift(unit);
    const repaired = await reaches(unit, "SUCCEEDED");
    expect(repaired).toMatchObject({ automatic: true, decidedBy: me, components: [hullId] });
    expect(await auditOf(unit)).toEqual([{ operation: "startReconcile", actor: me }]);
    await drift(unit);
    const asked = await reaches(unit, "ASKED");
    expect(asked.reason).toBe(
      `The unit was repaired by itself at ${repaired.startedAt}, and has drifted again.`,
    );
    await decide(asked.id, "refuse", "operator");
  });

  it("one repairs a subcomponent with an adapter of its own, together with what it is a part of", async () => {
    const keelId = `${hullId}:keel`;
    const ofKeel = "urn:dmb:utm:keel:1";
    const keel = { id: keelId, name: "keel", kind: "storage", infrastructureTemplateId: mockAdapterId };
    const unit = { ...ships(`urn:dmb:dp:sea:repair-${count++}:0`), environment: "production" };
    const parts = [{ ...keel, useCaseTemplateId: ofKeel, specific: { size: 4 } }];
    Object.assign(unit.components[0]!, { components: parts });
    expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
    const updates = { "spec.mesh.specific.size": 5 };
    server.mock.setBehaviours({
      components: { [ofKeel]: { operations: { "reverse-provisioning": { updates } } } },
    });
    expect(await check(unit)).toBe("DRIFTED");
    const repaired = await reaches(unit, "SUCCEEDED");
    expect(repaired).toMatchObject({ automatic: true, components: [keelId] });
    expect(repaired.changes).toEqual([
      { componentId: hullId, action: "REDEPLOY", reason: "REQUESTED" },
      { componentId: keelId, action: "REDEPLOY", reason: "REQUESTED" },
    ]);
  });

  it("not what the rules ask an owner to have approved, and only who may start it decides", async () => {
    const unit = await deployed("production", { ownerGroup: "group:default/fleet" });
    await drift(unit);
    const { id, reason } = await reaches(unit, "ASKED");
    expect(reason).toBe('The rule "deployments in production" asks for an approval.');
    expect(await waitingOf("developer")).not.toContain(id);
    expect(await waitingOf("operator")).toContain(id);
    for (const what of ["approve", "refuse"] as const) {
      const { status, body } = await decide(id, what);
      expect([what, status, body.code]).toEqual([what, 403, "COORD_NOT_OWNER"]);
    }
    const { status, body } = await decide(id, "approve", "operator");
    expect(status).toBe(200);
    expect(await ended(server, body.planId)).toBe("COMPLETED");
  });

  it("not a component that was deployed from an earlier descriptor", async () => {
    const unit = await deployed("production");
    const newer = structuredClone(unit);
    Object.assign(newer.components[0]!, { specific: { size: 6 } });
    const targets = wanted(unit).map((each) =>
      each.componentId === hullId ? { ...each, action: "NONE" } : each,
    );
    const { body: token } = await server.coordinator({
      method: "POST",
      path: provisioningPath(unit.id, "production"),
      body: { descriptor: newer, targetStatus: targets },
    });
    expect(await ended(server, token)).toBe("COMPLETED");
    await drift(unit);
    const { id, reason } = await reaches(unit, "ASKED");
    expect(reason).toBe("The plan would change more than what has drifted.");
    await decide(id, "refuse", "operator");
  });

  it("not in a freeze, but at its end", async () => {
    const unit = await deployed("production");
    const put = async (version: number, windows: object[]): Promise<void> => {
      const path = "/v1/maintenance-windows/production";
      const { status } = await server.coordinator({ method: "PUT", path, body: { version, windows } });
      expect(status).toBe(200);
    };
    await put(0, [
      { name: "Year end", kind: "freeze", from: "2020-01-01T00:00:00Z", until: "2999-01-01T00:00:00Z" },
    ]);
    await drift(unit);
    await found(
      () => ofUnit(unit),
      (each) => each?.status === "DUE" && each.reason?.includes("Year end") === true,
    );
    await put(1, []);
    await reaches(unit, "SUCCEEDED");
  });

  it("no more at a time than may be", async () => {
    const [first, second] = [await deployed("production"), await deployed("production")];
    server.mock.setBehaviours({
      ...changed,
      default: { operations: { provision: { mode: "async", runningPolls: 1e6 } } },
    });
    expect([await check(first), await check(second)]).toEqual(["DRIFTED", "DRIFTED"]);
    const isWaiting = (each: any): boolean =>
      each?.reason === "Waits for a free place: 1 repairs are under way.";
    const [, due] = await found(
      async () => [await ofUnit(first), await ofUnit(second)].toSorted((a) => (isWaiting(a) ? 1 : -1)),
      ([a, b]) => a?.status === "STARTED" && isWaiting(b),
    );
    server.mock.setBehaviours(same);
    const running = due.deploymentUnitId === first.id ? second : first;
    const { planId } = await ofUnit(running);
    await server.coordinator({ method: "POST", path: `/v1/execution-plans/${planId}/terminate?mode=forced` });
    await reaches(running, "FAILED");
    await reaches(running === first ? second : first, "SUCCEEDED");
  });

  it("none after failures in a row, until one succeeds", async () => {
    const failing = { ...changed, default: { operations: { provision: { outcome: "FAILED" as const } } } };
    const units = [];
    for (let n = 0; n < 4; n++) units.push(await deployed("production"));
    for (const unit of units.slice(0, 2)) {
      server.mock.setBehaviours(failing);
      await check(unit);
      await reaches(unit, "FAILED");
    }
    await drift(units[2]!);
    const asked = await reaches(units[2]!, "ASKED");
    expect(asked.reason).toMatch(/^The last 2 repairs in the environment have failed/);
    await decide(asked.id, "approve", "operator");
    await reaches(units[2]!, "SUCCEEDED");
    await drift(units[3]!);
    expect(await reaches(units[3]!, "SUCCEEDED")).toMatchObject({ automatic: true });
  });
});

describe("the operations refuse", () => {
  const unknown = refusal(404, "COORD_RECONCILE_NOT_FOUND");
  const path = "/v1/reconciles/none";
  testRefusals(
    () => server,
    [
      unknown("one that is not there", { path }, "reconcile-id"),
      unknown("an approval of none", { method: "POST", path: `${path}/approve` }, "reconcile-id"),
      unknown(
        "a refusal of none",
        { method: "POST", path: `${path}/refuse`, body: { reason: "x" } },
        "reconcile-id",
      ),
      input("a refusal without a reason", { method: "POST", path: `${path}/refuse`, body: {} }, "/reason"),
      input("a status that is none", { path: "/v1/reconciles?status=OPEN" }, "status"),
      refusal(400, "COORD_UNKNOWN_ENVIRONMENT")(
        "another environment",
        { path: "/v1/reconciles?environment=moon" },
        "environment",
      ),
      refusal(400, "COORD_INVALID_CURSOR")("a broken cursor", { path: "/v1/reconciles?after=x" }, "after"),
    ],
  );
});
