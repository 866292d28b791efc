/** Plans of a unit are in the order of their acceptance, whatever the clocks of the processes said. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findLaterChange, readOrigin } from "../../src/coordinator/starts/resume-store.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { migrate } from "../../src/platform/db/migrations/migrate.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { emptyTestDatabase, type TestDatabase } from "../support/database.ts";
import { startWholeServer, type Answer, type WholeServer } from "../support/server.ts";
import { ended, hullId, sailId, ships, start } from "./ships.ts";

describe("of a running server", () => {
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

  const freshUnit = () => ships(`urn:dmb:dp:sea:ordered${++count}:0`);
  type Unit = ReturnType<typeof freshUnit>;
  const post = (path: string, body?: object): Promise<Answer> =>
    server.coordinator({ method: "POST", path, ...(body ? { body } : {}) });
  const resume = (token: string): Promise<Answer> => post(`/v1/execution-plans/${token}/resume`);
  const settle = (token: string, task: string, outcome: string): Promise<Answer> =>
    post(`/v1/unknown-outcomes/${token}/${encodeURIComponent(task)}/settle`, {
      outcome,
      reason: "I looked.",
    });

  /** As if the process that accepted the plan had been behind by an hour. */
  const putBack = (token: string) =>
    sql`update execution_plans set created_at = created_at - interval '1 hour' where id = ${token}`.execute(
      server.db.database.db,
    );
  /** As if the plan that has replaced it had not settled it. */
  const openAgain = (token: string) =>
    sql`update unknown_outcomes set settled_at = null, settled_by = null, outcome = null, reason = null
      where plan_id = ${token}`.execute(server.db.database.db);

  const failing = (id: string): void =>
    server.mock.setBehaviours({ components: { [id]: { operations: { provision: { outcome: "FAILED" } } } } });
  const losing = (id: string, operation: string): void =>
    server.mock.setBehaviours({
      components: {
        [id]: { operations: { [operation]: { odd: { start: { name: "reset-after", times: 99 } } } } },
      },
    });
  async function run(unit: Unit, status = "COMPLETED"): Promise<string> {
    const token = await start(server, unit);
    expect(await ended(server, token)).toBe(status);
    server.mock.setBehaviours({});
    return token;
  }

  it("a resumed plan does not undo a later one", async () => {
    const unit = freshUnit();
    failing(hullId);
    const origin = await run(unit, "FAILED");
    const later = await run({ ...unit, version: "2.0.0" });
    await putBack(later);
    const { status, body } = await resume(origin);
    expect([status, body.code]).toEqual([409, "COORD_UNIT_CHANGED"]);
    expect(body.userMessage).toContain(later);
  });

  it("an earlier plan keeps no later one from being resumed", async () => {
    const unit = freshUnit();
    await run(unit);
    failing(hullId);
    const later = await run({ ...unit, version: "2.0.0" }, "FAILED");
    await putBack(later);
    const { status, body, text } = await resume(later);
    expect(status, text).toBe(202);
    expect(await ended(server, body)).toBe("COMPLETED");
  });

  it("a call of an earlier plan settles nothing that a later one has changed", async () => {
    const unit = freshUnit();
    losing(hullId, "provision");
    const earlier = await run(unit, "FAILED");
    await putBack(await run(unit));
    await openAgain(earlier);
    const { status, body } = await settle(earlier, `provision:${hullId}`, "NOT_DEPLOYED");
    expect([status, body.code]).toEqual([409, "COORD_OUTCOME_SUPERSEDED"]);
  });

  it("and gives nobody access that a later one has replaced", async () => {
    const unit = freshUnit();
    await run(unit);
    losing(sailId, "updateacl");
    const { body: access } = await post("/v1/updateacl", {
      dataProductUrn: unit.id,
      outputPortId: 1,
      outputPortUrn: sailId,
      requestId: "ordered",
      identities: ["user:ada"],
      environment: "development",
    });
    expect(await ended(server, access)).toBe("FAILED");
    server.mock.setBehaviours({});
    await putBack(await run(unit));
    await openAgain(access);
    expect((await settle(access, `access:${sailId}`, "APPLIED")).status).toBe(200);
    const path = `/v1/deployment-units/${unit.id}/access?environment=development`;
    expect((await server.coordinator({ path })).body.data).toEqual([]);
  });
});

describe("of plans from before the numbers", () => {
  let db: TestDatabase;
  let database: Database;
  const unit = { unitKey: "unit", environment: "development" };

  beforeAll(async () => {
    db = await emptyTestDatabase();
    ({ database } = db);
    await migrate(database, { last: "0089_reopened_sessions.sql" });
  });
  afterAll(() => db.drop());

  /** As a program does that does not know the numbers. */
  const insert = (id: string, createdAt: string) =>
    sql`insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator, request,
        traceparent, deadline_at, created_at)
      values (${id}, 'PROVISIONING', 'unit', 'unit', 'development', 'PROVISION', 'COMPLETED', 'user:default/ada',
        '{"descriptor":{}}', '', now(), ${createdAt}::timestamptz)`.execute(database.db);
  const laterThan = async (id: string): Promise<string | null> =>
    findLaterChange(database.db, unit, (await readOrigin(database.db, id))!);

  it("the times of their acceptance decide, and they are earlier than all that are accepted then", async () => {
    await insert("second", "2026-11-02");
    await insert("first", "2026-11-01");
    await migrate(database);
    expect([await laterThan("first"), await laterThan("second")]).toEqual(["second", null]);
    await insert("third", "2026-10-01");
    await insert("fourth", "2026-09-01");
    const found = [];
    for (const id of ["first", "second", "third", "fourth"]) found.push(await laterThan(id));
    expect(found).toEqual(["fourth", "fourth", "fourth", null]);
  });
});
