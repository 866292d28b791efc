/** What adapters are told of earlier calls, and what readers are told of the operation. */
import { load } from "js-yaml";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import { mockAdapterId, registerAdapter, startWholeServer, type WholeServer } from "../support/server.ts";
import { ended, hullId, mastId, provisioningPath, sailId, ships, wanted, type Ships } from "./ships.ts";

const rootAdapterId = "urn:dmb:itm:fleet:1";
const unitId = "urn:dmb:dp:sea:told:0";

let server: WholeServer;
let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
  server = await startWholeServer();
  for (const id of [mockAdapterId, rootAdapterId]) await registerAdapter(server, { id, url: recorder.url });
});
afterAll(async () => {
  await server.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.calls.length = 0;
  recorder.answers.set("/v1/validate", { status: 200, body: { valid: true } });
});

const unit = (): Ships & { infrastructureTemplateId: string } => ({
  ...ships(unitId),
  infrastructureTemplateId: rootAdapterId,
});

const answer = (more: object = {}) => ({
  status: 200,
  body: { status: "COMPLETED", result: "", ...more },
});

async function run(targetStatus: object[], more: object = {}): Promise<void> {
  const { status, body } = await server.coordinator({
    method: "POST",
    path: provisioningPath(unitId),
    body: { descriptor: unit(), targetStatus, ...more },
  });
  expect([status, body]).toEqual([202, expect.any(String)]);
  expect(await ended(server, body)).toBe("COMPLETED");
}

/** The last call of an operation for a component, or for the unit. */
function sent(operation: string, id = unitId): any {
  const { body } = recorder.calls.findLast(({ path, body: call }) => {
    const { componentIdToProvision = unitId } = load(call?.descriptor ?? "") as any;
    return path === `/v1/${operation}` && componentIdToProvision === id;
  })!;
  const enriched = load(body.latestEnrichedDescriptor ?? "{}") as any;
  const infos = enriched.components?.map((each: any) => [each.id, each.info]);
  return { ...body, enriched, infos: Object.fromEntries(infos ?? []) };
}

const successful = { latestProvisioningOperation: { operation: "Deploy", status: "Successful" } };
const notStarted = { latestProvisioningOperation: { operation: "Deploy", status: "NotStarted" } };
const info = { publicInfo: { dock: 7 }, privateInfo: { key: "k" } };
const phases = {
  logs: [{ timestamp: "2026-11-28T08:00:00Z", level: "INFO", message: "made", phase: "keel" }],
};

it("a predecessor that returned no info was successful all the same", async () => {
  recorder.answers.set("/v1/provision", answer(phases));
  await run(wanted(unit()));
  expect(sent("provision")).not.toHaveProperty("latestEnrichedDescriptor");
  const { enriched, infos } = sent("provision", sailId);
  expect(enriched.info).toEqual(successful);
  expect(infos).toEqual({ [hullId]: successful, [mastId]: successful, [sailId]: notStarted });
});

it("a line of the adapter keeps its phase beside that of the plan", async () => {
  const { body } = await server.coordinator({
    path: `/v2/provisioning-operations?environment=development&deployment-unit-id=${unitId}`,
  });
  const log = await server.coordinator({ path: `/v1/logs/${body.data[0].operation.executionPlanId}` });
  const lines = log.body.filter(({ message }: any) => message === "made");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatchObject({
    phase: "PROVISIONING:ADAPTER",
    adapterPhase: "keel",
    adapterTimestamp: "2026-11-28T08:00:00.000Z",
  });
});

it("an answer without info leaves the latest one, of the unit itself too", async () => {
  recorder.answers.set("/v1/provision", answer({ info }));
  await run(wanted(unit()));
  recorder.answers.set("/v1/provision", answer());
  await run(wanted(unit()));
  await run(wanted(unit()));
  const latest = { ...info, ...successful };
  const { enriched, infos, descriptor } = sent("provision", sailId);
  expect(enriched.info).toEqual(latest);
  expect(infos).toEqual({ [hullId]: latest, [mastId]: latest, [sailId]: latest });
  expect((load(descriptor) as any).dataProduct.components[1].info).toEqual(info);
});

it("removeData goes to the unprovision calls of the plan and to no other", async () => {
  recorder.answers.set("/v1/unprovision", answer());
  const [hull, mast, sail] = wanted(unit());
  await run([hull!, mast!, { ...sail!, targetStatus: "NOT_DEPLOYED" }], { removeData: true });
  const flags = Object.groupBy(recorder.calls, ({ path }) => path);
  expect(flags["/v1/validate"]?.map(({ body }) => body.removeData)).toEqual([false, false]);
  expect(flags["/v1/provision"]?.map(({ body }) => body.removeData)).toEqual([false, false]);
  expect(flags["/v1/unprovision"]?.map(({ body }) => body.removeData)).toEqual([true]);
});

it("a unit of which a part was undeployed is deployed still, for every reader", async () => {
  const partial = [
    { componentId: hullId, targetStatus: "DEPLOYED", action: "NONE" },
    { componentId: mastId, targetStatus: "DEPLOYED", action: "NONE" },
    { componentId: sailId, targetStatus: "NOT_DEPLOYED" },
  ];
  await run(wanted(unit()));
  await run(partial);
  const readers = async () => {
    const operations = await server.coordinator({
      path: `/v2/provisioning-operations?environment=development&deployment-unit-id=${unitId}&limit=1`,
    });
    const feed = await server.coordinator({ path: "/v1/descriptors?kind=pre-deployed&limit=100" });
    return [operations.body.data[0].operation.provisioningAction, feed.body.descriptors.at(-1).operation];
  };
  expect(await readers()).toEqual(["DEPLOY", "Provision"]);
  const status = `/v1/deployment-units/${unitId}/provisioning-status?environment=development`;
  const { provisioningInfo } = (await server.coordinator({ path: status })).body.provisioningDetails;
  expect(Object.keys(provisioningInfo)).toEqual([unitId, hullId, mastId]);
  await run(wanted(unit(), "NOT_DEPLOYED"));
  expect(await readers()).toEqual(["UNDEPLOY", "Unprovision"]);
  await run(wanted(unit(), "NOT_DEPLOYED"));
  expect(await readers()).toEqual(["UNDEPLOY", "Unprovision"]);
});
