/** Access requests as an adapter, the platform and the audit get to see them. */
import { load } from "js-yaml";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import {
  registerAdapter,
  startWholeServer,
  until,
  type Answer,
  type WholeServer,
} from "../support/server.ts";
import { ended } from "./ships.ts";

const templateId = "urn:dmb:itm:recorder:1";
const unitId = "urn:dmb:dp:sea:ports:0";
const portId = "urn:dmb:cmp:sea:ports:0:harbour";
const partId = `${portId}:pier`;
const info = { publicInfo: { url: "x" }, privateInfo: { secret: 1 } };
/** The final status of the provisioning; adapters look for `info` in it. */
const endedStatus = { status: "COMPLETED", result: "done", info };
const guard = { __dataContractGuardian: { policyId: "policy-1" } };

let server: WholeServer;
let recorder: Recorder;

const unit = (parts: object[] = [{ id: partId, name: "pier", consumable: true }]) => ({
  id: unitId,
  name: "ports",
  version: "1.0.0",
  environment: "development",
  components: [
    {
      id: portId,
      name: "harbour",
      kind: "outputport",
      infrastructureTemplateId: templateId,
      dependsOn: [],
      components: parts,
    },
  ],
});

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.answers.set("/v1/validate", { status: 200, body: { valid: true } });
  for (const path of ["/v1/provision", "/v1/unprovision", "/v1/updateacl"])
    recorder.answers.set(path, { status: 200, body: { status: "COMPLETED", result: "done", info } });
  server = await startWholeServer({
    configure(config) {
      config.coordinator.accessSync = {
        url: `${recorder.url}/access`,
        secret: "s3cret-s3cret-s3cret-s3cret",
      };
    },
  });
  const policies = [{ resourceType: "outputport", spec: { id: "policy-1", name: "guardian" } }];
  const properties = { dataContractGuardian: { policies } };
  await registerAdapter(server, { id: templateId, url: recorder.url, properties });
  await deploy();
});
afterAll(async () => {
  await server.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.calls.length = 0;
});

async function begin(targetStatus = "DEPLOYED", descriptor = unit()): Promise<string> {
  const path = `/v2/deployment-units/${unitId}/provisioning?environment=development`;
  const body = { descriptor, targetStatus: [{ componentId: portId, targetStatus }] };
  const answer = await server.coordinator({ method: "POST", path, body });
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  return answer.body;
}

async function deploy(targetStatus = "DEPLOYED", descriptor = unit()): Promise<void> {
  expect(await ended(server, await begin(targetStatus, descriptor))).toBe("COMPLETED");
}

let requests = 0;

function send(identities: string[], outputPortUrn = portId, more: object = {}): Promise<Answer> {
  const body = {
    dataProductUrn: unitId,
    outputPortId: 7,
    outputPortUrn,
    requestId: `request-${++requests}`,
    identities,
    environment: "development",
    ...more,
  };
  return server.coordinator({ method: "POST", path: "/v1/updateacl", body });
}

async function carriedOut(...wanted: Parameters<typeof send>): Promise<string> {
  const answer = await send(...wanted);
  expect([answer.status, answer.text]).toEqual([202, expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
  expect(await ended(server, answer.body)).toBe("COMPLETED");
  return answer.body;
}

async function access(componentId = portId): Promise<string[]> {
  const { rows } = await sql<{ identity: string }>`select identity from acls
    where component_id = ${componentId} order by 1`.execute(server.db.database.db);
  return rows.map((row) => row.identity);
}

async function audited(planId: string): Promise<string[]> {
  const { rows } = await sql<{
    text: string;
  }>`select operation || ' ' || (detail ->> 'identity') || ' ' || actor
      || ' ' || subject as text from audit
    where detail ->> 'planId' = ${planId} and operation in ('grantAccess', 'revokeAccess')
    order by 1`.execute(server.db.database.db);
  return rows.map((row) => row.text);
}

const moved = (what: string, identity: string, id = portId): string =>
  `${what} ${identity} service:default/admin component:${id}@development`;

it("the adapter gets the complete set and the descriptor that it deployed, guardian and all", async () => {
  const fields = { purpose: "report" };
  const token = await carriedOut(["user:ada", "group:ops", "user:ada"], portId, {
    accessControlFields: fields,
  });
  const call = recorder.calls.find(({ path }) => path === "/v1/updateacl");
  expect(Object.keys(call?.body)).toEqual(["refs", "provisionInfo", "accessControlFields"]);
  expect(call?.body.refs).toEqual(["user:ada", "group:ops"]);
  expect(call?.body.accessControlFields).toEqual(fields);
  expect(Object.keys(call?.body.provisionInfo)).toEqual(["request", "result"]);
  const [harbour] = unit().components;
  expect(JSON.parse(call?.body.provisionInfo.request)).toEqual({
    dataProduct: { ...unit(), components: [{ ...harbour, info: { privateInfo: guard } }] },
    componentIdToProvision: portId,
  });
  expect(JSON.parse(call?.body.provisionInfo.result)).toEqual(endedStatus);
  expect(call?.headers["idempotency-key"]).toBe(
    encodeURIComponent(`${token}:access:${portId}`).replaceAll("%3A", ":"),
  );
  expect(await access()).toEqual(["group:ops", "user:ada"]);
  expect(await audited(token)).toEqual([moved("grantAccess", "group:ops"), moved("grantAccess", "user:ada")]);
});

it("the platform is notified, with a signature", async () => {
  const token = await carriedOut(["user:ada", "user:eve"]);
  const notifications = recorder.calls.filter(({ path }) => path === "/access");
  expect(notifications.map(({ method, body }) => [method, body])).toEqual([
    [
      "POST",
      {
        operation: "UPDATE_ACL",
        executionPlanId: token,
        dataProductUrn: unitId,
        outputPortId: 7,
        outputPortUrn: portId,
        requestId: `request-${requests}`,
        identities: ["user:ada", "user:eve"],
        environment: "development",
      },
    ],
  ]);
  expect(notifications[0]?.headers["authorization"]).toMatch(/^Bearer ey/);
  expect(recorder.calls.find(({ path }) => path === "/v1/updateacl")?.headers).not.toHaveProperty(
    "authorization",
  );
});

it("what is not in the set any more is revoked, and an empty set revokes all", async () => {
  await carriedOut(["user:ada", "user:bob"]);
  const second = await carriedOut(["user:bob", "user:cy"]);
  expect(await audited(second)).toEqual([moved("grantAccess", "user:cy"), moved("revokeAccess", "user:ada")]);
  const last = await carriedOut([]);
  expect(await access()).toEqual([]);
  expect(await audited(last)).toEqual([moved("revokeAccess", "user:bob"), moved("revokeAccess", "user:cy")]);
});

it("what the adapter refuses changes nothing in the books", async () => {
  await carriedOut(["user:ada"]);
  recorder.answers.set("/v1/updateacl", { status: 400, body: { errors: ["no such group"] } });
  const answer = await send(["group:none"]);
  expect(await ended(server, answer.body)).toBe("FAILED");
  recorder.answers.set("/v1/updateacl", { status: 200, body: { status: "COMPLETED", info } });
  expect([await access(), await audited(answer.body)]).toEqual([["user:ada"], []]);
  const status = await server.coordinator({
    path: `/v1/deployment-units/${unitId}/provisioning-status?environment=development`,
  });
  expect(status.body.status).toBe("DEPLOYED");
});

it("a platform that can't be notified is a warning", async () => {
  recorder.answers.set("/access", { status: 400, body: { errors: ["not now"] } });
  const token = await carriedOut(["user:ada"]);
  recorder.answers.delete("/access");
  const { body: lines } = await server.coordinator({ path: `/v1/logs/${token}?level=WARNING` });
  expect(lines.map(({ severity, phase, message }: any) => [severity, phase, message])).toEqual([
    [
      "WARNING",
      "PUBLICATION",
      "Publication at the platform failed, which does not stop the plan: POST /access: the service refused with 400: not now",
    ],
  ]);
});

it("a subcomponent is asked for by its own id, with what its parent's adapter returned", async () => {
  const token = await carriedOut(["user:ada"], partId);
  const { body } = recorder.calls.find(({ path }) => path === "/v1/updateacl")!;
  expect(JSON.parse(body.provisionInfo.request).componentIdToProvision).toBe(partId);
  expect(JSON.parse(body.provisionInfo.result)).toEqual(endedStatus);
  expect(await audited(token)).toEqual([moved("grantAccess", "user:ada", partId)]);
});

it("requests on one component take turns and say so, and a provisioning waits for them", async () => {
  const { promise: after, resolve: release } = Promise.withResolvers<void>();
  recorder.answers.set("/v1/updateacl", { status: 200, body: { status: "COMPLETED", info }, after });
  const first = (await send(["user:first"])).body as string;
  const second = (await send(["user:second"])).body as string;
  const token = await begin();
  const waitingOf = async (plan: string): Promise<string[]> => {
    const { text } = await server.coordinator({ path: `/v1/execution-plans/${plan}/status` });
    return [...text.matchAll(/"reason":"([^"]*)"/g)].map(([, reason]) => reason ?? "");
  };
  expect(await waitingOf(second)).toContain(`Waits for the change of access of plan ${first}.`);
  expect((await waitingOf(token)).join()).toMatch(/Waits for the change of access of plan/);
  const { body: seen } = await server.coordinator({ path: `/v1/execution-plans/${token}/status` });
  const { reason, since, next } = seen.dag.waiting;
  const { body: operations } = await server.coordinator({
    path: `/v2/provisioning-operations?include-progress=true&execution-plan-id=${token}`,
  });
  expect(operations.data[0].waitsFor).toEqual({ kind: "QUEUE", reason, since, who: [], until: null, next });
  const others = recorder.calls.filter(({ path }) => path === "/v1/validate");
  expect(others).toEqual([]);
  release();
  for (const plan of [first, second, token]) expect(await ended(server, plan)).toBe("COMPLETED");
  recorder.answers.set("/v1/updateacl", { status: 200, body: { status: "COMPLETED", info } });
  const order = recorder.calls.filter(({ path }) => /updateacl|provision/.test(path));
  expect(order.map(({ path, body }) => body.refs ?? path)).toEqual([
    ["user:first"],
    ["user:second"],
    "/v1/provision",
  ]);
  expect(await access()).toEqual(["user:second"]);
});

it("one that waits for its turn can be terminated without waiting", async () => {
  const { promise: after, resolve: release } = Promise.withResolvers<void>();
  recorder.answers.set("/v1/updateacl", { status: 200, body: { status: "COMPLETED", info }, after });
  const first = (await send(["user:first"])).body as string;
  const second = (await send(["user:second"])).body as string;
  const path = `/v1/execution-plans/${second}/terminate`;
  expect((await server.coordinator({ method: "POST", path })).status).toBe(202);
  expect(await ended(server, second)).toBe("TERMINATED");
  release();
  expect(await ended(server, first)).toBe("COMPLETED");
  recorder.answers.set("/v1/updateacl", { status: 200, body: { status: "COMPLETED", info } });
  expect(await access()).toEqual(["user:first"]);
});

it("subcomponents come and go with their parent, and access with them", async () => {
  await carriedOut(["user:ada"], partId);
  const statusOf = async (id: string): Promise<string> => {
    const path = `/v1/deployment-units/${unitId}/components/${id}/provisioning-status?environment=development`;
    return (await server.coordinator({ path })).body.status;
  };
  expect([await statusOf(portId), await statusOf(partId)]).toEqual(["DEPLOYED", "DEPLOYED"]);
  const dropping = await begin("DEPLOYED", unit([]));
  expect(await ended(server, dropping)).toBe("COMPLETED");
  expect([await statusOf(portId), await statusOf(partId)]).toEqual(["DEPLOYED", "NOT_DEPLOYED"]);
  expect(await access(partId)).toEqual([]);
  expect(await audited(dropping)).toEqual([moved("revokeAccess", "user:ada", partId)]);
  await deploy();
  expect(await statusOf(partId)).toBe("DEPLOYED");
  await carriedOut(["user:eve"]);
  const gone = await begin("NOT_DEPLOYED");
  expect(await ended(server, gone)).toBe("COMPLETED");
  expect([await statusOf(portId), await statusOf(partId)]).toEqual(["NOT_DEPLOYED", "NOT_DEPLOYED"]);
  expect([await access(), await audited(gone)]).toEqual([[], [moved("revokeAccess", "user:eve")]]);
  await deploy();
});

it("what is not consumable any more is revoked by its adapter before it is deployed anew", async () => {
  const closed = (port: boolean, part: boolean) => {
    const parts = [{ id: partId, name: "berths", consumable: !part }];
    const descriptor = unit(parts);
    const components = descriptor.components.map((component) => ({
      ...component,
      ...(port ? { consumable: false } : {}),
    }));
    return { ...descriptor, components };
  };
  await carriedOut(["user:ada"]);
  await carriedOut(["user:bob"], partId);
  const changes = (): string[] =>
    recorder.calls
      .filter(({ path }) => path === "/v1/updateacl" || path === "/v1/provision")
      .map(({ path, body }) =>
        path === "/v1/provision"
          ? "provision"
          : `${JSON.parse(body.provisionInfo.request).componentIdToProvision} ${body.refs}`,
      );
  recorder.calls.length = 0;
  recorder.answers.set("/v1/updateacl", { status: 200, body: { status: "FAILED", result: "no" } });
  const refused = await begin("DEPLOYED", closed(true, false));
  expect(await ended(server, refused)).toBe("FAILED");
  recorder.answers.set("/v1/updateacl", { status: 200, body: { status: "COMPLETED", info } });
  expect(changes()).toEqual([`${portId} `]);
  expect([await access(), await access(partId)]).toEqual([["user:ada"], ["user:bob"]]);
  // Whoever was granted access since is not known to the plan.
  await carriedOut(["user:ada", "user:eve"]);
  const path = `/v1/execution-plans/${refused}/resume`;
  const resumed = await server.coordinator({ method: "POST", path });
  expect([resumed.status, resumed.body.code]).toEqual([409, "COORD_UNIT_CHANGED"]);
  recorder.calls.length = 0;
  const first = await begin("DEPLOYED", closed(true, false));
  expect(await ended(server, first)).toBe("COMPLETED");
  expect(changes()).toEqual([`${portId} `, "provision"]);
  expect([await access(), await access(partId)]).toEqual([[], ["user:bob"]]);
  expect(await audited(first)).toEqual([
    moved("revokeAccess", "user:ada"),
    moved("revokeAccess", "user:eve"),
  ]);
  expect((await send(["user:eve"])).status).toBe(400);
  recorder.calls.length = 0;
  const second = await begin("DEPLOYED", closed(false, true));
  expect(await ended(server, second)).toBe("COMPLETED");
  expect(changes()).toEqual([`${partId} `, "provision"]);
  expect([await access(), await access(partId)]).toEqual([[], []]);
  expect(await audited(second)).toEqual([moved("revokeAccess", "user:bob", partId)]);
  expect((await send(["user:eve"], partId)).status).toBe(400);
  await deploy();
  recorder.calls.length = 0;
  expect(await ended(server, await begin("DEPLOYED", closed(true, true)))).toBe("COMPLETED");
  // Nobody had access, so the adapter has nothing to revoke.
  expect(changes()).toEqual(["provision"]);
  await deploy();
});

it("the guardian is in the bodies of validation and provisioning", async () => {
  await deploy();
  const bodies = ["/v1/validate", "/v1/provision"].map(
    (path) => recorder.calls.find((call) => call.path === path)?.body as { descriptor: string },
  );
  const [harbour] = unit().components;
  for (const { descriptor } of bodies) {
    expect(load(descriptor)).toEqual({
      dataProduct: { ...unit(), components: [{ ...harbour, info: { privateInfo: guard } }] },
      componentIdToProvision: portId,
    });
  }
  const { latestEnrichedDescriptor } = bodies[1] as { descriptor: string; latestEnrichedDescriptor: string };
  expect((load(latestEnrichedDescriptor) as any).components[0].info).toEqual({
    publicInfo: { url: "x" },
    privateInfo: { secret: 1, ...guard },
    latestProvisioningOperation: { operation: "Deploy", status: "Successful" },
  });
});

it("the same request that comes a hundred times at once is carried out once", async () => {
  const more = { requestId: "crowded" };
  const answers = await Promise.all(Array.from({ length: 100 }, () => send(["user:ada"], portId, more)));
  const tokens = new Set(answers.map(({ status, text }) => `${status} ${text}`));
  expect(tokens.size).toBe(1);
  const token = answers[0]?.body as string;
  expect(await ended(server, token)).toBe("COMPLETED");
  await until(
    () => server.coordinator({ path: `/v1/execution-plans/${token}/status` }),
    ({ body }) => body.dag.status === "COMPLETED",
  );
  expect(recorder.calls.filter(({ path }) => path === "/v1/updateacl")).toHaveLength(1);
});
