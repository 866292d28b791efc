/** Maintenance windows over HTTP: what they refuse, let wait and let through. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startWholeServer, until, type Answer, type TestRole, type WholeServer } from "../support/server.ts";
import { input, refusal, testRefusals } from "./refusals.ts";
import {
  ended,
  mastId,
  previewPath,
  provisioning,
  provisioningPath,
  ships,
  start,
  whileAdapterIsHeld,
  type Ships,
} from "./ships.ts";

let server: WholeServer;
let units = 0;

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
});
afterAll(() => server.close());

const hourMs = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString();
const freeze = { name: "Year end", kind: "freeze", timeZone: "UTC", from: inHours(-1), until: inHours(5) };
const reason = `The freeze "Year end" lets nothing begin until ${freeze.until}.`;

const freshUnit = (): Ships => ships(`urn:dmb:dp:sea:window-${units++}:0`);
const listed = async (): Promise<any> => {
  const { body } = await server.coordinator({ path: "/v1/maintenance-windows", as: "viewer" });
  return body.data.find(({ environment }: any) => environment === "development");
};
async function put(windows: object[], as: TestRole = "operator"): Promise<Answer> {
  const { version } = await listed();
  const path = "/v1/maintenance-windows/development";
  return server.coordinator({ method: "PUT", path, body: { version, windows }, as });
}
const begin = (unit: Ships, more = "", as: TestRole = "developer", headers = {}): Promise<Answer> =>
  server.coordinator({
    method: "POST",
    path: `${provisioningPath(unit.id)}${more}`,
    body: provisioning(unit),
    as,
    headers,
  });
const statusOf = async (token: string): Promise<any> =>
  (await server.coordinator({ path: `/v1/execution-plans/${token}/status` })).body.dag;
const auditOf = async (operation: string): Promise<any> => {
  const { rows } = await sql<any>`select actor, subject, detail from audit where operation = ${operation}
    order by id desc limit 1`.execute(server.db.database.db);
  return rows[0];
};
const heldFor = async (as: TestRole): Promise<any[]> =>
  (await server.coordinator({ path: "/v1/waiting", as })).body.data.filter(
    ({ kind }: any) => kind === "HELD_PLAN",
  );

afterEach(async () => {
  server.mock.setBehaviours({});
  expect((await put([])).status).toBe(200);
});

describe("the windows of an environment", () => {
  it("are listed for all, also those without any", async () => {
    const { body } = await server.coordinator({ path: "/v1/maintenance-windows" });
    expect(body.data.map(({ environment }: any) => environment)).toEqual(["development", "production"]);
    expect(body.data[1]).toEqual({
      environment: "production",
      version: 0,
      windows: [],
      isOpen: true,
      reason: null,
      opensAt: null,
      waitingPlans: 0,
      updatedAt: null,
      updatedBy: null,
    });
  });

  it("are replaced as a whole, and audited", async () => {
    const before = await listed();
    const { status, body } = await put([freeze]);
    expect(status).toBe(200);
    expect(body).toEqual({
      environment: "development",
      version: before.version + 1,
      windows: [freeze],
      isOpen: false,
      reason,
      opensAt: freeze.until,
      waitingPlans: 0,
      updatedAt: expect.any(String),
      updatedBy: "service:default/operator",
    });
    expect(await listed()).toEqual(body);
    expect(await auditOf("putMaintenanceWindows")).toEqual({
      actor: "service:default/operator",
      subject: "environment:development",
      detail: { version: body.version, windows: [freeze] },
    });
  });

  it("are not replaced under a version that there can't be", async () => {
    const path = "/v1/maintenance-windows/development";
    const body = { version: 1e308, windows: [] };
    const answer = await server.coordinator({ method: "PUT", path, body, as: "operator" });
    expect(answer.status).toBe(400);
  });

  it("are not replaced by whoever has read an earlier version", async () => {
    const { version } = await listed();
    const path = "/v1/maintenance-windows/development";
    const change = { method: "PUT", path, body: { version, windows: [] }, as: "operator" } as const;
    const answers = await Promise.all([server.coordinator(change), server.coordinator(change)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("COORD_WINDOWS_CHANGED");
  });

  const of = (window: object, field: string, environment = "development") =>
    [
      {
        method: "PUT",
        path: `/v1/maintenance-windows/${environment}`,
        body: { version: 0, windows: [window] },
      },
      field,
    ] as const;
  const cron = { name: "n", kind: "window", cron: "0 22 * * *", durationMinutes: 60 };
  const invalid = refusal(400, "COORD_INVALID_WINDOWS");
  testRefusals(
    () => server,
    [
      input("a window of no kind", ...of({ ...cron, kind: "hole" }, "/windows/0/kind")),
      input("one without a name", ...of({ ...cron, name: " " }, "/windows/0/name")),
      invalid("a time zone that is none", ...of({ ...cron, timeZone: "Europe/Roma" }, "/windows/0/timeZone")),
      invalid("a cron expression that is none", ...of({ ...cron, cron: "0 25 * * *" }, "/windows/0/cron")),
      invalid("one without a duration", ...of({ ...cron, durationMinutes: undefined }, "/windows/0")),
      invalid("one without times", ...of({ name: "n", kind: "freeze" }, "/windows/0")),
      invalid("one with both times", ...of({ ...freeze, cron: "* * * * *" }, "/windows/0")),
      invalid("one that ends first", ...of({ ...freeze, until: freeze.from }, "/windows/0/until")),
      refusal(400, "COORD_UNKNOWN_ENVIRONMENT")(
        "an environment that is none",
        ...of(freeze, "environment", "moon"),
      ),
    ],
  );
});

describe("while an environment is closed", () => {
  it("a start is refused with the reason, and a preview says it", async () => {
    await put([freeze]);
    const unit = freshUnit();
    const answer = await begin(unit);
    expect([answer.status, answer.body.code, answer.body.inputErrorField]).toEqual([
      409,
      "COORD_ENVIRONMENT_CLOSED",
      "environment",
    ]);
    expect(answer.body.userMessage).toBe(`Nothing begins in development now. ${reason}`);
    const preview = await server.coordinator({
      method: "POST",
      path: previewPath(unit.id),
      body: provisioning(unit),
    });
    expect([preview.status, preview.body.outcome, preview.body.closed]).toEqual([
      200,
      "OK",
      { reason, freeze: "Year end", opensAt: freeze.until },
    ]);
  });

  it("a start that waits says until when, and begins when it opens", async () => {
    await put([freeze]);
    const unit = freshUnit();
    const { status, body: token } = await begin(unit, "&when-closed=wait");
    expect(status).toBe(202);
    expect((await statusOf(token)).waiting).toEqual({
      reason,
      since: expect.any(String),
      next: "A worker takes the plan once operations may begin in its environment.",
    });
    expect(await auditOf("startProvisioning")).toMatchObject({ detail: { planId: token, waits: reason } });
    const item = {
      kind: "HELD_PLAN",
      id: token,
      title: `Deploying ${unit.id} in development waits. ${reason}`,
      since: expect.any(String),
      expiresAt: expect.any(String),
      path: `/api/coordinator/v1/execution-plans/${token}/status`,
      subject: "HELD_PLAN",
      reason: `${reason} It is expected to open at ${freeze.until}.`,
      atDeadline: "The plan ends without having begun.",
      environment: "development",
      deploymentUnitId: unit.id,
      requester: "service:default/developer",
      whoMayAct: { refs: [], operators: true, rule: null },
      link: { planId: token },
    };
    const [held] = await heldFor("developer");
    expect(held).toEqual(item);
    expect(Date.parse(held.expiresAt) - Date.parse(held.since)).toBe(30 * 24 * 3_600_000);
    expect(await heldFor("operator")).toEqual([item]);
    expect(await heldFor("viewer")).toEqual([]);
    expect((await listed()).waitingPlans).toBe(1);
    // A change of the windows is seen at once.
    await put([{ ...freeze, name: "Longer" }]);
    await until(
      () => statusOf(token),
      ({ waiting }: any) => waiting.reason.includes("Longer"),
    );
    await put([]);
    expect(await ended(server, token)).toBe("COMPLETED");
    expect(await heldFor("operator")).toEqual([]);
  });

  it("what waits can be terminated", async () => {
    await put([freeze]);
    const { body: token } = await begin(freshUnit(), "&when-closed=wait");
    await server.coordinator({ method: "POST", path: `/v1/execution-plans/${token}/terminate` });
    expect(await ended(server, token)).toBe("TERMINATED");
    expect(await heldFor("operator")).toEqual([]);
  });

  it("a repeat of an earlier start answers the first token", async () => {
    const unit = freshUnit();
    const headers = { "idempotency-key": `k-${unit.id}` };
    const { body: token } = await begin(unit, "", "developer", headers);
    await ended(server, token);
    await put([freeze]);
    const again = await begin(unit, "", "developer", headers);
    expect([again.status, again.body]).toEqual([202, token]);
  });

  it("an operator begins all the same and says why", async () => {
    await put([freeze]);
    const override = "&when-closed=override&override-reason=the%20fix%20of%20the%20outage";
    const refused = await begin(freshUnit(), override);
    expect([refused.status, refused.body.code]).toEqual([403, "COORD_OVERRIDE_FORBIDDEN"]);
    const { status, body: token } = await begin(freshUnit(), override, "operator");
    expect(status).toBe(202);
    expect(await ended(server, token)).toBe("COMPLETED");
    expect(await auditOf("startProvisioning")).toMatchObject({
      detail: { planId: token, overridden: reason, overrideReason: "the fix of the outage" },
    });
  });

  it.each([
    ["without a reason", "&when-closed=override"],
    ["with a reason for nothing", "&override-reason=x"],
  ])("an override %s is refused", async (_case, more) => {
    const answer = await begin(freshUnit(), more, "operator");
    expect([answer.status, answer.body.code, answer.body.inputErrorField]).toEqual([
      400,
      "COORD_OVERRIDE_REASON",
      "override-reason",
    ]);
  });

  it("what runs goes on, and what is queued behind it waits at its turn", async () => {
    const unit = freshUnit();
    const [running, queued] = await whileAdapterIsHeld(server, async () => {
      const token = await start(server, unit);
      const { body } = await begin(unit, "&queue=true");
      await put([freeze]);
      return [token, body];
    });
    expect(await ended(server, running)).toBe("COMPLETED");
    await until(
      () => statusOf(queued),
      ({ waiting }: any) => waiting?.reason === reason,
    );
    await put([]);
    expect(await ended(server, queued)).toBe("COMPLETED");
  });

  it("a resume, a rollback and the deprecated start are refused too; the first two may wait", async () => {
    const unit = freshUnit();
    const good = await start(server, unit);
    await ended(server, good);
    server.mock.setBehaviours({ components: { [mastId]: { outcome: "FAILED" } } });
    const failed = await start(server, unit);
    expect(await ended(server, failed)).toBe("FAILED");
    server.mock.setBehaviours({});
    await put([freeze]);
    const resume = `/v1/execution-plans/${failed}/resume`;
    const rollback = `/v2/deployment-units/${unit.id}/provisioning/rollback?environment=development`;
    const calls = [
      { path: resume },
      { path: rollback, body: { executionPlanId: good } },
      { path: "/v1/provision", body: { descriptor: JSON.stringify(freshUnit()) } },
    ];
    for (const call of calls) {
      const answer = await server.coordinator({ method: "POST", ...call });
      expect([call.path, answer.status, answer.body.code]).toEqual([
        call.path,
        409,
        "COORD_ENVIRONMENT_CLOSED",
      ]);
    }
    const { status, body: token } = await server.coordinator({
      method: "POST",
      path: `${resume}?when-closed=wait`,
    });
    expect(status).toBe(202);
    expect((await statusOf(token)).waiting.reason).toBe(reason);
    await put([]);
    expect(await ended(server, token)).toBe("COMPLETED");
  });

  it("a plan that waits for longer than a plan may ends without having begun", async () => {
    await put([freeze]);
    const unit = freshUnit();
    const { body: token } = await begin(unit, "&when-closed=wait");
    await sql`update execution_plans set hold = hold || '{"since": "2020-01-01T00:00:00Z"}',
        deadline_at = now() - interval '1 day' where id = ${token}`.execute(server.db.database.db);
    expect(await ended(server, token)).toBe("TERMINATED");
    expect((await statusOf(token)).result.message).toBe(
      "The plan has waited for its environment to open for as long as a plan may.",
    );
    const { body } = await server.coordinator({ path: `/v1/logs/${token}?level=ERROR` });
    expect(body.map(({ message }: any) => message)).toEqual([
      "The plan has waited for its environment to open for as long as a plan may.",
    ]);
  });

  it("a plan that is terminated when it has waited for longer than its time limit ends for that", async () => {
    await put([freeze]);
    const { body: token } = await begin(freshUnit(), "&when-closed=wait");
    await sql`update execution_plans set deadline_at = now() - interval '1 day' where id = ${token}`.execute(
      server.db.database.db,
    );
    await server.coordinator({ method: "POST", path: `/v1/execution-plans/${token}/terminate` });
    expect(await ended(server, token)).toBe("TERMINATED");
    expect((await statusOf(token)).result.message).toBe(
      "Terminated on request; running tasks were let finish.",
    );
  });

  it("outside of its windows nothing begins, and within one everything does", async () => {
    await put([{ name: "later", kind: "window", timeZone: "UTC", from: inHours(2), until: inHours(3) }]);
    expect((await begin(freshUnit())).body.code).toBe("COORD_ENVIRONMENT_CLOSED");
    await put([{ name: "now", kind: "window", timeZone: "UTC", cron: "* * * * *", durationMinutes: 5 }]);
    expect(await ended(server, await start(server, freshUnit()))).toBe("COMPLETED");
  });
});
