/** Who may touch whose unit, over HTTP: refusals, and plans that wait for an approval. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ended, previewPath, provisioning, provisioningPath, ships } from "../coordinator/ships.ts";
import { eventually } from "../support/eventually.ts";
import { startWholeServer, tokenOf, type TestRole, type WholeServer } from "../support/server.ts";

let server: WholeServer;
let count = 0;

/** Developers with tokens of their own: ada and grace own the fleet, mallory does not. */
const people = ["ada", "grace", "mallory"] as const;
type Person = (typeof people)[number];
const refOf = (person: Person): string => `service:default/${person}`;
const owners = { ownerGroup: refOf("ada"), devGroup: refOf("grace") };

beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      config.governance.ownership.approvalEnvironments = ["production"];
      const { tokens } = config.auth.providers.service!["default"] as any;
      for (const name of people)
        tokens.push({ name, secret: tokenOf(name as TestRole), roles: ["developer"] });
    },
  });
  await server.registerMock();
});
afterAll(() => server.close());

const freshUnit = (more: object = owners): any => ({
  ...ships(`urn:dmb:dp:sea:owned${++count}:0`),
  domain: "sea",
  ...more,
});
interface Asked {
  environment?: string;
  body?: object;
  query?: string;
}
const start = (unit: any, as: Person | TestRole, asked: Asked = {}) => {
  const { environment = "development", body, query = "" } = asked;
  return server.coordinator({
    method: "POST",
    path: provisioningPath(unit.id, environment) + query,
    as: as as TestRole,
    body: provisioning({ ...unit, environment }, body),
  });
};
const undeploy = (unit: any, removeData = false): object => ({
  targetStatus: unit.components.map(({ id }: any) => ({ componentId: id, targetStatus: "NOT_DEPLOYED" })),
  removeData,
});
const planOf = async (token: string): Promise<any> =>
  (await server.coordinator({ path: `/v1/execution-plans/${token}/status` })).body.dag;
/** The stage of the approval, wherever it stands in the graph. */
const approvalIn = (node: any): any => {
  if (node.id.endsWith(":approval")) return node;
  for (const each of node.dependsOnTasks) {
    const found = approvalIn(each);
    if (found) return found;
  }
  return undefined;
};
const callsAbout = (token: string) =>
  server.mock.journal().filter(({ idempotencyKey }) => idempotencyKey?.startsWith(token));
const hookOf = async (token: string): Promise<any> =>
  eventually("the hook of the plan", async () => {
    const { body } = await server.builder({ path: "/hooks?status=pending&limit=100" });
    const approval = (
      await server.db.database.pool.query("select approval from execution_plans where id = $1", [token])
    ).rows[0].approval;
    return body.data.find(({ actionId }: any) => actionId === approval.actionId) ?? null;
  });
const answer = (hook: any, as: Person | TestRole, status = "OK", reason = "") =>
  server.builder({
    method: "POST",
    path: `/hooks/${hook.hookId}/answer`,
    as: as as TestRole,
    body: { status, reason },
  });

describe("a unit", () => {
  it("is not touched by those who do not own it, who are told who may", async () => {
    const unit = freshUnit();
    const refused = await start(unit, "mallory");
    expect([refused.status, refused.body.code]).toEqual([403, "COORD_NOT_OWNER"]);
    expect(refused.body.userMessage).toContain('The rule "others\' units" refuses start');
    expect(refused.body.moreInfo.solutions.join()).toContain(refOf("ada"));
    const started = await start(unit, "ada");
    expect(started.status, started.text).toBe(202);
    expect(await ended(server, started.body)).toBe("COMPLETED");
    const stolen = await start(
      { ...unit, ownerGroup: refOf("mallory"), devGroup: refOf("mallory") },
      "mallory",
    );
    expect(stolen.status).toBe(403);
    expect((await start(unit, "mallory", { body: undeploy(unit) })).status).toBe(403);
    const gone = await start(unit, "grace", { body: undeploy(unit) });
    expect(await ended(server, gone.body)).toBe("COMPLETED");
    // Its data are still there, so it is still theirs.
    const mine = { ...unit, ownerGroup: refOf("mallory"), devGroup: refOf("mallory") };
    expect((await start(mine, "mallory")).status).toBe(403);
    const removal = { ...undeploy(mine, true) };
    expect((await start(mine, "mallory", { body: removal })).status).toBe(403);
  });

  it("is resumed by its owners only", async () => {
    const unit = freshUnit();
    server.mock.setBehaviours({ default: { operations: { provision: { outcome: "FAILED" } } } });
    const { body: token } = await start(unit, "ada");
    expect(await ended(server, token)).toBe("FAILED");
    server.mock.setBehaviours({});
    const resume = (as: Person) =>
      server.coordinator({ method: "POST", path: `/v1/execution-plans/${token}/resume`, as: as as TestRole });
    expect((await resume("mallory")).status).toBe(403);
    const resumed = await resume("grace");
    expect(resumed.status, resumed.text).toBe(202);
    expect(await ended(server, resumed.body)).toBe("COMPLETED");
  });

  it("of nobody is everybody's in development mode", async () => {
    expect((await start(freshUnit({}), "mallory")).status).toBe(202);
  });

  it("of others is touched by operators and services", async () => {
    for (const role of ["operator", "service", "admin"] as const)
      expect((await start(freshUnit(), role, { environment: "production" })).status).toBe(202);
  });
});

describe("owners that change between the check and the lock", () => {
  it("are not those by whom a start is let in", async () => {
    const unit = freshUnit();
    expect(await ended(server, (await start(unit, "ada")).body)).toBe("COMPLETED");
    const client = await server.db.database.pool.connect();
    try {
      await client.query("begin");
      await client.query(
        `update units set descriptor = jsonb_set(jsonb_set(descriptor::jsonb, '{ownerGroup}', $2), '{devGroup}', $2)
           where unit_id = $1`,
        [unit.id, JSON.stringify(refOf("mallory"))],
      );
      const waiting = start(unit, "ada");
      await eventually("the start waits for the lock", async () => {
        const { rows } = await server.db.database.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%into units%'`,
        );
        return rows.length > 0;
      });
      await client.query("commit");
      const refused = await waiting;
      expect([refused.status, refused.body.code]).toEqual([409, "COORD_OWNERS_CHANGED"]);
    } finally {
      client.release();
    }
    expect((await start(unit, "ada")).status).toBe(403);
  });
});

describe("a plan that needs an approval", () => {
  it("waits for the end of a freeze too, whichever begins first", async () => {
    let version = 0;
    const setWindows = async (windows: object[]): Promise<void> => {
      const path = "/v1/maintenance-windows/production";
      const body = { version: version++, windows };
      const { status, text } = await server.coordinator({ method: "PUT", path, body });
      expect(status, text).toBe(200);
    };
    const from = new Date(Date.now() - 60_000).toISOString();
    const freeze = { name: "Year end", kind: "freeze", from, until: "2999-01-01T00:00:00Z" };
    const isHeld = async (token: string): Promise<boolean> =>
      (await planOf(token)).waiting?.reason.includes("Year end") ?? false;
    const { body: before } = await start(freshUnit(), "ada", { environment: "production" });
    await setWindows([freeze]);
    expect(await isHeld(before)).toBe(false);
    expect((await answer(await hookOf(before), "grace")).status).toBe(200);
    expect(await isHeld(before)).toBe(true);
    expect(callsAbout(before)).toEqual([]);
    await setWindows([]);
    expect(await ended(server, before)).toBe("COMPLETED");
  });

  it("waits, calls no adapter, and begins once another owner has approved it", async () => {
    const unit = freshUnit();
    const { body: token, status, text } = await start(unit, "ada", { environment: "production" });
    expect(status, text).toBe(202);
    const hook = await hookOf(token);
    const waiting = await planOf(token);
    expect(waiting.status).toBe("WAITING");
    expect(waiting.waiting.reason).toMatch(
      /^Waits for the approval of service:default\/ada, service:default\/grace or an operator, by the rule "deployments in production"/,
    );
    expect(hook).toMatchObject({ actionName: "deployment", requester: refOf("ada") });
    expect(callsAbout(token)).toEqual([]);
    const shown = await server.builder({ path: `/hooks/${hook.hookId}`, as: "grace" as TestRole });
    expect(shown.body.deployment).toMatchObject({
      deploymentUnitId: unit.id,
      environment: "production",
      planId: token,
      planHash: expect.stringMatching(/./),
      rule: "deployments in production",
      changes: unit.components.map(({ id }: any) => ({
        componentId: id,
        action: "DEPLOY",
        reason: "REQUESTED",
      })),
      policyResults: [],
      approvers: [refOf("ada"), refOf("grace")],
      diff: { identical: false, components: { length: 1 + unit.components.length } },
    });
    const own = await answer(hook, "ada");
    expect([own.status, own.body.error.code]).toEqual([403, "BUILDER_HOOK_NOT_YOURS"]);
    expect((await answer(hook, "mallory")).status).toBe(404);
    expect((await answer(hook, "grace")).status).toBe(200);
    expect(await ended(server, token)).toBe("COMPLETED");
    expect((await answer(hook, "admin")).status).toBe(409);
    const decided = await server.builder({ path: `/hooks/${hook.hookId}`, as: "grace" as TestRole });
    expect([decided.body.deployment.planId, decided.body.deployment.diff]).toEqual([token, undefined]);
    const older = await fetch(`${server.url}/api/governance/approvals/${unit.id}`, {
      headers: { authorization: `Bearer ${server.token("viewer")}` },
    });
    expect(await older.json()).toMatchObject({
      approvals: [{ approver: refOf("grace"), status: "approved" }],
    });
  });

  it("shows who decides what the policies say of it", async () => {
    const policy = {
      id: "described",
      name: "Described",
      advice: "Say what it is for.",
      resourceType: "dataproduct",
      engine: "cel",
      spec: { assert: '[{"path": "description", "message": "Nobody knows what it is for."}]' },
    };
    const made = await server.governance({ method: "POST", path: "/policies", body: policy });
    expect(made.status, made.text).toBe(201);
    const body = { status: "grace", graceUntil: "2999-01-01T00:00:00Z", reason: "Agreed." };
    await server.governance({ method: "POST", path: "/policies/described/status", body });
    const unit = freshUnit();
    const { body: token } = await start(unit, "ada", { environment: "production" });
    const hook = await hookOf(token);
    const { body: shown } = await server.builder({ path: `/hooks/${hook.hookId}`, as: "grace" as TestRole });
    expect(shown.deployment.policyResults).toEqual([
      {
        componentId: unit.id,
        status: "COMPLETED",
        problems: [expect.stringContaining("Nobody knows what it is for.")],
        solutions: ["Say what it is for."],
      },
    ]);
    await answer(hook, "grace");
    expect(await ended(server, token)).toBe("COMPLETED");
    const disabled = { status: "disabled", reason: "The test is over." };
    await server.governance({ method: "POST", path: "/policies/described/status", body: disabled });
  });

  it("of two deciders at once takes one", async () => {
    const { body: token } = await start(freshUnit(), "ada", { environment: "production" });
    const hook = await hookOf(token);
    const answers = await Promise.all([
      answer(hook, "grace"),
      answer(hook, "operator", "KO"),
      answer(hook, "admin"),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await ended(server, token)).toBe(winner === 1 ? "TERMINATED" : "COMPLETED");
  });

  it("ends without having begun when it is refused, with the reason in its log", async () => {
    const unit = freshUnit();
    const { body: token } = await start(unit, "ada", { environment: "production" });
    await answer(await hookOf(token), "grace", "KO", "Not before the audit.");
    expect(await ended(server, token)).toBe("TERMINATED");
    expect(callsAbout(token)).toEqual([]);
    const { text } = await server.coordinator({ path: `/v1/logs/${token}` });
    expect(text).toContain("Not before the audit.");
    // Its resumption needs an approval of its own.
    const resumed = await server.coordinator({
      method: "POST",
      path: `/v1/execution-plans/${token}/resume`,
      as: "ada" as TestRole,
    });
    expect(resumed.status, resumed.text).toBe(202);
    await answer(await hookOf(resumed.body), "grace");
    expect(await ended(server, resumed.body)).toBe("COMPLETED");
  });

  it("can be terminated while it waits, and then not approved", async () => {
    const { body: token } = await start(freshUnit(), "ada", { environment: "production" });
    const hook = await hookOf(token);
    await server.coordinator({ method: "POST", path: `/v1/execution-plans/${token}/terminate` });
    expect(await ended(server, token)).toBe("TERMINATED");
    // Nobody is asked any more.
    expect((await server.builder({ path: `/hooks/${hook.hookId}` })).body.status).toBe("KO");
    expect((await answer(hook, "grace")).status).toBe(409);
    expect((await planOf(token)).status).toBe("TERMINATED");
    expect(approvalIn(await planOf(token))).toMatchObject({
      status: "FAILED",
      result: { message: expect.stringContaining("The plan was terminated by") },
    });
  });

  it("ends when nobody decides in time, visibly and without a call", async () => {
    const { body: token } = await start(freshUnit(), "ada", { environment: "production" });
    const hook = await hookOf(token);
    await server.db.database.pool.query("update hooks set expires_at = now() where id = $1", [hook.hookId]);
    expect(await ended(server, token)).toBe("TERMINATED");
    expect(callsAbout(token)).toEqual([]);
    expect(approvalIn(await planOf(token))).toMatchObject({
      status: "FAILED",
      result: { message: expect.stringContaining("Nobody decided in time") },
    });
    expect((await answer(hook, "grace")).status).toBe(409);
  });

  it("has the approval as its first stage, with who decides, until when, and what is approved", async () => {
    const { body: token } = await start(freshUnit(), "ada", { environment: "production" });
    const hook = await hookOf(token);
    const pending = approvalIn(await planOf(token));
    expect(pending).toMatchObject({
      id: `${token}:approval`,
      displayName: 'Approval by the rule "deployments in production"',
      status: "RUNNING",
      stopTime: null,
      waiting: { reason: expect.stringContaining("Waits for the approval of") },
      result: {
        message: expect.stringMatching(/^Waits for service:default\/ada, service:default\/grace until 2/),
        info: { actionId: hook.actionId, planHash: expect.stringMatching(/./) },
      },
      dependsOnTasks: [],
    });
    await answer(hook, "grace");
    expect(await ended(server, token)).toBe("COMPLETED");
    expect(approvalIn(await planOf(token))).toMatchObject({
      status: "COMPLETED",
      stopTime: expect.stringMatching(/Z$/),
      result: { message: "Approved by service:default/grace" },
    });
  });

  it("is held against policies that were enabled while it waited", async () => {
    const { body: token } = await start(freshUnit(), "ada", { environment: "production" });
    const hook = await hookOf(token);
    const policy = {
      id: "late",
      name: "Late",
      engine: "cel",
      spec: { assert: "false", message: "Too late." },
    };
    await server.governance({ method: "POST", path: "/policies", body: policy });
    const status = (to: string) =>
      server.governance({
        method: "POST",
        path: "/policies/late/status",
        body: { status: to, reason: "The test." },
      });
    expect((await status("enabled")).status).toBe(200);
    try {
      await answer(hook, "grace");
      expect(await ended(server, token)).toBe("FAILED");
      expect(callsAbout(token)).toEqual([]);
    } finally {
      await status("disabled");
    }
  });

  it("is foretold by its preview", async () => {
    const preview = async (unit: any, as: Person, environment: string): Promise<any> => {
      const body = provisioning({ ...unit, environment });
      const answered = await server.coordinator({
        method: "POST",
        path: previewPath(unit.id, environment),
        as: as as TestRole,
        body,
      });
      expect(answered.status, answered.text).toBe(200);
      return answered.body.permission;
    };
    const unit = freshUnit();
    const both = [refOf("ada"), refOf("grace")];
    expect(await preview(unit, "ada", "development")).toBeUndefined();
    expect(await preview(unit, "ada", "production")).toEqual({
      verdict: "approval",
      rule: "deployments in production",
      owners: both,
      whoMay: both,
    });
    expect(await preview(unit, "mallory", "development")).toEqual({
      verdict: "deny",
      rule: "others' units",
      owners: both,
      whoMay: [...both, "operators"],
    });
  });

  it("is asked for before data is removed, in every environment", async () => {
    const unit = freshUnit();
    expect(await ended(server, (await start(unit, "ada")).body)).toBe("COMPLETED");
    const { body: token } = await start(unit, "ada", { body: undeploy(unit, true) });
    await answer(await hookOf(token), "grace");
    expect(await ended(server, token)).toBe("COMPLETED");
  });

  it("is not queued behind another", async () => {
    const unit = freshUnit();
    await start(unit, "ada", { environment: "production" });
    const second = await start(unit, "grace", { environment: "production", query: "&queue=true" });
    expect([second.status, second.body.code]).toEqual([409, "COORD_OPERATION_ACTIVE"]);
  });
});

describe("rules that are stored", () => {
  const read = (as: Person | TestRole = "ada") =>
    server.governance({ path: "/ownership-rules", as: as as TestRole });
  const put = (version: number, rules: unknown, as: Person | TestRole = "operator") =>
    server.governance({
      method: "PUT",
      path: "/ownership-rules",
      as: as as TestRole,
      body: { version, rules },
    });
  const whoMay = (id: string, as: Person, query: string) =>
    server.governance({ path: `/units/${encodeURIComponent(id)}/who-may?${query}`, as: as as TestRole });

  it("are refused with every problem, to all but operators, and where they are stale", async () => {
    expect((await read()).body).toMatchObject({ version: 0, rules: [], configured: [] });
    expect((await read()).body.defaults.map(({ name }: any) => name)).toEqual([
      "removal of data",
      "deployments in production",
      "own units",
      "others' units",
    ]);
    const refused = await put(0, [
      { name: "one", effect: "deny", groups: ["group:default/board"] },
      { name: "one", effect: "approval", environments: ["development", "moon"] },
    ]);
    expect([refused.status, refused.body.code]).toEqual([400, "CGP_INVALID_OWNERSHIP_RULES"]);
    expect(refused.body.moreInfo.problems).toEqual([
      expect.stringMatching(/^\/rules\/0\/groups/),
      expect.stringMatching(/^\/rules\/1\/name/),
      expect.stringMatching(/^\/rules\/1\/environments\/1/),
    ]);
    expect((await put(0, [], "ada")).status).toBe(403);
    const stale = await put(3, []);
    expect([stale.status, stale.body.code]).toEqual([409, "CGP_VERSION_STALE"]);
    expect((await read()).body.version).toBe(0);
  });

  it("say who may touch a unit whose first plan has not changed anything yet", async () => {
    const unit = freshUnit();
    await start(unit, "ada", { environment: "production" });
    const asked = await whoMay(unit.id, "mallory", "environment=production&operation=start");
    expect(asked.body).toMatchObject({ verdict: "deny", owners: [refOf("ada"), refOf("grace")] });
  });

  it("come after those of the configuration and before the default ones, at once", async () => {
    const unit = freshUnit({ ...owners, domain: "frozen" });
    expect(await ended(server, (await start(unit, "ada")).body)).toBe("COMPLETED");
    const frozen = { name: "frozen domain", domains: ["frozen"], owners: "any", effect: "deny" };
    const writers = await Promise.all([put(0, [frozen]), put(0, [frozen])]);
    expect(writers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const refused = await start(unit, "ada");
    expect([refused.status, refused.body.code]).toEqual([403, "COORD_NOT_OWNER"]);
    expect(refused.body.moreInfo.solutions).toEqual(["Ask one of those who may: operators."]);
    const asked = await whoMay(unit.id, "ada", "environment=development&operation=start,undeploy");
    expect(asked.body).toEqual({
      id: unit.id,
      environment: "development",
      operations: ["start", "undeploy"],
      verdict: "deny",
      rule: "frozen domain",
      owners: [refOf("ada"), refOf("grace")],
      whoMay: ["operators"],
    });
    expect((await start(freshUnit(), "ada")).status).toBe(202);

    const board = { name: "board", domains: ["frozen"], effect: "approval", groups: [refOf("mallory")] };
    const changed = await put(1, [board]);
    expect([changed.status, changed.body.version]).toEqual([200, 2]);
    const { body: token } = await start(unit, "ada");
    const hook = await hookOf(token);
    expect((await answer(hook, "grace")).status).toBe(404);
    expect((await answer(hook, "mallory")).status).toBe(200);
    expect(await ended(server, token)).toBe("COMPLETED");
    expect((await whoMay(unit.id, "ada", "environment=development")).body).toMatchObject({
      verdict: "approval",
      rule: "board",
      whoMay: [refOf("mallory")],
    });
    expect((await put(2, [])).status).toBe(200);
    expect((await whoMay(unit.id, "ada", "environment=development")).body).toMatchObject({
      verdict: "allow",
      rule: "own units",
      whoMay: [],
    });
    expect((await whoMay("urn:dmb:dp:sea:nowhere:0", "ada", "environment=development")).status).toBe(404);
  });
});
