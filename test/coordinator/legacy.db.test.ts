/** The deprecated operations and the registration of templates, as older programs call them. */
import { dump } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { mockAdapterId, startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";
import { testRefusals, type Refusal } from "./refusals.ts";
import { ended, hullId, mastId, sailId, ships, unitId } from "./ships.ts";

let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
});
afterAll(() => server.close());

const post = (path: string, body: unknown): Promise<Answer> =>
  server.coordinator({ method: "POST", path, body });
const get = (path: string): Promise<Answer> => server.coordinator({ path });
const wrapped = (unit: object = ships(), more: object = {}) => ({ descriptor: dump(unit), ...more });
const unitStatus = async (): Promise<string> =>
  (await get(`/v1/deployment-units/${unitId}/provisioning-status?environment=development`)).body.status;
const mockInfo = (id: string) => ({ mock: { type: "string", label: "Mock", value: id } });

describe("the deprecated starts", () => {
  it("deploy all components where the descriptor says, and undeploy them again", async () => {
    const started = await post("/v1/provision", wrapped());
    expect([started.status, started.text]).toEqual([202, expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    expect(await ended(server, started.body)).toBe("COMPLETED");
    expect(await unitStatus()).toBe("DEPLOYED");
    const undone = await post("/v1/unprovision", wrapped(ships(), { removeData: true }));
    expect([undone.status, undone.text]).toEqual([202, expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    expect(await ended(server, undone.body)).toBe("COMPLETED");
    expect(await unitStatus()).toBe("NOT_DEPLOYED");
    const calls = server.mock.journal().filter(({ operation }) => operation === "unprovision");
    expect(calls.length).toBeGreaterThan(0);
  });

  it("undeploy a second time without anything to do", async () => {
    const again = await post("/v1/unprovision", wrapped());
    expect(again.status).toBe(202);
    expect(await ended(server, again.body)).toBe("COMPLETED");
  });

  it("deploy and undeploy a unit that is provisioned itself", async () => {
    const unit = { ...ships("urn:dmb:dp:sea:rooted:0"), infrastructureTemplateId: mockAdapterId };
    expect(await ended(server, (await post("/v1/provision", wrapped(unit))).body)).toBe("COMPLETED");
    expect(await ended(server, (await post("/v1/unprovision", wrapped(unit))).body)).toBe("COMPLETED");
    const { rows } = await sql<{ status: string }>`select distinct status from unit_components
      where unit_key = ${unit.id}`.execute(server.db.database.db);
    expect(rows).toEqual([{ status: "NOT_DEPLOYED" }]);
  });

  it("happen once under an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "legacy-1" };
    const unit = ships("urn:dmb:dp:sea:once:0");
    const send = (path: string, body: unknown) => server.coordinator({ method: "POST", path, body, headers });
    const first = await send("/v1/provision", wrapped(unit));
    expect((await send("/v1/provision", wrapped(unit))).body).toBe(first.body);
    expect((await send("/v1/provision", wrapped(unit, { removeData: true }))).status).toBe(409);
    await ended(server, first.body);
    const undone = await send("/v1/unprovision", wrapped(unit));
    expect([undone.status, undone.body === first.body]).toEqual([202, false]);
    await ended(server, undone.body);
  });

  it("are 409 while an operation is active", async () => {
    const unit = ships("urn:dmb:dp:sea:busy:0");
    const slow = { mode: "async", runningMs: 60_000 } as const;
    server.mock.setBehaviours({ default: { operations: { provision: slow } } });
    const { body: token } = await post("/v1/provision", wrapped(unit));
    const second = await post("/v1/provision", wrapped(unit));
    expect([second.status, second.body.code]).toEqual([409, "COORD_OPERATION_ACTIVE"]);
    await post(`/v1/execution-plans/${token}/terminate?mode=forced`, undefined);
    expect(await ended(server, token)).toBe("TERMINATED");
    server.mock.setBehaviours({});
    expect((await get(`/v1/provision/${token}/status`)).body.status).toBe("TERMINATED");
  });

  it("are marked as deprecated in the document", async () => {
    const { body } = await server.coordinator({ path: "/openapi.json", as: null });
    const deprecated = Object.values<Record<string, { deprecated?: boolean; operationId: string }>>(
      body.paths,
    )
      .flatMap((path) => Object.values(path))
      .filter((operation) => operation.deprecated)
      .map(({ operationId }) => operationId);
    expect(deprecated.toSorted()).toEqual([
      "getProvisionStatus",
      "provisionDescriptor",
      "unprovisionDescriptor",
    ]);
  });
});

describe("the deprecated status", () => {
  it("tells what the adapters returned", async () => {
    const unit = ships("urn:dmb:dp:sea:told:0");
    const { body: token } = await post("/v1/provision", wrapped(unit));
    expect((await get(`/v1/provision/${token}/status`)).body.status).toMatch(/^RUNNING|COMPLETED$/);
    await ended(server, token);
    const { status, body } = await get(`/v1/provision/${token}/status`);
    expect([status, body]).toEqual([
      200,
      {
        status: "COMPLETED",
        result: "",
        info: {
          publicInfo: { [hullId]: mockInfo(hullId), [mastId]: mockInfo(mastId), [sailId]: mockInfo(sailId) },
          privateInfo: {
            [hullId]: expect.any(Object),
            [mastId]: expect.any(Object),
            [sailId]: expect.any(Object),
          },
        },
      },
    ]);
  });

  it("tells why it failed", async () => {
    const unit = ships("urn:dmb:dp:sea:sunk:0");
    server.mock.setBehaviours({
      components: { [hullId]: { operations: { provision: { outcome: "FAILED" } } } },
    });
    const { body: token } = await post("/v1/provision", wrapped(unit));
    await ended(server, token);
    server.mock.setBehaviours({});
    const { body } = await get(`/v1/provision/${token}/status`);
    expect(body).toMatchObject({ status: "FAILED", result: expect.stringMatching(/./) });
  });
});

const template = (more: object = {}) => ({
  id: "urn:dmb:utm:fleet:1",
  name: "Fleet",
  description: "Ships.",
  version: "1.0.0",
  ...more,
});
const adapterOf = (id: string): Promise<Answer> => get(`/v1/tech-adapters/${id}`);
const deploymentOf = (id: string): Promise<Answer> => get(`/v1/tech-adapters/${id}/deployments/development`);

describe("a template", () => {
  it("is stored, and its last registration counts", async () => {
    const first = await post("/v1/templates", template());
    expect([first.status, first.text]).toEqual([200, '"urn:dmb:utm:fleet:1"']);
    await post("/v1/templates", template({ name: "Fleets", infrastructureIdRef: "urn:dmb:itm:any:1" }));
    const { rows } = await sql`select id, name, infrastructure_id_ref, url, environment, properties
      from template_metadata where id = 'urn:dmb:utm:fleet:1'`.execute(server.db.database.db);
    expect(rows).toEqual([
      {
        id: "urn:dmb:utm:fleet:1",
        name: "Fleets",
        infrastructure_id_ref: "urn:dmb:itm:any:1",
        url: null,
        environment: null,
        properties: {},
      },
    ]);
    expect((await adapterOf("urn:dmb:itm:any:1")).status).toBe(404);
  });

  it("with an address makes the deployment of its adapter", async () => {
    const id = "urn:dmb:itm:rope:1";
    const guardian = { dataContractGuardian: { policies: [{ resourceType: "a", spec: { id: "b" } }] } };
    const place = { infrastructureIdRef: id, url: server.mock.url, environment: "development" };
    const answer = await post("/v1/templates", template({ ...place, properties: guardian }));
    expect(answer.status).toBe(200);
    expect((await adapterOf(id)).body).toEqual({
      id,
      version: "1",
      name: "Fleet",
      description: "Ships.",
      labels: [],
      deployments: { environments: [{ environment: "development", enabled: true }] },
    });
    expect((await deploymentOf(id)).body).toMatchObject({
      url: server.mock.url,
      properties: { dataContractGuardian: { policies: [{ resourceType: "a", id: "b" }] } },
    });
    await post("/v1/templates", template({ ...place, name: "Other", url: `${server.mock.url}/x` }));
    expect((await adapterOf(id)).body.name).toBe("Fleet");
    expect((await deploymentOf(id)).body.url).toBe(`${server.mock.url}/x`);
  });

  it("with an address and no reference is its own adapter", async () => {
    const id = "urn:dmb:itm:own:1";
    await post("/v1/templates", template({ id, url: server.mock.url, environment: "development" }));
    expect((await deploymentOf(id)).body).toMatchObject({ environment: "development", enabled: true });
  });

  it("that is sent many times at once is stored once", async () => {
    const id = "urn:dmb:itm:many:1";
    const body = template({ id, url: server.mock.url, environment: "development" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => post("/v1/templates", body)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    await until(
      () => deploymentOf(id),
      ({ status }) => status === 200,
    );
  });
});

describe("refuses", () => {
  const start = (what: string, body: unknown, [code, field]: [string, string]): Refusal[] =>
    ["/v1/provision", "/v1/unprovision"].map((path) => [
      `${path}: ${what}`,
      { method: "POST", path, body },
      400,
      code,
      field,
    ]);
  const invalid = "COORD_INVALID_DESCRIPTOR";
  const { environment: _, ...placeless } = ships();
  const broken = ships();
  broken.components[0]!.dependsOn = ["nobody"];
  const unknownStatus = (token: string, [code, field]: [string, string]): Refusal => [
    `the status of ${token}`,
    { path: `/v1/provision/${token}/status` },
    400,
    code,
    field,
  ];
  const of = (what: string, more: object, [code, field]: [string, string]): Refusal => [
    `a template with ${what}`,
    { method: "POST", path: "/v1/templates", body: template(more) },
    400,
    code,
    field,
  ];
  testRefusals(
    () => server,
    [
      ...start("no body", undefined, ["PLATFORM_INPUT", ""]),
      ...start("a descriptor that is no text", { descriptor: ships() }, ["PLATFORM_INPUT", "/descriptor"]),
      ...start("an empty descriptor", { descriptor: "" }, ["PLATFORM_INPUT", "/descriptor"]),
      ...start("a flag that is none", { descriptor: "a", removeData: "no" }, [
        "PLATFORM_INPUT",
        "/removeData",
      ]),
      ...start("broken YAML", { descriptor: "a: [" }, [invalid, "/descriptor"]),
      ...start("a descriptor that is no unit", { descriptor: "- a" }, [invalid, "/descriptor"]),
      ...start("no environment", wrapped(placeless), [invalid, "/descriptor/environment"]),
      ...start("an environment that is none", wrapped({ ...ships(), environment: "moon" }), [
        invalid,
        "/descriptor/environment",
      ]),
      [
        "an unknown component in dependsOn",
        { method: "POST", path: "/v1/provision", body: wrapped(broken) },
        400,
        invalid,
        "/descriptor/components/0/dependsOn/0",
      ],
      [
        "to unprovision a unit that nobody knows",
        { method: "POST", path: "/v1/unprovision", body: wrapped(ships("urn:never:seen")) },
        400,
        "COORD_UNKNOWN_UNIT",
        "/descriptor/id",
      ],
      unknownStatus("nobody", ["COORD_UNKNOWN_TOKEN", "token"]),
      unknownStatus("a%2Fb", ["COORD_UNKNOWN_TOKEN", "token"]),
      unknownStatus("a%00", ["PLATFORM_INPUT", "token"]),
      of("no id", { id: undefined }, ["PLATFORM_INPUT", "/id"]),
      of("no description", { description: undefined }, ["PLATFORM_INPUT", "/description"]),
      of("an empty name", { name: "" }, ["PLATFORM_INPUT", "/name"]),
      of("an address and no environment", { url: "http://127.0.0.1:9" }, [
        "COORD_INVALID_ADAPTER",
        "/environment",
      ]),
      of("an environment that is none", { environment: "moon" }, ["COORD_INVALID_ADAPTER", "/environment"]),
      of("an address that is none", { url: "ftp://x", environment: "development" }, [
        "COORD_INVALID_ADAPTER",
        "/url",
      ]),
      of("a long reference", { infrastructureIdRef: "船".repeat(400) }, [
        "COORD_INVALID_ADAPTER",
        "/infrastructureIdRef",
      ]),
      of("NUL in the name", { name: "a\0b" }, ["PLATFORM_INPUT", "/name"]),
    ],
  );
});
