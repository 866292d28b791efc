/** Changes of access whose outcome is unknown: what the clock repeats, and what a settlement puts on record. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createAdapterClient } from "../../src/coordinator/adapters/protocol/client.ts";
import type { CoordinatorDeps } from "../../src/coordinator/context.ts";
import { coordinatorSettings } from "../../src/coordinator/settings.ts";
import { startRetries } from "../../src/coordinator/watching/outcomes/retries.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createOutbound } from "../../src/platform/outbound/outbound.ts";
import { outboundPolicy } from "../engine/engine.ts";
import {
  mockAdapterId,
  registerAdapter,
  startWholeServer,
  type Answer,
  type WholeServer,
} from "../support/server.ts";
import { eventually } from "../support/eventually.ts";
import { ended, hullId, provisioning, provisioningPath, sailId, ships, start, wanted } from "./ships.ts";

let server: WholeServer;
let count = 0;
const hourMs = 3_600_000;

beforeAll(async () => {
  server = await startWholeServer({
    configure({ coordinator }) {
      // The clock of the tests says when.
      coordinator.unknownOutcomes.retryDelaysMs = [hourMs];
    },
  });
  const properties = { safeToRepeat: true };
  await registerAdapter(server, { id: mockAdapterId, url: server.mock.url, properties });
});
afterAll(() => server.close());
afterEach(() => server.mock.setBehaviours({}));

const flagId = `${sailId}:flag`;
const always = Number.MAX_SAFE_INTEGER;
const freshUnit = (parts: object[] = []) => {
  const unit = ships(`urn:dmb:dp:sea:lost-access${++count}:0`);
  unit.components[2]!["components"] = parts;
  return unit;
};
type Unit = ReturnType<typeof freshUnit>;

const losing = (id: string, operation: "updateacl" | "provision" | "unprovision") =>
  server.mock.setBehaviours({
    components: {
      [id]: { operations: { [operation]: { odd: { start: { name: "reset-after", times: always } } } } },
    },
  });

async function deployed(parts: object[] = []): Promise<Unit> {
  const unit = freshUnit(parts);
  expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
  return unit;
}

let requests = 0;
const request = (unit: Unit, identities: string[], outputPortUrn = sailId): Promise<Answer> =>
  server.coordinator({
    method: "POST",
    path: "/v1/updateacl",
    body: {
      dataProductUrn: unit.id,
      outputPortId: 1,
      outputPortUrn,
      requestId: `lost-${++requests}`,
      identities,
      environment: "development",
    },
  });
/** Answers the plan. */
async function change(unit: Unit, identities: string[], id = sailId): Promise<string> {
  const { body: plan } = await request(unit, identities, id);
  expect(await ended(server, plan)).toBe("COMPLETED");
  return plan;
}
async function lose(unit: Unit, identities: string[], id = sailId): Promise<string> {
  losing(id, "updateacl");
  const { body: plan } = await request(unit, identities, id);
  expect(await ended(server, plan)).toBe("FAILED");
  server.mock.setBehaviours({});
  return plan;
}

const entries = async (unit: Unit, settled: boolean): Promise<any[]> => {
  const path = `/v1/unknown-outcomes?deployment-unit-id=${unit.id}&settled=${settled}`;
  return (await server.coordinator({ path })).body.data;
};
const settlements = async (unit: Unit): Promise<string[][]> =>
  (await entries(unit, true)).map(({ planId, settlement }) => [planId, settlement.outcome, settlement.by]);
const settle = (plan: string, task: string, outcome: string): Promise<Answer> =>
  server.coordinator({
    method: "POST",
    path: `/v1/unknown-outcomes/${plan}/${encodeURIComponent(task)}/settle`,
    as: "operator",
    body: { outcome, reason: "I have looked." },
  });
const accessTo = async (unit: Unit): Promise<string[]> => {
  const path = `/v1/deployment-units/${unit.id}/access?environment=development`;
  const { body } = await server.coordinator({ path });
  return body.data.map(({ outputPortUrn, identity }: any) => `${outputPortUrn} ${identity}`);
};
const auditOf = async (plan: string): Promise<string[]> => {
  const { rows } = await sql<{
    text: string;
  }>`select operation || ' ' || (detail ->> 'identity') || ' ' || actor
      as text from audit where detail ->> 'planId' = ${plan} and operation in ('grantAccess', 'revokeAccess')
    order by 1`.execute(server.db.database.db);
  return rows.map(({ text }) => text);
};
const changes = () => server.mock.journal().filter(({ operation }) => operation === "updateacl").length;
const callsOf = (plan: string): number =>
  server.mock.journal().filter(({ idempotencyKey }) => idempotencyKey?.startsWith(`${plan}:`)).length;
const statusOf = async (unit: Unit, id: string): Promise<string> => {
  const path = `/v1/deployment-units/${unit.id}/components/${id}/provisioning-status?environment=development`;
  return (await server.coordinator({ path })).body.status;
};

/**
 * One round of a process whose clock is past the delay; it is over once the youngest entry is settled. `beside` happens
 * after it has begun, and `beforeCall` before each call is made.
 */
async function laterRound({ beside, beforeCall }: RoundOptions = {}): Promise<void> {
  losing(hullId, "provision");
  const youngest = freshUnit();
  expect(await ended(server, await start(server, youngest))).toBe("FAILED");
  server.mock.setBehaviours({});
  const now = (): Date => new Date(Date.now() + 2 * hourMs);
  const client = createAdapterClient({ outbound: createOutbound(outboundPolicy, silentLogger), now });
  const startCall: typeof client.start = async (...call) => {
    await beforeCall?.();
    return client.start(...call);
  };
  const coordinator = {
    database: server.db.database,
    adapters: { ...client, start: startCall },
    settings: coordinatorSettings(server.config),
  } as unknown as CoordinatorDeps;
  const retries = startRetries({ coordinator, log: silentLogger, now });
  try {
    await beside?.();
    await eventually("the round is over", async () => (await entries(youngest, true)).length === 1);
  } finally {
    await retries.close();
  }
}

interface RoundOptions {
  beside?: () => Promise<void>;
  beforeCall?: () => Promise<void>;
}

describe("a change of access that was lost", () => {
  it("is not made again once later ones were carried out", async () => {
    const unit = await deployed();
    const first = await lose(unit, ["user:ada"]);
    const second = await change(unit, ["user:bob"]);
    await change(unit, []);
    expect(await settlements(unit)).toEqual([[first, "SUPERSEDED", `plan:${second}`]]);
    const before = changes();
    await laterRound();
    expect(changes()).toBe(before);
    expect(await accessTo(unit)).toEqual([]);
  });

  it("is settled instead where an earlier version has left it open", async () => {
    const unit = await deployed();
    const first = await lose(unit, ["user:ada"]);
    const last = await change(unit, []);
    await sql`update unknown_outcomes set settled_at = null, settled_by = null, outcome = null, reason = null
      where plan_id = ${first}`.execute(server.db.database.db);
    const before = changes();
    await laterRound();
    expect(changes()).toBe(before);
    expect(await settlements(unit)).toEqual([[first, "SUPERSEDED", `plan:${last}`]]);
  });

  it("is not made again before the outcome of a later one is known, and is replaced by that", async () => {
    const unit = await deployed();
    await change(unit, ["user:ada", "user:bob"]);
    const first = await lose(unit, ["user:ada"]);
    const second = await lose(unit, []);
    const before = changes();
    await laterRound();
    expect(changes()).toBe(before + 1);
    expect(await settlements(unit)).toEqual([
      [first, "SUPERSEDED", `plan:${second}`],
      [second, "APPLIED", `adapter:${mockAdapterId}`],
    ]);
    expect(await accessTo(unit)).toEqual([]);
    const { rows } = await sql`select retries from unknown_outcomes where plan_id = ${first}`.execute(
      server.db.database.db,
    );
    expect(rows).toEqual([{ retries: 0 }]);
  });

  it("is made again where nothing has changed since, and put on record", async () => {
    const unit = await deployed();
    const plan = await lose(unit, ["user:ada"]);
    await laterRound();
    expect(await settlements(unit)).toEqual([[plan, "APPLIED", `adapter:${mockAdapterId}`]]);
    expect(await accessTo(unit)).toEqual([`${sailId} user:ada`]);
    expect(await auditOf(plan)).toEqual(["grantAccess user:ada service:default/plinth"]);
  });

  it.each(["a change of access", "a deployment"])("keeps %s back while it is made again", async (next) => {
    const unit = await deployed();
    const lost = await lose(unit, ["user:ada"]);
    const before = callsOf(lost);
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let plan = "";
    await laterRound({
      async beforeCall() {
        reached.resolve();
        await released.promise;
      },
      async beside() {
        await reached.promise;
        plan = next === "a deployment" ? await start(server, unit) : (await request(unit, ["user:bob"])).body;
        const path = `/v1/execution-plans/${plan}`;
        await eventually("the plan says what it waits for", async () => {
          const { body } = await server.coordinator({ path });
          return JSON.stringify(body).includes(`has been made again, of plan ${lost}.`);
        });
        released.resolve();
      },
    });
    expect(await ended(server, plan)).toBe("COMPLETED");
    const keys = server.mock.journal().map(({ idempotencyKey }) => idempotencyKey ?? "");
    const repeated = keys.findLastIndex((key) => key.startsWith(lost));
    expect(keys.findIndex((key) => key.startsWith(plan))).toBeGreaterThan(repeated);
    expect(callsOf(lost)).toBe(before + 1);
    expect(await accessTo(unit)).toContain(
      next === "a deployment" ? `${sailId} user:ada` : `${sailId} user:bob`,
    );
  });

  it("is not made again where another one was accepted meanwhile", async () => {
    const unit = await deployed();
    const lost = await lose(unit, ["user:ada"]);
    const before = callsOf(lost);
    const other = await server.db.database.connect();
    let plan = "";
    try {
      await other.query("begin");
      await other.query("select 1 from unknown_outcomes where plan_id = $1 for update", [lost]);
      await laterRound({
        async beside() {
          await eventually("the retry is about to be counted", async () => {
            const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
            and wait_event_type = 'Lock' and query like '%set retries = retries + 1%'`.execute(
              server.db.database.db,
            );
            return rows.length > 0;
          });
          server.mock.setBehaviours({
            components: { [sailId]: { operations: { updateacl: { mode: "async", runningMs: 60_000 } } } },
          });
          plan = (await request(unit, ["user:bob"])).body;
          await other.query("commit");
        },
      });
    } finally {
      await other.end();
    }
    expect(callsOf(lost)).toBe(before);
    await server.coordinator({ method: "POST", path: `/v1/execution-plans/${plan}/terminate?mode=forced` });
    expect(await ended(server, plan)).toBe("TERMINATED");
  });

  it("waits while another change of access is under way", async () => {
    const unit = await deployed();
    const plan = await lose(unit, ["user:ada"]);
    server.mock.setBehaviours({
      components: { [sailId]: { operations: { updateacl: { mode: "async", runningMs: 60_000 } } } },
    });
    const { body: other } = await request(unit, ["user:bob"]);
    const answer = await settle(plan, `access:${sailId}`, "APPLIED");
    expect([answer.status, answer.body.code]).toEqual([409, "COORD_OPERATION_ACTIVE"]);
    await server.coordinator({ method: "POST", path: `/v1/execution-plans/${other}/terminate?mode=forced` });
    expect(await ended(server, other)).toBe("TERMINATED");
  });
});

describe("a settlement", () => {
  it.each([
    ["APPLIED", ["user:bob"], ["revokeAccess user:ada service:default/operator"]],
    ["NOT_APPLIED", ["user:ada", "user:bob"], []],
  ])("as %s of a lost revocation decides who has access", async (outcome, left, audited) => {
    const unit = await deployed();
    await change(unit, ["user:ada", "user:bob"]);
    const plan = await lose(unit, ["user:bob"]);
    const answer = await settle(plan, `access:${sailId}`, outcome);
    expect(answer.status, answer.text).toBe(200);
    expect(await accessTo(unit)).toEqual(left.map((identity) => `${sailId} ${identity}`));
    expect(await auditOf(plan)).toEqual(audited);
  });

  it("as not deployed ends the access to the component and to what is in its call", async () => {
    const unit = await deployed([{ id: flagId, name: "flag", kind: "outputport" }]);
    await change(unit, ["user:ada"]);
    await change(unit, ["user:bob"], flagId);
    losing(sailId, "unprovision");
    const targetStatus = wanted(unit).map((each) =>
      each.componentId === sailId ? { ...each, targetStatus: "NOT_DEPLOYED" } : each,
    );
    const { body: plan } = await server.coordinator({
      method: "POST",
      path: provisioningPath(unit.id),
      body: provisioning(unit, { targetStatus, preventRedeploy: true }),
    });
    expect(await ended(server, plan)).toBe("FAILED");
    expect(await accessTo(unit)).toHaveLength(2);
    expect((await settle(plan, `unprovision:${sailId}`, "NOT_DEPLOYED")).status).toBe(200);
    expect(await accessTo(unit)).toEqual([]);
    expect(await auditOf(plan)).toEqual([
      "revokeAccess user:ada service:default/operator",
      "revokeAccess user:bob service:default/operator",
    ]);
  });

  it("as deployed brings back nothing that the descriptor had no more", async () => {
    const unit = await deployed([{ id: flagId, name: "flag", kind: "outputport" }]);
    await change(unit, ["user:ada"]);
    await change(unit, ["user:bob"], flagId);
    unit.components[2]!["components"] = [];
    losing(sailId, "provision");
    const plan = await start(server, unit);
    expect(await ended(server, plan)).toBe("FAILED");
    expect((await settle(plan, `provision:${sailId}`, "DEPLOYED")).status).toBe(200);
    expect([await statusOf(unit, sailId), await statusOf(unit, flagId)]).toEqual([
      "DEPLOYED",
      "NOT_DEPLOYED",
    ]);
    expect(await accessTo(unit)).toEqual([`${sailId} user:ada`]);
    expect(await auditOf(plan)).toEqual(["revokeAccess user:bob service:default/operator"]);
  });
});
