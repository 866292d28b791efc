/** Policies inside plans, over HTTP with the real engines and adapters: what is stopped, excused, changed meanwhile, or away. */
import { afterEach, beforeAll, afterAll, describe, expect, it } from "vitest";
import {
  hullId,
  ended,
  previewPath,
  provisioning,
  provisioningPath,
  ships,
  start,
  wanted,
  whileAdapterIsHeld,
  type Ships,
} from "../coordinator/ships.ts";
import { openWire, type Wire } from "../faults/wire.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import {
  mockAdapterId,
  startWholeServer,
  until,
  type Answer,
  type TestRole,
  type WholeServer,
} from "../support/server.ts";

let server: WholeServer;
/** Between the server and governance's database. */
let wire: Wire;
/** Policies in force, disabled after each test. */
const inForce: string[] = [];

beforeAll(async () => {
  server = await startWholeServer({
    async configure(config) {
      const { coordinator, governance } = config.database;
      wire = await openWire(coordinator.host ?? "", coordinator.port);
      Object.assign(governance, { host: "127.0.0.1", port: wire.port });
      // A plan is held back for as long as a test takes.
      config.coordinator.execution.connectRetryMs = 60_000;
    },
  });
  await server.registerMock();
});
afterAll(async () => {
  await server.close();
  wire.close();
});
afterEach(async () => {
  for (const id of inForce.splice(0)) await setStatus(id, "disabled");
});

const post = (path: string, body: unknown, as?: TestRole): Promise<Answer> =>
  server.governance({ method: "POST", path, body, ...(as ? { as } : {}) });
const get = (path: string): Promise<Answer> => server.governance({ path });
const setStatus = (id: string, status: string, more: object = {}): Promise<Answer> =>
  post(`/policies/${id}/status`, { status, reason: "Agreed.", ...more });

let count = 0;
const noHull = {
  name: "No hull without a keel",
  advice: "Add a keel.",
  engine: "cel",
  spec: { assert: `has(resource.keel) ? [] : [{"path": "keel", "message": "There is none."}]` },
  resourceType: "storage",
};

async function enable(body: object = {}, status = "enabled", more: object = {}): Promise<string> {
  const id = `plan-policy-${++count}`;
  const made = await post("/policies", { id, ...noHull, ...body });
  expect(made.status, made.text).toBe(201);
  const changed = await setStatus(id, status, more);
  expect(changed.status, changed.text).toBe(200);
  inForce.push(id);
  return id;
}

function newShips(): Ships {
  const unit = ships(`urn:dmb:dp:sea:governed:${++count}`);
  for (const component of unit.components) component.id = `${component.id}:${count}`;
  for (const component of unit.components)
    component.dependsOn = component.dependsOn.map((id) => `${id}:${count}`);
  return unit;
}

const hullOf = (unit: Ships): string => unit.components.find(({ id }) => id.startsWith(hullId))!.id;
const status = (token: string): Promise<Answer> =>
  server.coordinator({ path: `/v1/execution-plans/${token}/status` });
const adapterCalls = (unit: Ships): number =>
  server.mock.journal().filter((entry) => JSON.stringify(entry).includes(unit.id)).length;

describe("a plan", () => {
  it("that violates an enabled policy ends before any adapter is called, and says what to mend where", async () => {
    const policy = await enable();
    const unit = newShips();
    const token = await start(server, unit);
    expect(await ended(server, token)).toBe("FAILED");
    const { text } = await status(token);
    for (const part of [policy, "keel", "There is none.", "Add a keel."]) expect(text).toContain(part);
    expect(adapterCalls(unit)).toBe(0);
    const compliance = await get(`/units/${unit.id}/compliance?environment=development`);
    expect(compliance.body).toMatchObject({
      summary: { isCompliant: false, error: 1 },
      policies: [
        {
          governanceEntityId: policy,
          governanceEntityVersion: 1,
          resource: { id: hullOf(unit), resourceType: "storage" },
          result: { errors: [{ path: "keel", message: "There is none." }] },
          blocking: true,
        },
      ],
    });
    Object.assign(unit.components[0]!, { keel: "oak" });
    expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
    const after = await get(`/units/${unit.id}/compliance?environment=development`);
    expect(after.body.summary).toMatchObject({ isCompliant: true, ok: 1, error: 0 });
    expect(after.body.history.map(({ source, error, ok }: any) => [source, error, ok])).toEqual([
      ["plan", 0, 1],
      ["plan", 1, 0],
    ]);
  });

  it("that is stopped shows in the compliance of a unit that was undeployed before", async () => {
    const unit = newShips();
    expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
    const body = provisioning(unit, { targetStatus: wanted(unit, "NOT_DEPLOYED") });
    const undeployed = await server.coordinator({ method: "POST", path: provisioningPath(unit.id), body });
    expect(await ended(server, undeployed.body)).toBe("COMPLETED");
    await enable();
    expect(await ended(server, await start(server, unit))).toBe("FAILED");
    const compliance = await get(`/units/${unit.id}/compliance?environment=development`);
    expect(compliance.body.summary).toMatchObject({ isCompliant: false, error: 1 });
  });

  it("is stopped by a violation of a nested component and of one whose id is a number", async () => {
    const policy = await enable({ resourceType: "buoy" });
    const unit = newShips();
    const [hull] = unit.components;
    const buoy = { kind: "buoy", version: "1.0.0", infrastructureTemplateId: mockAdapterId, dependsOn: [] };
    const number = 470_000 + count;
    Object.assign(hull!, { components: [{ ...buoy, name: "bell" }] });
    const ids = [`${hull!.id}:bell`, String(number)];
    const targetStatus = [...unit.components.map(({ id }) => id), ...ids].map((componentId) => ({
      componentId,
      targetStatus: "DEPLOYED",
    }));
    unit.components.push({ ...buoy, id: number as never, name: "light" });
    const sent = { descriptor: unit, targetStatus };
    const started = await server.coordinator({ method: "POST", path: provisioningPath(unit.id), body: sent });
    expect(started.status, started.text).toBe(202);
    expect(await ended(server, started.body)).toBe("FAILED");
    expect((await status(started.body)).text.split("There is none.").length - 1).toBeGreaterThanOrEqual(2);
    expect(adapterCalls(unit)).toBe(0);
    for (const id of ids)
      expect((await get(`/results?resource=${id}`)).body.data).toMatchObject([
        {
          governanceEntityId: policy,
          outcome: "error",
          blocking: true,
          resource: { id, resourceType: "buoy" },
        },
      ]);
  });

  it("goes on in grace, with a warning", async () => {
    await enable({}, "grace", { graceUntil: "2999-01-01T00:00:00Z" });
    const token = await start(server, newShips());
    expect(await ended(server, token)).toBe("COMPLETED");
    expect((await status(token)).text).toContain("There is none.");
  });

  it("goes on with an exception, and keeps its verdict when that ends meanwhile; the next one does not", async () => {
    const policyId = await enable();
    const unit = newShips();
    const request = {
      policyId,
      resourceIds: [hullOf(unit)],
      reason: "Refit.",
      until: "2999-01-01T00:00:00Z",
    };
    const { body } = await post("/exceptions", request, "service");
    const decided = await post(`/exceptions/${body.id}/decision`, { approve: true, reason: "Until June." });
    expect(decided.status, decided.text).toBe(200);
    let token = "";
    await whileAdapterIsHeld(server, async () => {
      token = await start(server, unit);
      await until(
        () => get(`/results?resource=${hullOf(unit)}`),
        ({ body: list }) => list.data.length > 0,
      );
      const revoked = await server.governance({ method: "DELETE", path: `/exceptions/${body.id}` });
      expect(revoked.status).toBe(204);
    });
    expect(await ended(server, token)).toBe("COMPLETED");
    const { body: results } = await get(`/results?resource=${hullOf(unit)}`);
    expect(results.data).toMatchObject([{ outcome: "warning", blocking: false, exceptionId: body.id }]);
    expect(await ended(server, await start(server, { ...unit, version: "1.3.0" }))).toBe("FAILED");
  });

  it("keeps its verdict when the grace ends meanwhile; the next one is stopped", async () => {
    const policyId = await enable({}, "grace", { graceUntil: "2999-01-01T00:00:00Z" });
    const unit = newShips();
    let token = "";
    await whileAdapterIsHeld(server, async () => {
      token = await start(server, unit);
      await until(
        () => get(`/results?resource=${hullOf(unit)}`),
        ({ body: list }) => list.data.length > 0,
      );
      expect((await setStatus(policyId, "enabled")).status).toBe(200);
    });
    expect(await ended(server, token)).toBe("COMPLETED");
    expect(await ended(server, await start(server, { ...unit, version: "1.3.0" }))).toBe("FAILED");
  });

  it("compares with what is deployed", async () => {
    await enable({
      strategy: "previous_vs_current",
      spec: { assert: "original.version == current.version" },
    });
    const unit = newShips();
    expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
    const changed = structuredClone(unit);
    changed.components[0]!.version = "2.0.0";
    expect(await ended(server, await start(server, changed))).toBe("FAILED");
  });

  it("of two policies that disagree is stopped by one, and both are reported", async () => {
    const wants = await enable();
    const refuses = await enable({ spec: { assert: "!has(resource.keel)" } });
    const unit = newShips();
    Object.assign(unit.components[0]!, { keel: "oak" });
    expect(await ended(server, await start(server, unit))).toBe("FAILED");
    const { body } = await get(`/results?resource=${hullOf(unit)}`);
    const outcomes = body.data.map((each: any) => [each.governanceEntityId, each.outcome] as const);
    expect(Object.fromEntries(outcomes)).toEqual({ [wants]: "ok", [refuses]: "error" });
  });

  it("that was previewed under other policies is refused", async () => {
    const unit = newShips();
    const preview = await server.coordinator({
      method: "POST",
      path: previewPath(unit.id),
      body: provisioning(unit),
    });
    expect(preview.status, preview.text).toBe(200);
    await enable({ resourceType: "nothing" });
    const late = await server.coordinator({
      method: "POST",
      path: provisioningPath(unit.id),
      body: provisioning(unit, { planHash: preview.body.planHash }),
    });
    expect([late.status, late.body.code], late.text).toEqual([409, "COORD_PLAN_MOVED"]);
  });
});

describe("a policy that is changed during an evaluation", () => {
  /** A remote engine that answers when it is notified to. */
  async function slowEngine(): Promise<{ peer: HttpPeer; asked: Promise<void>; answer: () => void }> {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: notified, resolve: answer } = Promise.withResolvers<void>();
    const peer = await startHttpPeer((request, response) => {
      request.resume();
      request.on("end", () => {
        ask();
        void notified.then(() => {
          response.setHeader("content-type", "application/json");
          response.end(JSON.stringify({ satisfiesPolicy: false, errors: ["Not by us."] }));
        });
      });
    });
    return { peer, asked, answer };
  }

  it.each([
    [
      "changed",
      async (id: string, url: string) => {
        const body = { ...noHull, version: 1, engine: "remote", spec: { url }, name: "Changed" };
        expect((await server.governance({ method: "PUT", path: `/policies/${id}`, body })).status).toBe(200);
      },
    ],
    [
      "disabled and deleted",
      async (id: string) => {
        for (const each of ["disabled", "draft"]) expect((await setStatus(id, each)).status).toBe(200);
        expect((await server.governance({ method: "DELETE", path: `/policies/${id}` })).status).toBe(204);
        inForce.splice(inForce.indexOf(id), 1);
      },
    ],
  ])("or %s: the verdict names the version that was read", async (_, change) => {
    const { peer, asked, answer } = await slowEngine();
    try {
      const id = await enable({ engine: "remote", spec: { url: peer.url, timeoutMs: 60_000 } });
      const unit = newShips();
      const token = await start(server, unit);
      await asked;
      await change(id, peer.url);
      answer();
      expect(await ended(server, token)).toBe("FAILED");
      const { body } = await get(`/results?resource=${hullOf(unit)}`);
      expect(body.data).toMatchObject([
        {
          governanceEntityId: id,
          governanceEntityVersion: 1,
          governanceEntityName: noHull.name,
          outcome: "error",
        },
      ]);
    } finally {
      await peer.close();
    }
  });
});

describe("an engine", () => {
  it("that is late or dead does what its policy says", async () => {
    const peer = await startHttpPeer(() => undefined);
    try {
      await enable({ engine: "remote", spec: { url: peer.url, timeoutMs: 200 } });
      const warned = await start(server, newShips());
      expect(await ended(server, warned)).toBe("COMPLETED");
      await enable({ engine: "remote", spec: { url: peer.url, timeoutMs: 200 }, onError: "block" });
      const unit = newShips();
      expect(await ended(server, await start(server, unit))).toBe("FAILED");
      const { body } = await get(`/results?resource=${hullOf(unit)}&outcome=failed`);
      expect(body.data.map(({ blocking }: any) => blocking).toSorted()).toEqual([false, true]);
      expect(adapterCalls(unit)).toBe(0);
    } finally {
      await peer.close();
    }
  });
});

describe("governance's database out of reach", () => {
  const topic = { id: "ext:away", environment: "development", resourceType: "topic", descriptor: {} };

  it("is a 503 that says when to come back; what was accepted before is completed after", async () => {
    await enable({ resourceType: "topic" });
    const before = await post("/evaluate", topic);
    expect(before.status).toBe(202);
    wire.cut();
    for (const answer of [await get("/results"), await post("/evaluate", topic), await get("/policies")]) {
      expect([answer.status, answer.body.code]).toEqual([503, "PLATFORM_DATABASE_UNAVAILABLE"]);
      expect(answer.headers.get("retry-after")).toBe("1");
    }
    // The coordinator has a database of its own.
    expect((await server.coordinator({ path: "/v1/tech-adapters" })).status).toBe(200);
    await wire.mend();
    const report = await until(
      () => get(`/evaluation-reports/${before.body.reportId}`),
      ({ status: code, body }) => code === 200 && body.status !== "pending",
    );
    expect(report.body).toMatchObject({ status: "completed", summary: { error: 1 } });
    expect((await get("/results/count?resource=ext:away")).body).toEqual({ count: 1 });
  });

  it("holds a plan back, which goes on when it is there again", async () => {
    await enable();
    const unit = newShips();
    Object.assign(unit.components[0]!, { keel: "oak" });
    wire.cut();
    const token = await start(server, unit);
    await until(
      () => status(token),
      ({ text }) => text.includes("The policies are evaluated again."),
    );
    await wire.mend();
    expect(await ended(server, token)).toBe("COMPLETED");
  });
});
