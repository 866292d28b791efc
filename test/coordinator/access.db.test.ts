import { afterAll, beforeAll, expect, it } from "vitest";
import { mockAdapterId, startWholeServer, testRoles, type Call, type TestRole } from "../support/server.ts";
import type { WholeServer } from "../support/server.ts";
import { countRows, expectErrorObject } from "./refusals.ts";
import { hullId, previewPath, provisioning, provisioningPath, unitId } from "./ships.ts";

let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
});
afterAll(() => server.close());

const unknownId = "00000000-0000-4000-8000-000000000000";
const unit = `/v1/deployment-units/${unitId}`;
const adapter = `/v1/tech-adapters/${mockAdapterId}`;
const query = "?environment=development";
const viewers: TestRole[] = ["viewer", "developer", "operator", "admin", "service"];
const developers: TestRole[] = ["developer", "operator", "admin", "service"];
const operators: TestRole[] = ["operator", "admin", "service"];
const admins: TestRole[] = ["admin"];
const people: TestRole[] = ["operator", "admin"];

/** Every operation of the interface, and the roles that may call it. */
const operations: [id: string, call: Call, roles: TestRole[]][] = [
  ["validateDescriptor", { method: "POST", path: "/v1/validate", body: { descriptor: "a" } }, developers],
  ["startValidation", { method: "POST", path: "/v2/validate", body: { descriptor: "a" } }, developers],
  ["getValidationStatus", { path: `/v2/validate/${unknownId}/status` }, viewers],
  ["sendAccessRequest", { method: "POST", path: "/v1/updateacl", body: {} }, operators],
  ["startReverseProvisioning", { method: "POST", path: "/v1/reverse-provisioning", body: {} }, developers],
  ["getUnitStatus", { path: `${unit}/provisioning-status${query}` }, viewers],
  ["getComponentStatus", { path: `${unit}/components/${hullId}/provisioning-status${query}` }, viewers],
  ["listUnits", { path: "/v1/deployment-units" }, viewers],
  ["getUnitEnvironments", { path: `${unit}/environments` }, viewers],
  ["getUnitFacets", { path: "/v1/deployment-unit-facets" }, viewers],
  ["listUnitAccess", { path: `${unit}/access` }, viewers],
  ["searchEverything", { path: "/v1/search?q=a" }, viewers],
  ["listWaiting", { path: "/v1/waiting" }, viewers],
  ["listEnvironments", { path: "/v1/environments" }, viewers],
  ["previewProvisioning", { method: "POST", path: previewPath(), body: provisioning() }, developers],
  ["startProvisioning", { method: "POST", path: provisioningPath(), body: provisioning() }, developers],
  [
    "terminateUnitProvisioning",
    { method: "POST", path: `/v2/deployment-units/${unitId}/provisioning/terminate${query}` },
    operators,
  ],
  ["resumePlan", { method: "POST", path: `/v1/execution-plans/${unknownId}/resume` }, developers],
  [
    "rollBack",
    { method: "POST", path: `/v2/deployment-units/${unitId}/provisioning/rollback${query}`, body: {} },
    developers,
  ],
  [
    "previewRollback",
    {
      method: "POST",
      path: `/v2/deployment-units/${unitId}/provisioning/rollback/preview${query}`,
      body: {},
    },
    developers,
  ],
  ["listOperations", { path: "/v2/provisioning-operations" }, viewers],
  ["listPlans", { path: "/v1/provisioning-plans" }, viewers],
  ["listResources", { path: "/v1/resources" }, viewers],
  ["listPreDeployedDescriptors", { path: "/v1/descriptors" }, viewers],
  ["getUnitDiff", { path: `${unit}/diff` }, viewers],
  ["provisionDescriptor", { method: "POST", path: "/v1/provision", body: {} }, developers],
  ["unprovisionDescriptor", { method: "POST", path: "/v1/unprovision", body: {} }, developers],
  ["getProvisionStatus", { path: `/v1/provision/${unknownId}/status` }, operators],
  ["registerTemplate", { method: "POST", path: "/v1/templates", body: {} }, operators],
  ["getPlan", { path: `/v1/execution-plans/${unknownId}` }, viewers],
  ["getPlanStatus", { path: `/v1/execution-plans/${unknownId}/status` }, viewers],
  ["getPlanTiming", { path: `/v1/execution-plans/${unknownId}/timing` }, viewers],
  ["getTerminationPreview", { path: `/v1/execution-plans/${unknownId}/termination` }, viewers],
  [
    "getUnitTerminationPreview",
    { path: `/v2/deployment-units/${unitId}/provisioning/termination${query}` },
    viewers,
  ],
  ["streamPlanEvents", { path: `/v1/execution-plans/${unknownId}/events` }, viewers],
  ["getPlanLogs", { path: `/v1/logs/${unknownId}` }, viewers],
  ["terminatePlan", { method: "POST", path: `/v1/execution-plans/${unknownId}/terminate` }, operators],
  ["createTechAdapter", { method: "POST", path: "/v1/tech-adapters", body: {} }, operators],
  ["listTechAdapters", { path: "/v1/tech-adapters" }, viewers],
  ["getTechAdapter", { path: adapter }, viewers],
  ["deleteTechAdapter", { method: "DELETE", path: adapter }, operators],
  ["upsertAdapterDeployment", { method: "PUT", path: `${adapter}/deployments/moon`, body: {} }, operators],
  ["getAdapterDeployment", { path: `${adapter}/deployments/moon` }, viewers],
  ["listAdapterCalls", { path: `${adapter}/deployments/moon/calls` }, viewers],
  ["listAdapterHealth", { path: "/v1/adapter-health" }, viewers],
  ["listMaintenanceWindows", { path: "/v1/maintenance-windows" }, viewers],
  ["putMaintenanceWindows", { method: "PUT", path: "/v1/maintenance-windows/moon", body: {} }, operators],
  ["startDriftCheck", { method: "POST", path: `${unit}/drift-checks${query}` }, developers],
  ["listDriftChecks", { path: `${unit}/drift-checks${query}` }, viewers],
  ["getDriftCheck", { path: `/v1/drift-checks/${unknownId}` }, viewers],
  ["listDriftSchedules", { path: "/v1/drift-schedules" }, viewers],
  ["listReconciles", { path: "/v1/reconciles" }, viewers],
  ["getReconcile", { path: `/v1/reconciles/${unknownId}` }, viewers],
  ["approveReconcile", { method: "POST", path: `/v1/reconciles/${unknownId}/approve` }, developers],
  ["refuseReconcile", { method: "POST", path: `/v1/reconciles/${unknownId}/refuse`, body: {} }, developers],
  ["listUnknownOutcomes", { path: "/v1/unknown-outcomes" }, viewers],
  [
    "settleUnknownOutcome",
    { method: "POST", path: `/v1/unknown-outcomes/${unknownId}/a/settle`, body: {} },
    people,
  ],
  ["listNoticeChannels", { path: "/v1/notice-channels" }, operators],
  ["listNotices", { path: "/v1/notices" }, operators],
  ["getNotice", { path: `/v1/notices/${unknownId}` }, operators],
  ["sendNoticeAgain", { method: "POST", path: `/v1/notices/${unknownId}/send-again` }, operators],
  ["sendTestNotice", { method: "POST", path: "/v1/notices/test", body: {} }, operators],
  ["getNoticeChoices", { path: "/v1/notice-choices" }, viewers],
  ["putNoticeChoices", { method: "PUT", path: "/v1/notice-choices", body: {} }, viewers],
  ["listWebhooks", { path: "/v1/webhooks" }, operators],
  ["listWebhookDeliveries", { path: "/v1/webhook-deliveries" }, operators],
  ["readRetention", { path: "/v1/retention" }, operators],
  ["checkInstallation", { path: "/v1/doctor" }, admins],
  ["listAudit", { path: "/v1/audit" }, people],
  ["getAuditExport", { path: "/v1/audit/export" }, people],
  ["listAuditChains", { path: "/v1/audit/chains" }, people],
  ["getAuditVerification", { path: "/v1/audit/chains/platform/verification" }, people],
  ["replayWebhookDeliveries", { method: "POST", path: "/v1/webhook-deliveries/replay", body: {} }, operators],
  ["pollUnknownOutcome", { method: "POST", path: `/v1/unknown-outcomes/${unknownId}/a/poll` }, people],
  ["deleteAdapterDeployment", { method: "DELETE", path: `${adapter}/deployments/moon` }, operators],
];

const badCredentials: [what: string, headers: Record<string, string>, code: string][] = [
  ["no credentials", {}, "PLATFORM_UNAUTHENTICATED"],
  ["an unknown token", { authorization: "Bearer nobody-knows-this-token" }, "PLATFORM_TOKEN_INVALID"],
  ["an empty token", { authorization: "Bearer " }, "PLATFORM_TOKEN_INVALID"],
  ["another scheme", { authorization: "Basic YTpi" }, "PLATFORM_TOKEN_INVALID"],
  ["something like a JWT", { authorization: "Bearer e30.e30.e30" }, "PLATFORM_TOKEN_INVALID"],
];

it("knows every operation of the document", async () => {
  const { body } = await server.coordinator({ path: "/openapi.json", as: null });
  const ids = Object.values<object>(body.paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId as string),
  );
  expect(new Set(ids)).toEqual(new Set(operations.map(([id]) => id)));
});

it.each(operations)("%s answers 401 to whoever is not known", async (...[, call]) => {
  const before = await countRows(server);
  for (const [what, headers, code] of badCredentials) {
    const answer = await server.coordinator({ ...call, as: null, headers });
    expect([answer.status, answer.body.code], what).toEqual([401, code]);
    expectErrorObject(answer);
    expect(answer.headers.get("www-authenticate"), what).toMatch(
      code === "PLATFORM_TOKEN_INVALID"
        ? /^Bearer realm="plinth", error="invalid_token", error_description="[^"]+"$/
        : /^Bearer realm="plinth"$/,
    );
  }
  expect(await countRows(server)).toEqual(before);
});

it.each(operations)("%s answers 403 to roles that may not call it", async (...[id, call, roles]) => {
  const before = await countRows(server);
  for (const role of testRoles.filter((each) => !roles.includes(each))) {
    const answer = await server.coordinator({ ...call, as: role });
    expect([role, answer.status, answer.body.code]).toEqual([role, 403, "PLATFORM_FORBIDDEN"]);
    expectErrorObject(answer);
    expect(answer.body.userMessage).toContain(id);
    expect(answer.headers.get("www-authenticate")).toMatch(
      /^Bearer realm="plinth", error="insufficient_scope"/,
    );
  }
  expect(await countRows(server)).toEqual(before);
});

it.each(operations)("%s lets the other roles in", async (...[, call, roles]) => {
  for (const role of roles) {
    const { status } = await server.coordinator({ ...call, as: role });
    expect([role, status]).toEqual([role, expect.not.toBeOneOf([401, 403])]);
  }
});

it("asks who it is before it reads what was sent", async () => {
  const call = { method: "POST", path: "/v1/validate", body: "{", as: null } as const;
  expect((await server.coordinator(call)).status).toBe(401);
});
