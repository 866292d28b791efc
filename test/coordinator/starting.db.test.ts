/** Starts under a key, starts of what was previewed, and data that must be named to go. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import {
  mockAdapterId,
  startWholeServer,
  type Answer,
  type Call,
  type WholeServer,
} from "../support/server.ts";
import { countRows } from "./refusals.ts";
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
  wanted,
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

/** A unit that no other test has. */
const freshUnit = (): Ships => ships(`urn:dmb:dp:sea:fleet-${units++}:0`);

const startOf = (unit: Ships, more: object = {}, headers: Record<string, string> = {}): Call => ({
  method: "POST",
  path: provisioningPath(unit.id),
  body: provisioning(unit, more),
  headers,
});

/** While plans stay at work, however slow this machine is. */
const whileBusy = <T>(work: () => Promise<T>): Promise<T> => whileAdapterIsHeld(server, work);

const stop = async (token: string): Promise<void> => {
  const path = `/v1/execution-plans/${token}/terminate?mode=forced`;
  await server.coordinator({ method: "POST", path });
  await ended(server, token);
};

const plansOf = async (unit: Ships): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from execution_plans
    where unit_id = ${unit.id}`.execute(server.db.database.db);
  return rows[0]?.count ?? 0;
};

describe("Idempotency-Key", () => {
  it("answers the first token and status to a repeat, also when the plan has ended", async () => {
    const unit = freshUnit();
    const call = startOf(unit, {}, { "idempotency-key": "k1" });
    const first = await server.coordinator(call);
    expect([first.status, first.text]).toEqual([202, expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    const again = await server.coordinator(call);
    await ended(server, first.body);
    const later = await server.coordinator(call);
    expect([again.status, again.text, later.status, later.text]).toEqual([202, first.text, 202, first.text]);
    expect(await plansOf(unit)).toBe(1);
  });

  it("takes the same request in other words for the same", async () => {
    const unit = freshUnit();
    const headers = { "idempotency-key": "k2" };
    const first = await server.coordinator(startOf(unit, {}, headers));
    const { id, name, ...rest } = unit;
    const body = { removeData: false, targetStatus: wanted(unit), descriptor: { ...rest, name, id } };
    const path = `${provisioningPath(unit.id.toUpperCase())}&unsafe=false`;
    const again = await server.coordinator({ method: "POST", path, body, headers });
    expect([again.status, again.text]).toEqual([202, first.text]);
  });

  it.each([
    ["another descriptor", (unit: Ships) => startOf({ ...unit, version: "2.0.0" })],
    ["another flag in the body", (unit: Ships) => startOf(unit, { preventRedeploy: true })],
    [
      "another flag in the query",
      (unit: Ships) => ({ ...startOf(unit), path: `${provisioningPath(unit.id)}&unsafe=true` }),
    ],
    ["another unit", () => startOf(freshUnit())],
  ])("is refused for %s", async (...[what, other]) => {
    const unit = freshUnit();
    const headers = { "idempotency-key": what.replaceAll(" ", "-") };
    const first = await server.coordinator(startOf(unit, {}, headers));
    expect(first.status).toBe(202);
    const answer = await server.coordinator({ ...other(unit), headers });
    expect([answer.status, answer.body.code, answer.body.inputErrorField]).toEqual([
      409,
      "COORD_IDEMPOTENCY_KEY_REUSED",
      "idempotency-key",
    ]);
  });

  it("means nothing to another caller", async () => {
    const call = startOf(freshUnit(), {}, { "idempotency-key": "k3" });
    const [first, other] = await whileBusy(async () => [
      await server.coordinator({ ...call, as: "developer" }),
      await server.coordinator({ ...call, as: "operator" }),
    ]);
    expect([first.status, other.status, other.body.code]).toEqual([202, 409, "COORD_OPERATION_ACTIVE"]);
    await stop(first.body);
    const own = startOf(freshUnit(), {}, { "idempotency-key": "k3" });
    expect((await server.coordinator({ ...own, as: "service" })).status).toBe(202);
  });

  it("is free again after a refusal", async () => {
    const unit = freshUnit();
    const headers = { "idempotency-key": "k4" };
    const keys = async (): Promise<number | undefined> => (await countRows(server))["idempotency_keys"];
    const before = await keys();
    const refused = await server.coordinator(startOf(unit, { targetStatus: [] }, headers));
    expect([refused.status, await keys()]).toEqual([400, before]);
    expect((await server.coordinator(startOf(unit, {}, headers))).status).toBe(202);
  });

  it("gives one plan to a hundred requests at once", async () => {
    const call = startOf(freshUnit(), {}, { "idempotency-key": "k5" });
    const answers = await Promise.all(Array.from({ length: 100 }, () => server.coordinator(call)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
  });

  it("lets one of a hundred requests without a key win", async () => {
    const call = startOf(freshUnit());
    const answers = await whileBusy(() =>
      Promise.all(Array.from({ length: 100 }, () => server.coordinator(call))),
    );
    const codes = answers.map(({ status, body }) => (status === 202 ? "started" : body.code));
    expect(codes.filter((code) => code === "started")).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(["started", "COORD_OPERATION_ACTIVE"]));
    await stop(answers.find(({ status }) => status === 202)!.body);
  });

  it("serves reverse provisioning and access requests as well", async () => {
    const unit = freshUnit();
    await ended(server, await start(server, unit));
    const reverse = {
      useCaseTemplateId: "a",
      infrastructureTemplateIds: [mockAdapterId],
      environment: "development",
    };
    const access = {
      dataProductUrn: unit.id,
      outputPortId: 1,
      outputPortUrn: sailId,
      requestId: "key-1",
      identities: ["user:ada"],
      environment: "development",
    };
    for (const [path, body, other] of [
      ["/v1/reverse-provisioning", reverse, { ...reverse, useCaseTemplateId: "b" }],
      ["/v1/updateacl", access, { ...access, requestId: "key-2" }],
    ] as const) {
      const send = (sent: object): Promise<Answer> =>
        server.coordinator({ method: "POST", path, body: sent, headers: { "idempotency-key": "k7" } });
      const [first, same, clash] = [await send(body), await send(body), await send(other)];
      expect([first.status, same.status, same.text]).toEqual([202, 202, first.text]);
      expect([clash.status, clash.body.code]).toEqual([409, "COORD_IDEMPOTENCY_KEY_REUSED"]);
    }
  });

  it("is forgotten in time, and then swept by the next", async () => {
    const unit = freshUnit();
    const headers = { "idempotency-key": "k6" };
    const first = await server.coordinator(startOf(unit, {}, headers));
    await ended(server, first.body);
    const { db } = server.db.database;
    await sql`update idempotency_keys set expires_at = now() - interval '1 s' where key in ('k6', 'k1')`.execute(
      db,
    );
    const second = await server.coordinator(startOf(unit, {}, headers));
    expect([second.status, second.text === first.text]).toEqual([202, false]);
    const { rows } = await sql<{ key: string }>`select key from idempotency_keys
      where key in ('k6', 'k1')`.execute(db);
    expect(rows).toEqual([{ key: "k6" }]);
  });
});

describe("a start of what was previewed", () => {
  const preview = async (unit: Ships, more: object = {}): Promise<Answer> => {
    const answer = await server.coordinator({ ...startOf(unit, more), path: previewPath(unit.id) });
    expect(answer.status).toBe(200);
    return answer;
  };
  const moved = (answer: Answer): string[] => {
    expect([answer.status, answer.body.code]).toEqual([409, "COORD_PLAN_MOVED"]);
    return answer.body.moreInfo.problems;
  };

  it("by header or body begins when nothing has moved", async () => {
    const unit = freshUnit();
    const shown = await preview(unit);
    const first = await server.coordinator(
      startOf(unit, {}, { "if-match": shown.headers.get("etag") ?? "" }),
    );
    expect(first.status).toBe(202);
    await ended(server, first.body);
    const { planHash } = (await preview(unit)).body;
    expect((await preview(unit)).body.planHash).toBe(planHash);
    expect(planHash).not.toBe(shown.body.planHash);
    expect((await server.coordinator(startOf(unit, { planHash }))).status).toBe(202);
  });

  it("begins with the operations of an autofill preview", async () => {
    const unit = freshUnit();
    const path = `${previewPath(unit.id)}&autofill-target-status=true`;
    const body = { descriptor: unit, targetStatus: wanted(unit).slice(2) };
    const shown = await server.coordinator({ method: "POST", path, body });
    const targetStatus = shown.body.operations.map(({ componentId, targetStatus: to, action }: any) => ({
      componentId,
      targetStatus: to,
      action,
    }));
    const { planHash } = shown.body;
    expect((await server.coordinator(startOf(unit, { targetStatus, planHash }))).status).toBe(202);
  });

  it("says which components' state has moved", async () => {
    const unit = freshUnit();
    const { planHash } = (await preview(unit)).body;
    await ended(server, await start(server, unit));
    const answer = await server.coordinator(startOf(unit, { planHash }));
    expect(moved(answer)).toEqual(
      [hullId, mastId, sailId].map((id) => `/planHash: The state of ${id} is another: it is DEPLOYED now.`),
    );
  });

  it("says what in the request has moved", async () => {
    const unit = freshUnit();
    const { planHash } = (await preview(unit)).body;
    const changed: any = structuredClone(unit);
    changed.version = "3.0.0";
    changed.components[1].kind = "view";
    changed.components[2].id = "urn:dmb:cmp:sea:ships:0:flag";
    const answer = await server.coordinator(startOf(changed, { planHash, removeData: true }));
    expect(moved(answer)).toEqual([
      "/planHash: The descriptor outside its components is another.",
      `/planHash: The descriptor of ${mastId} is another.`,
      "/planHash: urn:dmb:cmp:sea:ships:0:flag was not part of the plan.",
      "/planHash: 1 of the components that were previewed are no longer part of the plan.",
    ]);
    const targetStatus = wanted(unit).map((each) => ({ ...each, targetStatus: "NOT_DEPLOYED" }));
    expect(moved(await server.coordinator(startOf(unit, { planHash, targetStatus })))[0]).toBe(
      `/planHash: The action of ${hullId} is NONE now.`,
    );
    expect(moved(await server.coordinator(startOf(unit, { planHash, removeData: true })))).toEqual([
      "/planHash: removeData is another.",
    ]);
  });
});

describe("deletionProtection", () => {
  const gone = (unit: Ships, more: object = {}): object => ({
    targetStatus: wanted(unit, "NOT_DEPLOYED"),
    removeData: true,
    ...more,
  });
  const refusedIds = (answer: Answer): string[] => {
    expect([answer.status, answer.body.code, answer.body.inputErrorField]).toEqual([
      400,
      "COORD_DATA_PROTECTED",
      "/confirmDataRemoval",
    ]);
    return answer.body.errors.map(
      (line: string) => /^\/confirmDataRemoval: (\S+) is protected/.exec(line)?.[1],
    );
  };
  const deployed = async (change: (unit: any) => void): Promise<{ marked: Ships; plain: Ships }> => {
    const plain = freshUnit();
    const marked = structuredClone(plain);
    change(marked);
    expect(await ended(server, await start(server, marked))).toBe("COMPLETED");
    return { marked, plain };
  };

  it("of components asks for their names, also when the mark is dropped in the same request", async () => {
    const { marked, plain } = await deployed((unit) => {
      unit.components[0].deletionProtection = true;
      unit.components[2].components = [{ name: "pennant", deletionProtection: true }];
    });
    for (const unit of [marked, plain]) {
      expect(refusedIds(await server.coordinator(startOf(unit, gone(unit))))).toEqual([hullId, sailId]);
    }
    const without: any = structuredClone(plain);
    without.components = [];
    expect(refusedIds(await server.coordinator(startOf(without, gone(without))))).toEqual([hullId, sailId]);
    const shown = await server.coordinator({ ...startOf(plain, gone(plain)), path: previewPath(plain.id) });
    expect([shown.body.outcome, shown.body.protectedData]).toEqual(["OK", [hullId, sailId]]);
    const half = gone(plain, { confirmDataRemoval: [hullId.toUpperCase(), mastId] });
    expect(refusedIds(await server.coordinator(startOf(plain, half)))).toEqual([sailId]);
    const whole = gone(plain, { confirmDataRemoval: [hullId, sailId] });
    const started = await server.coordinator(startOf(plain, whole));
    expect(started.status).toBe(202);
    expect(await ended(server, started.body)).toBe("COMPLETED");
    const { rows } = await sql<{ detail: any }>`select detail from audit
      where detail ->> 'planId' = ${started.body}`.execute(server.db.database.db);
    expect(rows[0]?.detail.confirmDataRemoval).toEqual([hullId, sailId]);
  });

  it("of the unit covers everything in it", async () => {
    const { plain } = await deployed((unit) => (unit.deletionProtection = true));
    expect(refusedIds(await server.coordinator(startOf(plain, gone(plain))))).toHaveLength(3);
  });

  it("does not matter where no data goes", async () => {
    const { marked } = await deployed((unit) => (unit.components[0].deletionProtection = true));
    const retained = await server.coordinator(startOf(marked, gone(marked, { removeData: false })));
    expect(retained.status).toBe(202);
  });

  it("is reported together with conflicts", async () => {
    const { marked } = await deployed((unit) => (unit.components[0].deletionProtection = true));
    const targetStatus = wanted(marked);
    targetStatus[0]!.targetStatus = "NOT_DEPLOYED";
    const { status, body } = await server.coordinator(startOf(marked, { targetStatus, removeData: true }));
    expect([status, body.code, body.errors.length]).toEqual([400, "COORD_CONFLICTING_TARGETS", 2]);
  });
});
