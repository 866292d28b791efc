/** What the operations answer when all is well, written out; these shapes are promises to other programs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dump } from "js-yaml";
import { mockAdapterId, startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";
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
} from "./ships.ts";

let server: WholeServer;
let token = "";

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  server.mock.setBehaviours({ default: { logs: { lines: 0, style: "new" } } });
  token = await start(server);
  expect(await ended(server, token)).toBe("COMPLETED");
});
afterAll(() => server.close());

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const get = (path: string): Promise<Answer> => server.coordinator({ path });
const mockInfo = (id: string) => ({ mock: { type: "string", label: "Mock", value: id } });

describe("deployment units", () => {
  const change = (componentId: string, more: object) => ({
    componentId,
    targetStatus: "DEPLOYED",
    action: "REDEPLOY",
    reason: "REQUESTED",
    additionalReasons: [],
    dependencyOf: [],
    dependantOn: [],
    ...more,
  });

  it("previewProvisioning", async () => {
    const body = provisioning(ships(), { preventRedeploy: true });
    (body.descriptor.components[1] as any).kind = "view";
    const answer = await server.coordinator({ method: "POST", path: previewPath(), body });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      outcome: "OK",
      operations: [
        change(hullId, { action: "NONE", reason: "UNCHANGED", dependencyOf: [mastId] }),
        change(mastId, { reason: "DESCRIPTOR_CHANGED", dependencyOf: [sailId], dependantOn: [hullId] }),
        change(sailId, {
          action: "NONE",
          reason: "UNCHANGED",
          additionalReasons: ["DEPENDENCY_REDEPLOYED"],
          dependantOn: [mastId],
        }),
      ],
      conflictingOperations: [],
      planHash: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
    });
    expect(answer.headers.get("etag")).toBe(`"${answer.body.planHash}"`);
  });

  it("previewProvisioning with a conflict", async () => {
    const body = provisioning();
    body.targetStatus[0]!.targetStatus = "NOT_DEPLOYED";
    const answer = await server.coordinator({ method: "POST", path: previewPath(), body });
    const hull = { targetStatus: "NOT_DEPLOYED", action: "UNDEPLOY", dependencyOf: [mastId] };
    expect(answer.body.outcome).toBe("KO");
    expect(answer.body.conflictingOperations).toEqual([
      change(mastId, { dependencyOf: [sailId], dependantOn: [hullId] }),
      change(hullId, hull),
    ]);
  });

  it("startProvisioning answers the token and nothing else", async () => {
    const unit = ships("urn:dmb:dp:sea:boats:0");
    const answer = await server.coordinator({
      method: "POST",
      path: provisioningPath(unit.id),
      body: provisioning(unit),
    });
    expect([answer.status, answer.text]).toEqual([202, expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    expect(await ended(server, answer.body)).toBe("COMPLETED");
  });

  const deployed = (componentId: string) => ({ componentId, descriptorVersion: "1.2.0", status: "DEPLOYED" });
  const known = {
    status: "DEPLOYED",
    provisioningDetails: {
      descriptorVersion: "1.2.0",
      provisioningInfo: {
        [hullId]: mockInfo(hullId),
        [mastId]: mockInfo(mastId),
        [sailId]: mockInfo(sailId),
      },
      componentsStatus: [deployed(hullId), deployed(mastId), deployed(sailId)],
    },
  };
  const path = (id: string): string =>
    `/v1/deployment-units/${id}/provisioning-status?environment=development`;

  it.each([
    ["raw", unitId],
    ["percent-encoded", encodeURIComponent(unitId)],
    ["in capitals", unitId.toUpperCase()],
    ["partly encoded", unitId.replace(":", "%3a")],
  ])("getUnitStatus with the id %s", async (...[, id]) => {
    const answer = await get(path(id));
    expect([answer.status, answer.body]).toEqual([200, known]);
  });

  it("getUnitStatus with the descriptor", async () => {
    const { body } = await get(`${path(unitId)}&include-descriptor=true`);
    expect(body).toEqual({
      ...known,
      provisioningDetails: { ...known.provisioningDetails, descriptor: ships() },
    });
  });

  it.each(["urn:dmb:dp:sea:never:0", "a/b".replace("/", "%2F"), encodeURIComponent("船😀"), "%25"])(
    "getUnitStatus of a unit never seen: %s",
    async (id) => {
      const { status, body } = await get(`${path(id)}&include-descriptor=true`);
      expect([status, body]).toEqual([
        200,
        {
          status: "NOT_DEPLOYED",
          known: false,
          provisioningDetails: {
            descriptorVersion: "",
            descriptor: {},
            provisioningInfo: {},
            componentsStatus: [],
          },
        },
      ]);
    },
  );

  it("getComponentStatus", async () => {
    const status = (id: string, more = ""): Promise<Answer> =>
      get(
        `/v1/deployment-units/${unitId}/components/${id}/provisioning-status?environment=development${more}`,
      );
    const plain = { status: "DEPLOYED", provisioningDetails: { descriptorVersion: "1.2.0" } };
    expect((await status(mastId)).body).toEqual(plain);
    expect((await status(encodeURIComponent(mastId.toUpperCase()))).body).toEqual(plain);
    expect((await status(mastId, "&include-descriptor=true")).body).toEqual({
      status: "DEPLOYED",
      provisioningDetails: { descriptorVersion: "1.2.0", descriptor: ships().components[1] },
    });
    expect((await status("nobody", "&include-descriptor=true")).body).toEqual({
      status: "NOT_DEPLOYED",
      provisioningDetails: { descriptorVersion: "", descriptor: {} },
    });
  });

  it("terminateUnitProvisioning answers no body, and terminatePlan the token", async () => {
    const slow = { mode: "async", runningMs: 60_000, runningPolls: 10_000 } as const;
    server.mock.setBehaviours({ default: { operations: { provision: slow } } });
    const unit = ships("urn:dmb:dp:sea:slow:0");
    const plan = await start(server, unit);
    const busy = await until(
      () => get(path(unit.id)),
      ({ body }) => body.provisioningDetails.componentsStatus[0]?.status === "PROVISIONING_IN_PROGRESS",
    );
    const waits = (componentId: string) => ({ componentId, descriptorVersion: "", status: "NOT_DEPLOYED" });
    expect(busy.body).toEqual({
      status: "PROVISIONING_IN_PROGRESS",
      provisioningDetails: {
        descriptorVersion: "",
        provisioningInfo: {},
        componentsStatus: [
          { ...waits(hullId), status: "PROVISIONING_IN_PROGRESS" },
          waits(mastId),
          waits(sailId),
        ],
      },
    });
    const call = { method: "POST", path: `/v2/deployment-units/${unit.id}/provisioning/terminate` };
    // Safe waits for the running task, so that the plan is still there for the forced one.
    const query = "?environment=development&mode=safe";
    const onUnit = await server.coordinator({ ...call, path: call.path + query });
    expect([onUnit.status, onUnit.text]).toEqual([202, ""]);
    const onPlan = await server.coordinator({
      ...call,
      path: `/v1/execution-plans/${plan}/terminate?mode=forced`,
    });
    expect([onPlan.status, onPlan.text]).toEqual([202, JSON.stringify(plan)]);
    expect(await ended(server, plan)).toBe("TERMINATED");
    server.mock.setBehaviours({ default: { logs: { lines: 0, style: "new" } } });
  });
});

describe("execution plans", () => {
  const plan = (more: object) => ({
    environment: "development",
    originatorUri: "service:default/admin",
    ...more,
  });
  const times = { status: "COMPLETED", startTime: time, stopTime: time };

  /** The tasks of the chain from the sail down to the stage of validation. */
  const chain = (leaf: object, node: (id: string, name: string, verb: string) => object): object =>
    [hullId, mastId, sailId].reduce<object>(
      (below, id) => ({
        ...node(`provision:${id}`, id.split(":").at(-1) ?? "", "Provision"),
        dependsOnTasks: [below],
      }),
      leaf,
    );

  it("getPlanStatus", async () => {
    const node = (id: string, name: string, verb: string): object => ({
      ...times,
      id,
      name: id,
      displayName: `${verb} ${name}`,
      result: {
        message: verb === "Validate" ? "" : "provision done",
        info: verb === "Validate" ? {} : mockInfo(id.replace("provision:", "")),
      },
      dependsOnTasks: [],
    });
    const gate = {
      ...times,
      id: `${token}:stage-0`,
      name: `${token}:stage-0`,
      displayName: "All components are valid",
      result: { message: "" },
      dependsOnTasks: [hullId, mastId, sailId].map((id) =>
        node(`validate:${id}`, id.split(":").at(-1) ?? "", "Validate"),
      ),
    };
    const { status, body } = await get(`/v1/execution-plans/${token}/status`);
    expect(status).toBe(200);
    expect(body).toEqual(
      plan({
        dag: {
          ...times,
          id: token,
          name: token,
          displayName: `Provision ${unitId}`,
          result: { message: "" },
          dependsOnTasks: [chain(gate, node)],
        },
      }),
    );
  });

  const wholePlan = (print: (descriptor: object) => string): object => {
    const extra = { version: "1.2.0", result: "", subPlanId: "" };
    const node = (id: string, name: string, verb: string): object => ({
      ...times,
      ...extra,
      id,
      name: id,
      displayName: `${verb} ${name}`,
      componentName: name,
      action: verb === "Validate" ? "VALIDATE_COMPONENT" : "PROVISION",
      result: verb === "Validate" ? "" : "provision done",
      descriptor:
        verb === "Validate" ? "" : print(ships().components.find((part) => part.name === name) ?? {}),
      dependsOnTasks: [],
    });
    const gate = {
      ...times,
      ...extra,
      id: `${token}:stage-0`,
      name: `${token}:stage-0`,
      displayName: "All components are valid",
      componentName: "",
      action: "VALIDATE_COMPONENT",
      descriptor: "",
      dependsOnTasks: [hullId, mastId, sailId].map((id) =>
        node(`validate:${id}`, id.split(":").at(-1) ?? "", "Validate"),
      ),
    };
    return plan({
      dag: {
        ...times,
        ...extra,
        id: token,
        name: token,
        displayName: `Provision ${unitId}`,
        componentName: "",
        action: "PROVISION",
        descriptor: print(ships()),
        dependsOnTasks: [chain(gate, node)],
      },
    });
  };

  it("getPlan", async () => {
    const { status, body } = await get(`/v1/execution-plans/${token}`);
    expect(status).toBe(200);
    expect(body).toEqual(wholePlan((descriptor) => dump(descriptor, { noRefs: true, lineWidth: -1 })));
  });

  it("getPlan without descriptors", async () => {
    const { body } = await get(`/v1/execution-plans/${token}?include-descriptors=false`);
    expect(body).toEqual(wholePlan(() => ""));
  });

  it("getPlanLogs, filtered by level and task", async () => {
    const line = (task: string, message: RegExp, phase: string): object => ({
      timestamp: time,
      severity: "INFO",
      task,
      message: expect.stringMatching(message),
      phase,
    });
    const all = await get(`/v1/logs/${token}`);
    expect(all.status).toBe(200);
    expect(all.body).toHaveLength(6);
    const own = await get(
      `/v1/logs/${token}?level=INFO&task_id=${encodeURIComponent(`provision:${mastId}`)}`,
    );
    expect(own.body).toEqual([
      line(`provision:${mastId}`, /^Provisioning of mast completed in \d+\.\d s\.$/, "PROVISIONING"),
    ]);
    expect((await get(`/v1/logs/${token}?level=WARNING`)).text).toBe("[]");
    expect((await get(`/v1/logs/${token}?task_id=nobody`)).text).toBe("[]");
  });
});

describe("validation", () => {
  it("validateDescriptor", async () => {
    const descriptor = dump(ships());
    const answer = await server.coordinator({ method: "POST", path: "/v1/validate", body: { descriptor } });
    const errors = {
      errors: [],
      code: "",
      userMessage: "",
      input: "",
      inputErrorField: "",
      moreInfo: { problems: [], solutions: [] },
    };
    const ofComponent = (component: object) => ({
      validationPhaseKind: "COMPONENT_VALIDATION_PHASE",
      validatedDescriptor: dump(component, { lineWidth: -1 }),
      errors,
      status: "COMPLETED",
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        results: [
          {
            validationPhaseKind: "INTERNAL_VALIDATION_PHASE",
            validatedDescriptor: descriptor,
            errors,
            status: "COMPLETED",
          },
          ...ships().components.map(ofComponent),
        ],
      },
    ]);
  });
});

describe("tech adapters", () => {
  const id = "urn:dmb:itm:rope:1";
  const record = {
    id,
    version: "1",
    name: "Rope 100%_\\",
    description: "Ties.",
    labels: ["team=sea", "a=b"],
  };
  const path = `/v1/tech-adapters/${id}`;

  it("are created, found, deployed and deleted", async () => {
    const created = await server.coordinator({ method: "POST", path: "/v1/tech-adapters", body: record });
    const view = { ...record, deployments: { environments: [] } };
    expect([created.status, created.body]).toEqual([201, view]);
    const deployment = {
      url: "http://rope.example:8080/base",
      properties: {
        tier: 2,
        dataContractGuardian: {
          policies: [{ resourceType: "policy", spec: { id: "p1", name: "One", description: "D" } }],
        },
      },
    };
    const put = { method: "PUT", path: `${path}/deployments/production`, body: deployment };
    const shown = {
      environment: "production",
      enabled: true,
      url: "http://rope.example:8080/base",
      properties: {
        tier: 2,
        dataContractGuardian: { policies: [{ resourceType: "policy", id: "p1" }] },
      },
      createdAt: time,
      updatedAt: time,
    };
    const deployed = await server.coordinator(put);
    expect([deployed.status, deployed.body]).toEqual([200, shown]);
    const off = await server.coordinator({ ...put, body: { ...deployment, enabled: false } });
    expect(off.body).toEqual({ ...shown, enabled: false });
    expect(off.body.createdAt).toBe(deployed.body.createdAt);
    expect((await get(`${path}/deployments/production`)).body).toEqual({ ...shown, enabled: false });
    expect((await get(path)).body).toEqual({
      ...view,
      deployments: { environments: [{ environment: "production", enabled: false }] },
    });
    const gone = await server.coordinator({ method: "DELETE", path: `${path}/deployments/production` });
    expect([gone.status, gone.text]).toEqual([204, ""]);
    const deleted = await server.coordinator({ method: "DELETE", path });
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    expect((await get(path)).status).toBe(404);
  });

  it("are listed, filtered by name and labels", async () => {
    await server.coordinator({ method: "POST", path: "/v1/tech-adapters", body: record });
    const listed = async (query: string): Promise<string[]> =>
      (await get(`/v1/tech-adapters${query}`)).body.data.map((each: { id: string }) => each.id);
    expect((await get("/v1/tech-adapters?limit=1")).body).toEqual({
      data: [
        {
          id: mockAdapterId,
          version: "1",
          name: "Mock",
          labels: [],
          deployments: {
            environments: [
              { environment: "development", enabled: true },
              { environment: "production", enabled: true },
            ],
          },
        },
      ],
      meta: { pagination: { offset: 0, limit: 1, total: 2 } },
    });
    expect(await listed("?sort-order=desc")).toEqual([id, mockAdapterId]);
    expect(await listed("?offset=1")).toEqual([id]);
    expect(await listed("?search=ROPE%20100%25_%5C")).toEqual([id]);
    expect(await listed("?search=%25ock")).toEqual([]);
    expect(await listed("?search=_ock")).toEqual([]);
    expect(await listed("?labels=team%3Dsea,a%3Db")).toEqual([id]);
    expect(await listed("?labels=team%3Dsea,a%3Dc")).toEqual([]);
    await server.coordinator({ method: "DELETE", path });
  });
});
