/** Small rules of the coordinator, each with the case that was found to break it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { mockAdapterId, startWholeServer, type Answer, type WholeServer } from "../support/server.ts";
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
  unitId,
  type Ships,
} from "./ships.ts";

let server: WholeServer;
let count = 0;

beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      config.server.baseUrl = "https://host.example/plinth/";
      config.coordinator.rootPaths = true;
      config.coordinator.rootProvisioning = false;
    },
  });
  await server.registerMock();
});
afterAll(() => server.close());
afterEach(() => server.mock.setBehaviours({}));

const freshUnit = (): Ships => ships(`urn:dmb:dp:sea:rules${++count}:0`);
const get = (path: string): Promise<Answer> => server.coordinator({ path });
const post = (path: string, body?: object): Promise<Answer> =>
  server.coordinator({ method: "POST", path, ...(body ? { body } : {}) });
const statusPath = (id: string): string =>
  `/v1/deployment-units/${id}/provisioning-status?environment=development`;
const refusing = (id: string) => ({
  components: { [id]: { odd: { start: { name: "400", times: 1 } } } } as const,
});

async function run(unit: Ships): Promise<{ token: string; status: string }> {
  const token = await start(server, unit);
  return { token, status: await ended(server, token) };
}

describe("a 400 to a provisioning", () => {
  it("leaves a component that was never deployed as it was, and is in the ledger as refused", async () => {
    const unit = freshUnit();
    server.mock.setBehaviours(refusing(mastId));
    const { token, status } = await run(unit);
    expect(status).toBe("FAILED");
    const { body } = await get(statusPath(unit.id));
    expect(body.status).toBe("PARTIALLY_DEPLOYED");
    expect(body.provisioningDetails.componentsStatus).toMatchObject([
      { componentId: hullId, status: "DEPLOYED" },
      { componentId: mastId, status: "NOT_DEPLOYED" },
      { componentId: sailId, status: "NOT_DEPLOYED" },
    ]);
    const ledger = await get(`/v1/unknown-outcomes?settled=true&deployment-unit-id=${unit.id}`);
    expect(ledger.body.data).toMatchObject([
      { planId: token, taskId: `provision:${mastId}`, state: "SETTLED", settlement: { outcome: "REFUSED" } },
    ]);
    const open = await get(`/v1/unknown-outcomes?deployment-unit-id=${unit.id}`);
    expect(open.body.data).toEqual([]);
    // A second attempt meets the same rule: it still was never deployed.
    server.mock.setBehaviours(refusing(mastId));
    await run(unit);
    expect((await get(statusPath(unit.id))).body.status).toBe("PARTIALLY_DEPLOYED");
  });

  it("of a component that is deployed makes it CORRUPT, and the status says by what", async () => {
    const unit = freshUnit();
    await run(unit);
    server.mock.setBehaviours(refusing(mastId));
    const { token } = await run(unit);
    const failure = {
      executionPlanId: token,
      operationId: expect.any(String),
      provisioningAction: "DEPLOY",
      taskId: `provision:${mastId}`,
      action: "PROVISION",
      componentId: mastId,
      message: expect.stringContaining("The component cannot be provisioned"),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    const { body } = await get(statusPath(unit.id));
    expect(body).toMatchObject({ status: "CORRUPT", failure });
    const [hull, mast] = body.provisioningDetails.componentsStatus;
    expect(hull).not.toHaveProperty("failure");
    expect(mast).toMatchObject({ componentId: mastId, status: "CORRUPT", failure });
    const one = await get(
      `/v1/deployment-units/${unit.id}/components/${mastId}/provisioning-status?environment=development`,
    );
    expect(one.body).toMatchObject({ status: "CORRUPT", failure });
    // What is preserved is called what it is.
    const retained = unit.components.map(({ id }) => ({
      componentId: id,
      targetStatus: "DEPLOYED",
      ...(id === mastId ? { action: "NONE" } : {}),
    }));
    const conflict = await post(provisioningPath(unit.id), provisioning(unit, { targetStatus: retained }));
    expect(conflict.status).toBe(400);
    expect(conflict.text).toContain(`${mastId} stays as it is (CORRUPT, PRESERVED)`);
    expect(conflict.text).not.toContain("stays as it is (DEPLOYED");
  });
});

describe("a unit that was never seen", () => {
  it("is NOT_DEPLOYED and not known", async () => {
    const { status, body } = await get(statusPath("urn:dmb:dp:sea:nowhere:0"));
    expect([status, body.status, body.known]).toEqual([200, "NOT_DEPLOYED", false]);
    const component = await get(
      `/v1/deployment-units/urn:dmb:dp:sea:nowhere:0/components/${hullId}/provisioning-status?environment=development`,
    );
    expect([component.status, component.body.known]).toEqual([200, false]);
  });
});

describe("a plan", () => {
  it("that was terminated when all of its tasks had completed leaves nothing to resume", async () => {
    const { token } = await run(freshUnit());
    await sql`update execution_plans set status = 'TERMINATED' where id = ${token}`.execute(
      server.db.database.db,
    );
    const { status, body } = await post(`/v1/execution-plans/${token}/resume`);
    expect([status, body.code]).toEqual([400, "COORD_NOT_RESUMABLE"]);
    expect(body.userMessage).toContain("All of its tasks have completed: nothing is left to do.");
  });

  it("has the adapter's lines without the adapter's time in their text", async () => {
    const { token } = await run(freshUnit());
    const { body } = await get(`/v1/logs/${token}`);
    const line = body.find(({ phase }: { phase: string }) => phase.endsWith(":ADAPTER"));
    expect(line).toMatchObject({
      message: expect.stringMatching(/^provision of /),
      adapterTimestamp: expect.stringMatching(/^\d{4}-/),
    });
  });
});

describe("the catalogue of adapters", () => {
  it("refuses a version that is not the last segment of the id", async () => {
    const { status, body } = await post("/v1/tech-adapters", {
      id: "urn:dmb:itm:sails:2",
      name: "Sails",
      version: "1",
    });
    expect([status, body.code, body.inputErrorField]).toEqual([400, "COORD_INVALID_ADAPTER", "/version"]);
  });

  it("takes the version of an adapter that a template brings from its id", async () => {
    const template = { id: "urn:dmb:utm:ropes:7.1.0", name: "Ropes", description: "d", version: "7.1.0" };
    const at = {
      infrastructureIdRef: "urn:dmb:itm:ropes:3",
      url: server.mock.url,
      environment: "development",
    };
    expect((await post("/v1/templates", { ...template, ...at })).status).toBe(200);
    expect((await get("/v1/tech-adapters/urn:dmb:itm:ropes:3")).body.version).toBe("3");
  });

  it("says how many more components use an adapter", async () => {
    await run(freshUnit());
    await run(freshUnit());
    const path = `/v1/tech-adapters/${mockAdapterId}`;
    const { status, body } = await server.coordinator({ method: "DELETE", path });
    expect([status, body.code]).toEqual([409, "COORD_ADAPTER_IN_USE"]);
    const total = Number(/in use by (\d+) components/.exec(body.userMessage)?.[1]);
    expect(total).toBeGreaterThan(5);
    expect(body.moreInfo.problems.at(-1)).toContain(`${total - 5} more`);
  });
});

describe("a list", () => {
  it.each([
    ["/v2/provisioning-operations?limit=100000", "/meta/pagination/limit"],
    ["/v1/tech-adapters?limit=100000", "/meta/pagination/limit"],
    [`/v1/provisioning-plans?data-product-id=${unitId}&environments=development&limit=100000`, "/page/limit"],
    ["/v1/deployment-units?limit=100000", "/meta/pagination/limit"],
  ])("caps its page and says so: %s", async (path, place) => {
    const { status, body, text } = await get(path);
    expect(status, text).toBe(200);
    const limit = place
      .split("/")
      .slice(1)
      .reduce((part, key) => part[key], body);
    expect(limit).toBeGreaterThanOrEqual(50);
    expect(limit).toBeLessThan(100_000);
  });

  it("of accepted descriptors has no maximum either", async () => {
    expect((await get("/v1/descriptors?kind=pre-deployed&limit=100000")).status).toBe(200);
  });
});

describe("a descriptor", () => {
  const yaml = (name: string): string =>
    `id: urn:dmb:dp:sea:twice:0\nname: ${name}\nversion: 1.0.0\nenvironment: development\ncomponents: []\n`;

  it("with a key that stands twice is valid, with a warning", async () => {
    const { status, body } = await post("/v1/validate", { descriptor: `${yaml("a")}name: b\n` });
    expect(status).toBe(200);
    expect(body.results[0]).toMatchObject({
      status: "COMPLETED",
      warnings: [expect.stringMatching(/^\/descriptor: Line 6, column 1: /)],
    });
  });

  it("that is wrapped in dataProduct is refused as that", async () => {
    const { body } = await post("/v1/validate", {
      descriptor: `dataProduct:\n  ${yaml("a").replaceAll("\n", "\n  ").trim()}\n`,
    });
    expect(body.results[0].status).toBe("FAILED");
    expect(JSON.stringify(body.results[0].errors.moreInfo.solutions)).toContain("without that key");
  });
});

describe("without root provisioning", () => {
  it("a unit with a template of its own is its components", async () => {
    const unit = { ...freshUnit(), infrastructureTemplateId: "urn:dmb:itm:nobody:1" };
    const preview = await post(previewPath(unit.id), provisioning(unit));
    expect(preview.body.operations.map((each: any) => each.componentId)).toEqual([hullId, mastId, sailId]);
    expect((await run(unit)).status).toBe("COMPLETED");
    expect((await get(statusPath(unit.id))).body.status).toBe("DEPLOYED");
    const list = await get(`/v1/deployment-units?search=${unit.id}`);
    expect(list.body.data).toMatchObject([{ deploymentUnitId: unit.id, status: "DEPLOYED" }]);
  });
});

describe("the paths of the description", () => {
  const at = (path: string, as = "admin"): Promise<Response> =>
    fetch(server.url + path, {
      headers: as === "" ? {} : { authorization: `Bearer test-token-of-${as}-0000` },
    });

  it("are served at the root too, under the same rules and with the same failures", async () => {
    const listed = await at("/v1/tech-adapters");
    expect(listed.status).toBe(200);
    expect(await listed.json()).toEqual((await get("/v1/tech-adapters")).body);
    expect((await at("/v1/tech-adapters", "")).status).toBe(401);
    const unknown = await at("/v1/nothing");
    expect([unknown.status, Object.keys((await unknown.json()) as object)]).toEqual([
      404,
      ["errors", "code", "userMessage", "input", "inputErrorField", "moreInfo"],
    ]);
    const wrong = await fetch(`${server.url}/v1/tech-adapters`, { method: "PATCH" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, expect.stringContaining("POST")]);
  });
});

describe("below the path of a proxy", () => {
  it("documents and links carry that path", async () => {
    const document = await get("/openapi.json");
    expect(document.body.servers).toEqual([{ url: "https://host.example/plinth" }]);
    expect(Object.keys(document.body.paths).filter((path) => path.startsWith("/v1"))).toEqual([]);
    const card = await fetch(`${server.url}/.well-known/agent-card.json`, {
      headers: { authorization: `Bearer ${server.token("admin")}` },
    });
    expect(await card.json()).toMatchObject({
      url: expect.stringMatching(/^https:\/\/host\.example\/plinth\/api\//),
    });
    const { token } = await run(freshUnit());
    const page = await get(`/v1/logs/${token}?limit=1`);
    expect(page.headers.get("link")).toMatch(
      new RegExp(`^</plinth/api/coordinator/v1/logs/${token}\\?.*>; rel="next"$`),
    );
  });
});
