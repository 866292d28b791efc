/** Texts and times that JSON can say and PostgreSQL cannot store: they end nothing, and callers hear where they are. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registerGuardians } from "../../src/governance/policies/guardians.ts";
import { resultRow } from "../../src/governance/evaluations/result-row.ts";
import { testPolicy } from "../../src/governance/evaluations/testdata.ts";
import { insertResults } from "../../src/governance/results/store.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { systemContext } from "../../src/platform/lib/request-context.ts";
import { ended, ships, start } from "../coordinator/ships.ts";
import { startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      // One test reads results of years ago.
      config.governance.evaluations.resultDays = 0;
    },
  });
  await server.registerMock();
});
afterAll(() => server.close());

const post = (path: string, body: unknown): Promise<Answer> =>
  server.governance({ method: "POST", path, body });
const get = (path: string): Promise<Answer> => server.governance({ path });

async function createPolicy(id: string, body: object): Promise<void> {
  const made = await post("/policies", { id, name: id, engine: "cel", ...body });
  expect(made.status, made.text).toBe(201);
  const changed = await post(`/policies/${id}/status`, { status: "enabled", reason: "Agreed." });
  expect(changed.status, changed.text).toBe(200);
}

const nul = String.fromCharCode(0);
const half = "\ud83d";
const topic = { id: "ext:topic", environment: "development", resourceType: "topic" };

describe("a text of a result", () => {
  it("that is cut inside a character, or has a NUL, stops no plan and is shown", async () => {
    // 1,999 letters and an astral character: the cut at 2,000 leaves half of it.
    const long = `${"a".repeat(1_999)}\u{1f6a2} and more`;
    await createPolicy("cut", {
      resourceType: "storage",
      spec: { assert: `[{"message": ${JSON.stringify(long)}}]` },
    });
    await createPolicy("nul", {
      resourceType: "storage",
      spec: { assert: String.raw`[{"path": "a\u0000b", "message": "c\u0000d"}]` },
    });
    await createPolicy("fails", {
      resourceType: "storage",
      spec: { assert: String.raw`{"x": 1}["e\u0000f"] == 1` },
    });
    const unit = ships("urn:dmb:dp:sea:texts:0");
    const token = await start(server, unit);
    expect(await ended(server, token)).toBe("FAILED");
    const { text } = await server.coordinator({ path: `/v1/execution-plans/${token}/status` });
    expect(text).toContain("c\ufffdd");
    const { body } = await get(`/units/${unit.id}/compliance?environment=development`);
    const found = Object.fromEntries(
      body.policies.map((each: any) => [each.governanceEntityId, each.result.errors[0]]),
    );
    expect(found.cut.message).toBe(`${"a".repeat(1_999)}\ufffd…`);
    expect(found.nul).toEqual({ path: "a\ufffdb", message: "c\ufffdd" });
    expect(found.fails.message).not.toContain(nul);
    for (const id of ["cut", "nul", "fails"])
      await post(`/policies/${id}/status`, { status: "disabled", reason: "Done." });
  });

  it("is stored whatever its row holds", async () => {
    const database = openDatabase({
      connection: { ...server.db.connection, schema: server.config.database.governance.schema },
      log: silentLogger,
      poolSize: 1,
    });
    try {
      const verdict = {
        outcome: "error",
        isBlocking: true,
        isError: false,
        isSatisfied: false,
        value: null,
        label: `l${nul}`,
        errors: [{ path: half, message: `m${nul}${half}` }],
        exceptionId: null,
      } as const;
      const resource = {
        id: `ext:row${half}`,
        displayName: `Row${nul}`,
        environment: "development",
        resourceType: "topic",
        descriptor: {},
        unitId: null,
      };
      const row = resultRow({ policy: testPolicy(), resource, verdict }, new Date(), "schedule");
      await insertResults(database.db, [row]);
      const { rows } = await database.pool.query(
        "select resource_name, errors from results where label is not null",
      );
      expect(rows).toEqual([
        { resource_name: "Row\ufffd", errors: [{ path: "\ufffd", message: "m\ufffd\ufffd" }] },
      ]);
    } finally {
      await database.close();
    }
  });
});

describe("a descriptor", () => {
  it.each([
    ["a NUL character", 'name: "a\\0b"'],
    ["half of a surrogate pair", 'name: "a\\ud83db"'],
    ["a NUL in a key", '"a\\0b": 1'],
    ["half of a pair in a list", 'a: [{b: "\\udc00"}]'],
  ])("with %s is refused with its place", async (_, descriptor) => {
    for (const [path, body] of [
      ["/evaluate", { ...topic, descriptor }],
      ["/policies/test", { policyId: "cut", environment: "development", descriptor }],
    ] as const) {
      const answer = await post(path, body);
      expect([answer.status, answer.body.code], answer.text).toEqual([400, "CGP_INVALID_DESCRIPTOR"]);
      expect(answer.body.inputErrorField).toMatch(/^\/descriptor/);
      expect(answer.body.userMessage).toContain("NUL character or half of a surrogate pair");
    }
  });
});

describe("guardians of an adapter", () => {
  it("are registered though one of them cannot be stored as it is, and those after one that fails", async () => {
    const database = openDatabase({
      connection: { ...server.db.connection, schema: server.config.database.governance.schema },
      log: silentLogger,
      poolSize: 2,
    });
    const guardian = (id: string, more: object = {}) => ({
      id,
      resourceType: "storage",
      name: undefined,
      description: undefined,
      ...more,
    });
    try {
      const ctx = systemContext(silentLogger, () => new Date());
      const broken = guardian("g-broken");
      Object.defineProperty(broken, "resourceType", {
        get() {
          throw new TypeError("It can't be read.");
        },
      });
      await registerGuardians(ctx, database, [
        guardian("g-cut", { name: `${"n".repeat(254)}\u{1f6a2}`, description: `d${nul}` }),
        broken,
        guardian("g-last"),
      ]);
    } finally {
      await database.close();
    }
    const { body } = await get("/policies/g-cut");
    expect([body.name, body.description]).toEqual([`${"n".repeat(254)}\ufffd`, "d\ufffd"]);
    expect((await get("/policies/g-last")).body).toMatchObject({ status: "enabled" });
  });
});

describe("a number or a time that the database has no room for", () => {
  it("is refused as the version of a policy", async () => {
    const answer = await server.governance({
      method: "PUT",
      path: "/policies/cut",
      body: { version: 3_000_000_000, name: "x", engine: "cel", spec: { assert: "true" } },
    });
    expect([answer.status, answer.body.code], answer.text).toEqual([400, "PLATFORM_INPUT"]);
  });

  const year0 = "0000-06-01T00:00:00Z";
  const passive = { timing: "runtime", trigger: "passive", strategy: "none", spec: { assert: "true" } };
  const result = { policyId: "taken", resourceId: "ext:times", environment: "development", outcome: "ok" };

  it("is refused with its place and the reason", async () => {
    await createPolicy("taken", passive);
    const request = { policyId: "taken", resourceIds: ["a"], reason: "Refit." };
    const answers = [
      ["since", await get(`/results?since=${year0}`)],
      ["since", await get(`/results/count?since=${year0}`)],
      ["/at", await post("/results", { ...result, at: year0 })],
      ["/until", await post("/exceptions", { ...request, until: year0 })],
      ["/until", await post("/exceptions", { ...request, until: "9999-12-31T23:59:59-10:00" })],
      [
        "/graceUntil",
        await post("/policies/taken/status", { status: "grace", graceUntil: year0, reason: "Agreed." }),
      ],
    ] as const;
    for (const [place, answer] of answers) {
      expect([answer.status, answer.body.code, answer.body.inputErrorField], answer.text).toEqual([
        400,
        "CGP_INVALID_TIME",
        place,
      ]);
      expect(answer.body.userMessage).toMatch(/year/);
    }
  });

  it("is taken where it is a leap second or an offset of hours", async () => {
    await createPolicy("any", { resourceType: "topic", spec: { assert: "true" } });
    const { body } = await post("/evaluate", { ...topic, id: "ext:times", descriptor: {} });
    await until(
      () => get(`/evaluation-reports/${body.reportId}`),
      (answer) => answer.body.status === "completed",
    );
    const leap = "2016-12-31T23:59:60Z";
    for (const at of [leap, "2026-11-22T09:00:00+05"]) {
      const pushed = await post("/results", { ...result, at });
      expect([pushed.status, pushed.body], pushed.text).toEqual([202, { accepted: true }]);
    }
    const shown = await get("/results?policy=taken");
    expect(shown.body.data.map(({ creationTime }: any) => creationTime)).toEqual([
      "2026-11-22T04:00:00.000Z",
      "2017-01-01T00:00:00.000Z",
    ]);
    for (const since of [leap, "2016-12-31T23:59:59%2B05"]) {
      const counted = await get(`/results/count?policy=taken&since=${since}`);
      expect([counted.status, counted.body], counted.text).toEqual([200, { count: 2 }]);
    }
    const exception = { policyId: "taken", resourceIds: ["a"], reason: "Refit." };
    const made = await post("/exceptions", { ...exception, until: "2999-12-31T23:59:60Z" });
    expect([made.status, made.body.until], made.text).toEqual([201, "3000-01-01T00:00:00.000Z"]);
    const grace = { status: "grace", graceUntil: "2999-06-01T00:00:00+05", reason: "Agreed." };
    const changed = await post("/policies/taken/status", grace);
    expect([changed.status, changed.body.graceUntil], changed.text).toEqual([
      200,
      "2999-05-31T19:00:00.000Z",
    ]);
  });
});
