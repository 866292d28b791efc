/** Subcomponents with an adapter of their own, over an adapter that makes collections of them. */
import { dump, load } from "js-yaml";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  registerAdapter,
  startWholeServer,
  until,
  type Answer,
  type WholeServer,
} from "../support/server.ts";
import { startCollectionAdapter, type CollectionAdapter } from "./collection-adapter.ts";
import { ended } from "./ships.ts";

const databaseAdapterId = "urn:dmb:itm:database:1";
const collectionAdapterId = "urn:dmb:itm:collection:1";
const unitId = "urn:dmb:dp:sea:catch:0";
const prefix = "urn:dmb:cmp:sea:catch:0:";
const storeId = `${prefix}store`;
const ordersId = `${storeId}:orders`;
const shipsId = `${storeId}:ships`;
const reportId = `${prefix}report`;

let server: WholeServer;
let adapter: CollectionAdapter;

const collection = (id: string, more: object = {}) => ({
  id,
  name: id.split(":").at(-1),
  kind: "outputport",
  infrastructureTemplateId: collectionAdapterId,
  dependsOn: [],
  specific: { collection: id.split(":").at(-1) },
  ...more,
});

const unit = (collections: object[] = [collection(ordersId), collection(shipsId)]) => ({
  id: unitId,
  name: "catch",
  version: "1.0.0",
  environment: "development",
  components: [
    {
      id: storeId,
      name: "store",
      kind: "outputport",
      consumable: false,
      infrastructureTemplateId: databaseAdapterId,
      dependsOn: [],
      components: collections,
    },
    {
      id: reportId,
      name: "report",
      kind: "workload",
      infrastructureTemplateId: databaseAdapterId,
      dependsOn: [storeId],
    },
  ],
});

beforeAll(async () => {
  adapter = await startCollectionAdapter(prefix);
  server = await startWholeServer();
  for (const id of [databaseAdapterId, collectionAdapterId]) {
    await enable(id);
  }
});
afterAll(async () => {
  await server.close();
  await adapter.close();
});
beforeEach(() => {
  adapter.calls.length = 0;
  adapter.failing.clear();
});

const enable = (id: string, enabled = true): Promise<void> =>
  registerAdapter(server, { id, url: adapter.url, enabled });

const query = "environment=development";
const request = (descriptor: object, targetStatus: string, more: object) => ({
  descriptor,
  targetStatus: [storeId, reportId].map((componentId) => ({ componentId, targetStatus })),
  ...more,
});

async function run(
  descriptor: object = unit(),
  targetStatus = "DEPLOYED",
  more: object = {},
): Promise<string> {
  const answer = await server.coordinator({
    method: "POST",
    path: `/v2/deployment-units/${unitId}/provisioning?${query}`,
    body: request(descriptor, targetStatus, more),
  });
  expect(answer.status, answer.text).toBe(202);
  return ended(server, answer.body);
}

const preview = async (descriptor: object = unit(), more: object = {}): Promise<string[]> => {
  const answer = await server.coordinator({
    method: "POST",
    path: `/v2/deployment-units/${unitId}/provisioning/preview?${query}`,
    body: request(descriptor, "DEPLOYED", more),
  });
  return answer.body.operations.map(
    ({ componentId, action, reason }: Record<string, string>) =>
      `${componentId!.replace(prefix, "")} ${action}/${reason}`,
  );
};

async function statuses(): Promise<Record<string, string>> {
  const path = `/v1/deployment-units/${unitId}/provisioning-status?${query}`;
  const { body } = await server.coordinator({ path });
  const components = body.provisioningDetails.componentsStatus.map(
    (each: { componentId: string; status: string }) => [each.componentId.replace(prefix, ""), each.status],
  );
  for (const [id, status] of components) {
    const of = `/v1/deployment-units/${unitId}/components/${prefix}${id}/provisioning-status?${query}`;
    expect((await server.coordinator({ path: of })).body.status, id).toBe(status);
  }
  return { unit: body.status, ...Object.fromEntries(components) };
}

/** What a group of calls that may come in any order is compared as. */
const sorted = (calls: string[]): string[] => calls.toSorted();

it("each is validated and provisioned by a call of its own, after its component and before what needs that", async () => {
  expect(await run()).toBe("COMPLETED");
  expect(sorted(adapter.calls.slice(0, 4))).toEqual([
    "validate report",
    "validate store",
    "validate store:orders",
    "validate store:ships",
  ]);
  const [first, ...others] = adapter.calls.slice(4);
  expect(first).toBe("provision store");
  expect([...sorted(others.slice(0, 2)), ...others.slice(2)]).toEqual([
    "provision store:orders",
    "provision store:ships",
    "provision report",
  ]);
  expect(await statuses()).toEqual({
    unit: "DEPLOYED",
    store: "DEPLOYED",
    "store:orders": "DEPLOYED",
    "store:ships": "DEPLOYED",
    report: "DEPLOYED",
  });
  const { provisioningInfo } = (
    await server.coordinator({ path: `/v1/deployment-units/${unitId}/provisioning-status?${query}` })
  ).body.provisioningDetails;
  expect(provisioningInfo[ordersId]).toEqual({ of: "orders" });
});

it("the adapter that comes after sees what theirs have returned", () => {
  const { latestEnrichedDescriptor } = adapter.bodies.get("provision report");
  const { components } = load(latestEnrichedDescriptor) as any;
  expect(components[0].components.map(({ info }: any) => info)).toEqual(
    ["orders", "ships"].map((of) => ({
      publicInfo: { of },
      privateInfo: {},
      latestProvisioningOperation: { operation: "Deploy", status: "Successful" },
    })),
  );
});

it("the operation and the plan show them as tasks of their own", async () => {
  const list = await server.coordinator({
    path: `/v2/provisioning-operations?${query}&deployment-unit-id=${unitId}`,
  });
  const [{ components, operation }] = list.body.data;
  expect(components.map(({ componentId, operationStatus }: any) => [componentId, operationStatus])).toEqual(
    [storeId, ordersId, shipsId, reportId].map((id) => [id, "SUCCEEDED"]),
  );
  const { body } = await server.coordinator({ path: `/v1/execution-plans/${operation.executionPlanId}` });
  expect(JSON.stringify(body)).toContain(`provision:${ordersId}`);
});

it("access to one is changed by its own adapter, with what that returned", async () => {
  const access = (outputPortUrn: string, requestId: string, identities = ["user:ada"]): Promise<Answer> =>
    server.coordinator({
      method: "POST",
      path: "/v1/updateacl",
      body: {
        dataProductUrn: unitId,
        outputPortId: 1,
        outputPortUrn,
        requestId,
        identities,
        environment: "development",
      },
    });
  const refused = await access(storeId, "store");
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [`/outputPortUrn: ${storeId} is not consumable.`],
  ]);
  // To take all access away, as after an upgrade, is never refused for that.
  const emptied = await access(storeId, "emptied", []);
  expect(emptied.status).toBe(202);
  expect(await ended(server, emptied.body)).toBe("COMPLETED");
  adapter.calls.length = 0;
  expect(await ended(server, (await access(ordersId, "orders")).body)).toBe("COMPLETED");
  expect(adapter.calls).toEqual(["updateacl store:orders"]);
  expect(adapter.readers.get(ordersId)).toEqual(["user:ada"]);
  expect(adapter.bodies.get("updateacl store:orders").provisionInfo.result).toContain('"of":"orders"');
  await enable(collectionAdapterId, false);
  const without = await access(ordersId, "without");
  await enable(collectionAdapterId);
  expect([without.status, without.body.errors]).toEqual([
    400,
    [`/outputPortUrn: No adapter of ${ordersId} is enabled in development.`],
  ]);
});

it("a start without an adapter for one of them is refused", async () => {
  const other = collection(`${storeId}:other`, { infrastructureTemplateId: "urn:dmb:itm:nobody:1" });
  const answer = await server.coordinator({
    method: "POST",
    path: `/v2/deployment-units/${unitId}/provisioning?${query}`,
    body: request(unit([other]), "DEPLOYED", {}),
  });
  expect([answer.status, answer.body.inputErrorField]).toEqual([
    400,
    "/descriptor/components/0/components/0/infrastructureTemplateId",
  ]);
  expect(adapter.calls).toEqual([]);
});

it("a validation asks their adapters", async () => {
  adapter.failing.add("validate store:ships");
  const { body: token } = await server.coordinator({
    method: "POST",
    path: "/v2/validate",
    body: { descriptor: dump(unit()) },
  });
  const { body } = await until(
    () => server.coordinator({ path: `/v2/validate/${token}/status` }),
    (answer) => answer.body.status !== "RUNNING",
  );
  const failed = body.validationSummaryStatus.results.filter(({ status }: any) => status === "FAILED");
  expect([body.status, failed.map(({ errors }: any) => errors.inputErrorField)]).toEqual([
    "FAILED",
    ["/descriptor/components/0/components/1"],
  ]);
});

it("a drift check asks their adapters", async () => {
  const { body } = await server.coordinator({
    method: "POST",
    path: `/v1/deployment-units/${unitId}/drift-checks?${query}`,
  });
  const check = await until(
    () => server.coordinator({ path: `/v1/drift-checks/${body}` }),
    (answer) => answer.body.status === "COMPLETED",
  );
  expect(check.body.components.map(({ componentId }: any) => componentId).toSorted()).toEqual(
    [storeId, ordersId, shipsId, reportId].toSorted(),
  );
});

it("one that the descriptor has no more is undeployed after its component is deployed anew", async () => {
  const nets = `${storeId}:nets`;
  expect(
    await run(unit([collection(shipsId), collection(nets)]), "DEPLOYED", { preventRedeploy: true }),
  ).toBe("COMPLETED");
  const calls = adapter.calls.filter((call) => !call.startsWith("validate"));
  expect(calls[0]).toBe("provision store");
  expect(sorted(calls.slice(1, 3))).toEqual(["provision store:nets", "provision store:ships"]);
  expect(calls.slice(3)).toEqual(["unprovision store:orders"]);
  expect([...adapter.collections].toSorted()).toEqual([nets, shipsId].toSorted());
  expect(await statuses()).toMatchObject({
    unit: "DEPLOYED",
    "store:orders": "NOT_DEPLOYED",
    "store:nets": "DEPLOYED",
  });
  expect(await run()).toBe("COMPLETED");
  expect([...adapter.collections].toSorted()).toEqual([ordersId, shipsId].toSorted());
});

it("one that fails is corrupt, its component is not, and only it is repaired", async () => {
  adapter.failing.add("provision store:orders");
  expect(await run()).toBe("FAILED");
  expect(await statuses()).toEqual({
    unit: "CORRUPT",
    store: "DEPLOYED",
    "store:orders": "CORRUPT",
    "store:ships": "DEPLOYED",
    "store:nets": "NOT_DEPLOYED",
    // It needs the store with all that is in it, so its turn did not come.
    report: "DEPLOYED",
  });
  expect(await preview(unit(), { preventRedeploy: true })).toEqual([
    "store NONE/UNCHANGED",
    "store:orders DEPLOY/CORRUPT",
    "store:ships NONE/UNCHANGED",
    "report NONE/UNCHANGED",
  ]);
  adapter.calls.length = 0;
  adapter.failing.clear();
  expect(await run(unit(), "DEPLOYED", { preventRedeploy: true })).toBe("COMPLETED");
  expect(adapter.calls).toEqual(["validate store:orders", "provision store:orders"]);
  expect((await statuses())["unit"]).toBe("DEPLOYED");
  expect(await preview(unit(), { preventRedeploy: true })).toEqual([
    "store NONE/UNCHANGED",
    "store:orders NONE/UNCHANGED",
    "store:ships NONE/UNCHANGED",
    "report NONE/UNCHANGED",
  ]);
});

it("a plan that ended before its turn is resumed, and then deployed", async () => {
  adapter.failing.add("provision store");
  expect(await run()).toBe("FAILED");
  expect(await statuses()).toMatchObject({ unit: "CORRUPT", store: "CORRUPT", "store:orders": "DEPLOYED" });
  adapter.failing.clear();
  const list = await server.coordinator({
    path: `/v2/provisioning-operations?${query}&deployment-unit-id=${unitId}`,
  });
  const failed = list.body.data[0].operation.executionPlanId;
  adapter.calls.length = 0;
  const { body } = await server.coordinator({ method: "POST", path: `/v1/execution-plans/${failed}/resume` });
  expect(await ended(server, body)).toBe("COMPLETED");
  expect(sorted(adapter.calls)).toEqual([
    "provision report",
    "provision store",
    "provision store:orders",
    "provision store:ships",
  ]);
});

it("they are undeployed before their component, as they were deployed", async () => {
  expect(await run(unit([]), "NOT_DEPLOYED")).toBe("COMPLETED");
  expect(adapter.calls[0]).toBe("unprovision report");
  expect(sorted(adapter.calls.slice(1, 3))).toEqual(["unprovision store:orders", "unprovision store:ships"]);
  expect(adapter.calls.slice(3)).toEqual(["unprovision store"]);
  expect([...adapter.collections]).toEqual([]);
  expect(await statuses()).toMatchObject({ unit: "NOT_DEPLOYED", "store:orders": "NOT_DEPLOYED" });
});

it("one of any depth comes after what it is nested in, and goes before it", async () => {
  const archive = {
    id: `${ordersId}:archive`,
    name: "archive",
    components: [collection(`${ordersId}:archive:page`)],
  };
  const nested = unit([collection(ordersId, { components: [archive] })]);
  const ofStore = (): string[] => adapter.calls.filter((call) => call.includes("provision store"));
  expect(await run(nested)).toBe("COMPLETED");
  expect(ofStore()).toEqual([
    "provision store",
    "provision store:orders",
    "provision store:orders:archive:page",
  ]);
  expect(await statuses()).toMatchObject({
    unit: "DEPLOYED",
    "store:orders:archive": "DEPLOYED",
    "store:orders:archive:page": "DEPLOYED",
  });
  adapter.calls.length = 0;
  expect(await run(nested, "NOT_DEPLOYED")).toBe("COMPLETED");
  expect(ofStore()).toEqual([
    "unprovision store:orders:archive:page",
    "unprovision store:orders",
    "unprovision store",
  ]);
});

it("a change of access tells the adapter of one that the component depends on what its provisioning has told", async () => {
  const [store, report] = unit().components;
  const components = [store, { ...report, dependsOn: [ordersId], consumable: true }];
  expect(await run({ ...unit(), components })).toBe("COMPLETED");
  const grant = await server.coordinator({
    method: "POST",
    path: "/v1/updateacl",
    body: {
      dataProductUrn: unitId,
      outputPortId: 1,
      outputPortUrn: reportId,
      requestId: "of a report",
      identities: [],
      environment: "development",
    },
  });
  expect(await ended(server, grant.body)).toBe("COMPLETED");
  const provisioned = load(adapter.bodies.get("provision report").descriptor) as any;
  const [orders, ships] = provisioned.dataProduct.components[0].components;
  expect([orders.info, ships.info]).toEqual([{ publicInfo: { of: "orders" }, privateInfo: {} }, undefined]);
  expect(JSON.parse(adapter.bodies.get("updateacl report").provisionInfo.request)).toEqual(provisioned);
  expect(await run(unit([]), "NOT_DEPLOYED")).toBe("COMPLETED");
});

it("one that becomes a component outlives the component that it was a part of", async () => {
  const inCall = unit([{ id: ordersId, name: "orders", kind: "outputport" }]);
  expect(await run(inCall)).toBe("COMPLETED");
  expect(await statuses()).toMatchObject({ "store:orders": "DEPLOYED" });
  const grant = await server.coordinator({
    method: "POST",
    path: "/v1/updateacl",
    body: {
      dataProductUrn: unitId,
      outputPortId: 1,
      outputPortUrn: ordersId,
      requestId: "moved",
      identities: ["user:ada"],
      environment: "development",
    },
  });
  expect(await ended(server, grant.body)).toBe("COMPLETED");
  // The report was deployed onto the store, which goes after the report has been deployed onto the orders.
  const [, report] = unit().components;
  const components = [collection(ordersId), { ...report, dependsOn: [ordersId] }];
  adapter.calls.length = 0;
  const answer = await server.coordinator({
    method: "POST",
    path: `/v2/deployment-units/${unitId}/provisioning?${query}`,
    body: {
      descriptor: { ...unit(), components },
      targetStatus: [ordersId, reportId].map((componentId) => ({ componentId, targetStatus: "DEPLOYED" })),
    },
  });
  expect(answer.status, answer.text).toBe(202);
  expect(await ended(server, answer.body)).toBe("COMPLETED");
  expect(adapter.calls.filter((call) => !call.startsWith("validate"))).toEqual([
    "provision store:orders",
    "provision report",
    "unprovision store",
  ]);
  expect(await statuses()).toMatchObject({
    unit: "DEPLOYED",
    store: "NOT_DEPLOYED",
    "store:orders": "DEPLOYED",
    report: "DEPLOYED",
  });
  const { body } = await server.coordinator({ path: `/v1/deployment-units/${unitId}/access?${query}` });
  expect(body.data).toMatchObject([{ outputPortUrn: ordersId, identity: "user:ada" }]);
});
