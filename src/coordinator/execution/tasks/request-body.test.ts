import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { createBodyBuilder, type BodyInput, type KnownInfo } from "./request-body.ts";
import type { PlanRequest, SnapshotMember } from "../record/types.ts";

const odd = 'quotes " and \' and \\ and\ttabs, ünïcödé 🚀, "multi\nline"';
const component = (id: string, more: object = {}): object => ({
  id,
  name: `Part ${id}`,
  dependsOn: [],
  specific: { text: odd, empty: "", zero: 0, list: [], yes: "yes", date: "2026-01-01" },
  ...more,
});

const request = (more: Partial<PlanRequest> = {}): PlanRequest => ({
  descriptor: {
    id: "Shop:1",
    name: odd,
    version: "1.0",
    components: [component("A"), component("b", { info: { publicInfo: { given: 1 } } })],
  },
  operations: [],
  removeData: false,
  enrichment: {},
  ...more,
});

const input = (more: Partial<BodyInput> = {}): BodyInput => ({
  isEnriched: true,
  isRetired: false,
  componentId: "A",
  isRoot: false,
  removeData: false,
  predecessors: new Map(),
  ...more,
});

interface Body {
  descriptorKind: string;
  descriptor: string;
  latestEnrichedDescriptor?: string;
  removeData?: boolean;
}

function bodyOf(plan: PlanRequest, wanted: BodyInput, retired: SnapshotMember[] = []): Body {
  const buffers = createBodyBuilder(plan, retired).call(wanted);
  return JSON.parse(Buffer.concat(buffers).toString("utf8")) as Body;
}

const yaml = (text: string | undefined): Record<string, unknown> =>
  load(text ?? "") as Record<string, unknown>;

const known = (value: number): KnownInfo => ({
  info: { publicInfo: { value }, privateInfo: { text: odd } },
  lastOperation: { operation: "Deploy", status: "Successful" },
});

const notStarted = { operation: "Deploy", status: "NotStarted" };

describe("the body of a call", () => {
  it("carries the whole unit and the component's id", () => {
    const plan = request();
    const body = bodyOf(plan, input());
    expect(body.descriptorKind).toBe("COMPONENT_DESCRIPTOR");
    expect(yaml(body.descriptor)).toEqual({ dataProduct: plan.descriptor, componentIdToProvision: "A" });
    expect(body.removeData).toBe(false);
    expect(body).not.toHaveProperty("latestEnrichedDescriptor");
  });

  it("is the unit itself for the root", () => {
    const plan = request();
    const body = bodyOf(plan, input({ isRoot: true, componentId: "Shop:1" }));
    expect(body.descriptorKind).toBe("DATAPRODUCT_DESCRIPTOR");
    expect(yaml(body.descriptor)).toEqual(plan.descriptor);
  });

  it("of a validation has nothing but the descriptor", () => {
    const body = bodyOf(request(), input({ isEnriched: false, predecessors: new Map([["b", known(1)]]) }));
    expect(Object.keys(body)).toEqual(["descriptorKind", "descriptor"]);
  });

  it("passes removeData on", () => {
    expect(bodyOf(request(), input({ isRetired: true, removeData: true })).removeData).toBe(true);
  });

  it.each([
    ["components is empty", { components: [] }],
    ["components is missing", {}],
  ])("stays readable where %s", (_name, more) => {
    const plan = request({ descriptor: { id: "u", ...more }, enrichment: { gone: known(1) } });
    const body = bodyOf(plan, input());
    expect(yaml(body.descriptor)).toMatchObject({ dataProduct: { id: "u" }, componentIdToProvision: "A" });
    expect(yaml(body.latestEnrichedDescriptor)).toMatchObject({ id: "u", components: [] });
  });

  it("keeps an id that YAML would read as something else", () => {
    for (const id of ["1", "true", "null", "a: b", "x #y", "- z", '"q"', "é:🚀"]) {
      expect(yaml(bodyOf(request(), input({ componentId: id })).descriptor)["componentIdToProvision"]).toBe(
        id,
      );
    }
  });
});

describe("the enriched descriptor", () => {
  const infosOf = (body: Body): unknown[] =>
    (yaml(body.latestEnrichedDescriptor)["components"] as { info: unknown }[]).map(({ info }) => info);

  it("tells of each component what its adapter said last, predecessors of this plan first", () => {
    const plan = request({ enrichment: { a: known(1), b: known(2) } });
    const body = bodyOf(plan, input({ predecessors: new Map([["b", known(3)]]) }));
    expect(infosOf(body)).toEqual([
      { ...known(1).info, latestProvisioningOperation: known(1).lastOperation },
      { ...known(3).info, latestProvisioningOperation: known(3).lastOperation },
    ]);
    const { components } = yaml(body.latestEnrichedDescriptor) as { components: object[] };
    expect(components[0]).toMatchObject(component("A"));
  });

  it("falls back on the info that the descriptor brought, and says what was never started", () => {
    const body = bodyOf(request({ enrichment: { a: { info: null, lastOperation: null } } }), input());
    expect(infosOf(body)).toEqual([
      { latestProvisioningOperation: notStarted },
      { publicInfo: { given: 1 }, latestProvisioningOperation: notStarted },
    ]);
  });
});

describe("an unprovision", () => {
  const member = (key: string, descriptor: object): SnapshotMember => ({
    key,
    id: key,
    name: null,
    parentKey: null,
    infrastructureTemplateId: null,
    descriptor,
    hash: "",
    dependsOn: [],
    descriptorVersion: null,
    position: 0,
  });
  const old = component("A", { specific: { version: "old" } });
  const removed = component("Z");
  const retired = [member("a", old), member("z", removed)];

  it("speaks of what is deployed, not of what is wanted", () => {
    const plan = request();
    const body = bodyOf(plan, input({ isRetired: true }), retired);
    const [, b] = (plan.descriptor as { components: object[] }).components;
    expect(yaml(body.descriptor)["dataProduct"]).toEqual({
      ...plan.descriptor,
      components: [old, b, removed],
    });
  });

  it("leaves the provisions of its plan as they are", () => {
    const plan = request();
    const body = bodyOf(plan, input(), retired);
    expect(yaml(body.descriptor)["dataProduct"]).toEqual(plan.descriptor);
  });
});

describe("the guardian of a data contract", () => {
  const plan = request({ guardians: { b: "policy-7" }, enrichment: { b: known(2) } });
  const guard = { __dataContractGuardian: { policyId: "policy-7" } };

  it("stands in the private info of its component, beside what the descriptor and the adapter say", () => {
    const body = bodyOf(plan, input());
    const { dataProduct } = yaml(body.descriptor) as { dataProduct: { components: object[] } };
    expect(dataProduct.components).toEqual([
      component("A"),
      component("b", { info: { publicInfo: { given: 1 }, privateInfo: guard } }),
    ]);
    const { components } = yaml(body.latestEnrichedDescriptor) as { components: object[] };
    expect(components[1]).toMatchObject({
      info: { publicInfo: { value: 2 }, privateInfo: { text: odd, ...guard } },
    });
  });

  it("is in the body of a validation too", () => {
    const { dataProduct } = yaml(bodyOf(plan, input({ isEnriched: false })).descriptor) as {
      dataProduct: { components: { info?: object }[] };
    };
    expect(dataProduct.components[1]?.info).toEqual({ publicInfo: { given: 1 }, privateInfo: guard });
  });
});

it("a notice says what happened, and what is known of each component", () => {
  const body = createBodyBuilder(request(), []).notice({
    operation: "PUBLISH",
    planId: "plan-1",
    environment: "development",
    unitId: "Shop:1",
    predecessors: new Map([["a", { info: null, lastOperation: known(1).lastOperation }]]),
  });
  const { descriptor, latestEnrichedDescriptor, ...rest } = JSON.parse(
    Buffer.concat(body).toString("utf8"),
  ) as Record<string, string>;
  expect(rest).toEqual({
    operation: "PUBLISH",
    executionPlanId: "plan-1",
    environment: "development",
    deploymentUnitId: "Shop:1",
  });
  expect(yaml(descriptor)).toEqual(request().descriptor);
  expect(yaml(latestEnrichedDescriptor)["components"]).toMatchObject([
    { id: "A", info: { latestProvisioningOperation: { operation: "Deploy", status: "Successful" } } },
    { id: "b", info: { publicInfo: { given: 1 }, latestProvisioningOperation: notStarted } },
  ]);
});

it("two builders of one plan make the same bytes, also when the plan comes back from a database", () => {
  const plan = request({ enrichment: { b: known(2) } });
  const stored = JSON.parse(JSON.stringify(plan)) as PlanRequest;
  const wanted = input({ predecessors: new Map([["b", known(3)]]) });
  const [first, second] = [plan, stored].map((each) =>
    Buffer.concat(createBodyBuilder(each, []).call(wanted)),
  );
  expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
});
