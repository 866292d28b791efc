/** Queued starts that can't be begun now, and those behind them. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createQueuedStarts } from "../../src/coordinator/starts/acceptance/start-queued.ts";
import { coordinatorChecks } from "../../src/coordinator/watching/checks.ts";
import { coordinatorSettings } from "../../src/coordinator/settings.ts";
import { policiesUnavailable } from "../../src/coordinator/starts/policies/applied.ts";
import type { Policies } from "../../src/coordinator/ports.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { previewPath, provisioning, provisioningPath, ships } from "./ships.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  await server.registerMock();
});
afterAll(() => server.close());

/** Starts that one round looks at. */
const atOnce = 20;

/** A start that is queued, on a unit that is free by now. */
async function queued(name: string, isPinned: boolean): Promise<string> {
  const unit = ships(`urn:dmb:dp:sea:${name}:0`);
  const post = async (path: string, body: object): Promise<any> =>
    (await server.coordinator({ method: "POST", path, body })).body;
  const { planHash } = await post(previewPath(unit.id), provisioning(unit));
  const first = await post(provisioningPath(unit.id), provisioning(unit));
  const pin = isPinned ? { planHash } : {};
  const token = await post(`${provisioningPath(unit.id)}&queue=true`, provisioning(unit, pin));
  await sql`with ended as (update operations set status = 'FAILED', stop_time = now() where plan_id = ${first})
    update execution_plans set status = 'FAILED', stopped_at = now() where id = ${first}`.execute(
    server.db.database.db,
  );
  return token;
}

const away: Policies = { fingerprint: vi.fn(), evaluate: () => Promise.reject(policiesUnavailable()) };
const rounds = (policies: Policies) =>
  createQueuedStarts({
    database: server.db.database,
    settings: coordinatorSettings(server.config),
    readComponentTypes: async () => ({}),
    policies,
    log: silentLogger,
    now: () => new Date(),
  });
const statusOf = async (token: string): Promise<any> =>
  (await server.coordinator({ path: `/v1/execution-plans/${token}/status` })).body.dag;
const listedOf = async (token: string): Promise<any> =>
  (
    await server.coordinator({
      path: `/v2/provisioning-operations?execution-plan-id=${token}&include-progress=true`,
    })
  ).body.data[0];

it("say that their turn has come, why they can't begin, and end when that takes too long", async () => {
  const token = await queued("waits", true);
  const next = "At its turn it is planned on the state that the unit then has.";
  const hasCome = "Its turn on the unit has come; it is about to be planned.";
  const about = { reason: hasCome, position: 1, next };
  expect((await statusOf(token)).waiting).toEqual({ ...about, since: expect.any(String) });
  expect((await listedOf(token)).waitsFor).toMatchObject({ kind: "QUEUE", reason: hasCome, next });
  const fingerprint = vi.fn(() => Promise.reject(policiesUnavailable()));
  const round = rounds({ ...away, fingerprint });
  expect(await round()).toEqual([]);
  const failing = "Its turn on the unit has come, but it could not begin yet: ";
  const reason = `${failing}The policies that apply can't be read at the moment.`;
  const { waiting } = await statusOf(token);
  expect(waiting).toMatchObject({ reason, position: 1 });
  expect(waiting.waitsForPlan).toBeUndefined();
  expect((await listedOf(token)).waitsFor).toMatchObject({ kind: "QUEUE", reason, since: waiting.since });
  // Since when it is so stays.
  await round();
  expect((await statusOf(token)).waiting.since).toBe(waiting.since);
  const { db } = server.db.database;
  const since = (text: string): Promise<unknown> =>
    sql`update queued_starts set last_error = last_error || jsonb_build_object('since', ${text}::text)
      where plan_id = ${token}`.execute(db);
  await since(new Date(Date.now() - 3_600_000).toISOString());
  const check = coordinatorChecks(db, []).find(({ name }) => name === "waiting plans");
  expect(await check?.look(new AbortController().signal)).toMatchObject({
    outcome: "problem",
    found: `Can't go on because of errors: ${token} for the next attempt after an error (60 minutes).`,
  });
  await since("2020-01-01T00:00:00.000Z");
  await round();
  expect((await statusOf(token)).status).toBe("FAILED");
  expect((await statusOf(token)).result.message).toBe(
    "At its turn the plan could not start. The policies that apply can't be read at the moment.",
  );
});

it("as many as one round tries keep none of the others back", async () => {
  for (let n = 0; n < atOnce; n++) await queued(`blocked-${String(n).padStart(2, "0")}`, true);
  const free = await queued("free", false);
  const fingerprint = vi.fn(() => Promise.reject(policiesUnavailable()));
  const round = rounds({ ...away, fingerprint });
  const begun = [...(await round()), ...(await round())];
  expect(begun).toEqual([free]);
  const { rows } = await sql`select 1 from queued_starts`.execute(server.db.database.db);
  expect(rows).toHaveLength(atOnce);
  // Governance is asked once in a round: each start would wait as long for it.
  expect(fingerprint).toHaveBeenCalledTimes(2);
  // A round that is to end begins no further one.
  expect(await round(AbortSignal.abort())).toEqual([]);
  expect(fingerprint).toHaveBeenCalledTimes(2);
});
