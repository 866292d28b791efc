/** A request that several rules ask an approval for, each of other people: it begins when all of them have approved it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ended, provisioning, provisioningPath, ships } from "../coordinator/ships.ts";
import { inTransaction } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import {
  startWholeServer,
  tokenOf,
  type Answer,
  type TestRole,
  type WholeServer,
} from "../support/server.ts";

let server: WholeServer;
let count = 0;
const people = ["ada", "board", "keeper"] as const;
type Person = (typeof people)[number];
const refOf = (person: Person): string => `service:default/${person}`;

beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      const { tokens } = config.auth.providers.service!["default"] as any;
      for (const name of people)
        tokens.push({ name, secret: tokenOf(name as TestRole), roles: ["developer"] });
    },
  });
  await server.registerMock();
  const approval = { effect: "approval", owners: "any" };
  const stored = await server.governance({
    method: "PUT",
    path: "/ownership-rules",
    as: "operator",
    body: {
      version: 0,
      rules: [
        { ...approval, name: "undeployments", operations: ["undeploy"], groups: [refOf("board")] },
        { ...approval, name: "data", operations: ["removeData"], groups: [refOf("keeper")] },
      ],
    },
  });
  expect(stored.status, stored.text).toBe(200);
});
afterAll(() => server.close());

const post = (unit: any, as: Person, more: object): Promise<Answer> =>
  server.coordinator({
    method: "POST",
    path: provisioningPath(unit.id, "development"),
    as: as as TestRole,
    body: provisioning(unit, more),
  });
const removal = (unit: any): object => ({
  targetStatus: unit.components.map(({ id }: any) => ({ componentId: id, targetStatus: "NOT_DEPLOYED" })),
  removeData: true,
});

/** The token of a removal that waits. */
async function startRemoval(): Promise<{ unit: any; token: string }> {
  const unit = { ...ships(`urn:dmb:dp:sea:several${++count}:0`), ownerGroup: refOf("ada") };
  expect(await ended(server, (await post(unit, "ada", {})).body)).toBe("COMPLETED");
  const started = await post(unit, "ada", removal(unit));
  expect(started.status, started.text).toBe(202);
  return { unit, token: started.body };
}

/** The hook that waits for the person, with what they are shown. */
const hookFor = (person: Person, token: string): Promise<any> =>
  eventually(`the hook for ${person}`, async () => {
    const { rows } = await server.db.database.pool.query(
      "select approval from execution_plans where id = $1",
      [token],
    );
    const { approvers, actionId } = rows[0].approval;
    if (!approvers.includes(refOf(person))) return null;
    const hook = (await hooks()).find((each) => each.actionId === actionId);
    return hook ? (await server.builder({ path: `/hooks/${hook.hookId}` })).body : null;
  });
const hooks = async (): Promise<any[]> =>
  (await server.builder({ path: "/hooks?status=pending&limit=100" })).body.data;
const answer = (hook: any, as: Person, status = "OK"): Promise<Answer> =>
  server.builder({
    method: "POST",
    path: `/hooks/${hook.hookId}/answer`,
    as: as as TestRole,
    body: { status, reason: "So be it." },
  });
const planOf = async (token: string): Promise<any> =>
  (await server.coordinator({ path: `/v1/execution-plans/${token}/status` })).body.dag;
it("begins when the people of each rule have approved it, one rule after the other", async () => {
  const { unit, token } = await startRemoval();
  const first = await hookFor("board", token);
  expect(first.deployment).toMatchObject({ rule: "undeployments", approvers: [refOf("board")] });
  expect((await answer(first, "keeper")).status).toBe(404);
  expect((await answer(first, "board")).status).toBe(200);
  expect((await planOf(token)).status).toBe("WAITING");
  const second = await hookFor("keeper", token);
  expect(second).toMatchObject({ actionName: "deployment", requester: refOf("ada") });
  expect(second.deployment).toMatchObject({
    rule: "data",
    approvers: [refOf("keeper")],
    deploymentUnitId: unit.id,
    removeData: true,
    planHash: first.deployment.planHash,
    changes: first.deployment.changes,
  });
  expect((await answer(second, "ada")).status).toBe(403);
  expect((await answer(second, "board")).status).toBe(404);
  expect((await answer(second, "keeper")).status).toBe(200);
  expect(await ended(server, token)).toBe("COMPLETED");
  const { body } = await server.governance({ path: `/units/${unit.id}/compliance?environment=development` });
  expect(body.unitId).toBe(unit.id);
  const older = await fetch(`${server.url}/api/governance/approvals/${unit.id}`, {
    headers: { authorization: `Bearer ${server.token("viewer")}` },
  });
  expect(await older.json()).toMatchObject({
    approvals: [
      { approver: refOf("keeper"), status: "approved" },
      { approver: refOf("board"), status: "approved" },
    ],
  });
});

it("ends without having begun when the second one refuses", async () => {
  const { token } = await startRemoval();
  await answer(await hookFor("board", token), "board");
  await answer(await hookFor("keeper", token), "keeper", "KO");
  expect(await ended(server, token)).toBe("TERMINATED");
  expect((await planOf(token)).result.message).toBe(
    "The plan was not approved: The hook owner was answered KO by service:default/keeper: So be it.",
  );
});

it("asks nobody further when the first one refuses, or when it is terminated meanwhile", async () => {
  const refused = await startRemoval();
  await answer(await hookFor("board", refused.token), "board", "KO");
  expect(await ended(server, refused.token)).toBe("TERMINATED");
  expect(await hooks()).toEqual([]);
  const ending = await startRemoval();
  await answer(await hookFor("board", ending.token), "board");
  await hookFor("keeper", ending.token);
  const terminated = await server.coordinator({
    method: "POST",
    path: `/v1/execution-plans/${ending.token}/terminate`,
    body: {},
  });
  expect(terminated.status, terminated.text).toBeLessThan(300);
  expect(await ended(server, ending.token)).toBe("TERMINATED");
  expect(await hooks()).toEqual([]);
});

it("asks nobody further when it is terminated while the first one is being approved", async () => {
  const { token } = await startRemoval();
  const first = await hookFor("board", token);
  const both = await inTransaction(server.db.database, async (tx) => {
    await sql`select 1 from hook_actions where id = ${first.actionId} for update`.execute(tx);
    const answering = answer(first, "board");
    await waitForLock(1);
    const terminating = server.coordinator({
      method: "POST",
      path: `/v1/execution-plans/${token}/terminate`,
      body: {},
    });
    await waitForLock(2);
    return { answering, terminating };
  });
  expect((await both.answering).status).toBe(200);
  expect((await both.terminating).status).toBeLessThan(300);
  expect(await ended(server, token)).toBe("TERMINATED");
  expect(await hooks()).toEqual([]);
});

/** Until so many connections wait for the action. */
const waitForLock = (waiters: number): Promise<unknown> =>
  eventually(`${waiters} connections that wait for a lock`, async () => {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like '%hook_actions%'`.execute(server.db.database.db);
    return rows.length === waiters;
  });

it("is foretold: the rules, and whose approvals it needs", async () => {
  const { unit } = await startRemoval();
  const asked = await server.governance({
    path: `/units/${encodeURIComponent(unit.id)}/who-may?environment=development&operation=undeploy,removeData`,
    as: "ada" as TestRole,
  });
  expect(asked.body).toMatchObject({
    verdict: "approval",
    rule: "undeployments; data",
    whoMay: [refOf("board"), refOf("keeper")],
  });
});
