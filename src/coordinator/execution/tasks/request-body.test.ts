import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { adapterRequestProblems } from "../../../../test/support/adapter-openapi.ts";
import { createBodyBuilder, sentDescriptor, type BodyInput, type KnownInfo } from "./request-body.ts";
import type { PlanRequest, SnapshotMember } from "../types.ts";

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

  it("of a validation has nothing that adapters returned", () => {
    const plan = request({ enrichment: { b: known(1) } });
    const needsB = { ...plan, descriptor: { id: "u", components: [component("A", { dependsOn: ["b"] })] } };
    const body = bodyOf(needsB, input({ isEnriched: false, predecessors: new Map([["b", known(1)]]) }));
    expect(Object.keys(body)).toEqual(["descriptorKind", "descriptor", "removeData"]);
    expect(yaml(body.descriptor)["dataProduct"]).toEqual(needsB.descriptor);
  });

  it("passes removeData on", () => {
    expect(bodyOf(request(), input({ isRetired: true, removeData: true })).removeData).toBe(true);
    expect(bodyOf(request(), input({ isEnriched: false, removeData: true })).removeData).toBe(true);
  });

  it("keeps a text that ends in empty lines, wherever it stands", () => {
    const text = { specific: { text: "one\ntwo\n\n\n" } };
    const unit = { id: "u", components: [component("A", text), component("b", text)], note: "a\n\n" };
    const plan = request({ descriptor: unit, enrichment: { b: known(1) } });
    const body = bodyOf(plan, input());
    expect(yaml(body.descriptor)["dataProduct"]).toEqual(unit);
    expect(yaml(body.latestEnrichedDescriptor)["components"]).toMatchObject([text, text]);
    expect(yaml(bodyOf(plan, input({ isRoot: true })).descriptor)).toEqual(unit);
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

describe("the info of dependencies", () => {
  const unit = (...components: object[]): Partial<PlanRequest> => ({ descriptor: { id: "u", components } });
  const sentTo = (plan: PlanRequest, wanted: Partial<BodyInput> = {}, retired: SnapshotMember[] = []) => {
    const { dataProduct } = yaml(bodyOf(plan, input(wanted), retired).descriptor);
    return (dataProduct as { components: unknown }).components;
  };
  const { info } = known(2);

  it("stands below the entry of each direct dependency, and of nothing else", () => {
    const parts = [
      component("A", { dependsOn: ["B", "c"] }),
      component("b"),
      component("c", { dependsOn: ["d"], specific: { text: odd } }),
      component("d"),
    ];
    const enrichment = { a: known(1), b: known(2), d: known(4) };
    const predecessors = new Map([
      ["c", known(3)],
      ["d", known(5)],
    ]);
    expect(sentTo(request({ ...unit(...parts), enrichment }), { predecessors })).toEqual([
      parts[0],
      { ...parts[1], info },
      { ...parts[2], info: known(3).info },
      parts[3],
    ]);
  });

  it("has both parts, and no more than these", () => {
    const parts = [component("A", { dependsOn: ["b"] }), component("b")];
    const listed = { publicInfo: { url: "x" }, aclInfo: ["user:ada"] };
    const enrichment = { b: { info: listed, lastOperation: null } };
    expect(sentTo(request({ ...unit(...parts), enrichment }))).toEqual([
      parts[0],
      { ...parts[1], info: { publicInfo: { url: "x" }, privateInfo: {} } },
    ]);
  });

  it("goes before what the descriptor says of itself, and keeps the guardian", () => {
    const old = { publicInfo: { value: 0 }, privateInfo: {}, more: true };
    const parts = [component("A", { dependsOn: ["b"] }), component("b", { info: old })];
    const plan = request({ ...unit(...parts), enrichment: { b: known(2) }, guardians: { b: "policy-7" } });
    const privateInfo = { text: odd, __dataContractGuardian: { policyId: "policy-7" } };
    expect(sentTo(plan)).toEqual([parts[0], { ...parts[1], info: { ...info, more: true, privateInfo } }]);
  });

  it("is left out where nothing is known", () => {
    const parts = [component("A", { dependsOn: ["b"] }), component("b")];
    const enrichment = { b: { info: null, lastOperation: known(1).lastOperation } };
    expect(sentTo(request({ ...unit(...parts), enrichment }))).toEqual(parts);
  });

  it("of a subcomponent is that of its parent, and it may be a dependency itself", () => {
    const list = component("list", { components: [component("list:one"), { name: "two" }] });
    const plan = request({
      ...unit(list, component("b", { dependsOn: ["list:TWO"] })),
      enrichment: { list: known(1), "list:two": known(2) },
    });
    expect(sentTo(plan, { componentId: "list:one" })).toEqual([
      { ...list, info: known(1).info },
      component("b", { dependsOn: ["list:TWO"] }),
    ]);
    expect(sentTo(plan, { componentId: "b" })).toEqual([
      component("list", { components: [component("list:one"), { name: "two", info }] }),
      component("b", { dependsOn: ["list:TWO"] }),
    ]);
  });

  it("follows the deployed snapshot where the component goes", () => {
    const parts = [component("A"), component("b")];
    const deployed = member("a", component("A", { dependsOn: ["b"] }));
    const plan = request({ ...unit(...parts), enrichment: { b: known(2) } });
    expect(sentTo(plan, { isRetired: true }, [deployed])).toEqual([
      deployed.descriptor,
      { ...(parts[1] as object), info },
    ]);
  });

  it("is the same in the descriptor of a change of access", () => {
    const parts = [component("A", { dependsOn: ["b"] }), component("b", { components: [{ name: "c" }] })];
    const plan = request({ ...unit(...parts), guardians: { a: "policy-7" }, enrichment: { b: known(2) } });
    const { dataProduct } = yaml(bodyOf(plan, input()).descriptor);
    expect(sentDescriptor(plan, "A", new Map([["b", info]]))).toEqual(dataProduct);
  });

  it("is in the descriptor of a change of access too where the plan is older than guardians, which are null then", () => {
    const parts = [component("A", { dependsOn: ["b"] }), component("b")];
    const plan = request({ ...unit(...parts), guardians: null as never });
    expect(sentDescriptor(plan, "A", new Map([["b", info]]))).toMatchObject({
      components: [parts[0], { ...parts[1], info }],
    });
  });

  it("prints what many share once", () => {
    const text = "x".repeat(10_000);
    const many = Array.from({ length: 50 }, (_, n) => component(`c${n}`, { dependsOn: ["b"] }));
    const plan = request({
      ...unit(component("b", { specific: { text } }), ...many),
      enrichment: { b: known(2) },
    });
    const builder = createBodyBuilder(plan, []);
    const largest = many.map((_, n) => {
      const body = builder.call(input({ componentId: `c${n}`, predecessors: new Map() }));
      return body.filter(({ buffer }) => buffer.byteLength >= text.length).map(({ buffer }) => buffer);
    });
    expect(new Set(largest.flat()).size).toBeLessThan(10);
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

  it("keeps the latest info of a component whose adapter returned none, and says what was done to it", () => {
    const silent = { info: null, lastOperation: { operation: "Deploy", status: "Successful" } } as const;
    const first = bodyOf(request(), input({ predecessors: new Map([["b", silent]]) }));
    expect(infosOf(first)[1]).toEqual({
      publicInfo: { given: 1 },
      latestProvisioningOperation: silent.lastOperation,
    });
    const unit = { id: "u", components: [component("A", { dependsOn: ["b"] }), component("b")] };
    const before = { ...known(1), lastOperation: { operation: "Deploy", status: "Failed" } } as const;
    const again = bodyOf(
      request({ descriptor: unit, enrichment: { b: before } }),
      input({ predecessors: new Map([["b", silent]]) }),
    );
    expect(infosOf(again)[1]).toEqual({
      ...known(1).info,
      latestProvisioningOperation: silent.lastOperation,
    });
    const { dataProduct } = yaml(again.descriptor) as { dataProduct: { components: { info: unknown }[] } };
    expect(dataProduct.components[1]?.info).toEqual(known(1).info);
  });

  it("has the info of the unit itself where an adapter provisions it", () => {
    const unit = { id: "Shop:1", info: { publicInfo: { given: 2 } }, components: [component("A")] };
    const later = bodyOf(request({ descriptor: unit, enrichment: { "shop:1": known(4) } }), input());
    expect(yaml(later.latestEnrichedDescriptor)).toEqual({
      id: "Shop:1",
      info: { ...known(4).info, latestProvisioningOperation: known(4).lastOperation },
      components: [{ ...component("A"), info: { latestProvisioningOperation: notStarted } }],
    });
    const first = bodyOf(request(), input({ predecessors: new Map([["shop:1", known(5)]]) }));
    expect(yaml(first.latestEnrichedDescriptor)["info"]).toMatchObject({ ...known(5).info });
    const without = bodyOf(request({ descriptor: unit, enrichment: { a: known(1) } }), input());
    expect(yaml(without.latestEnrichedDescriptor)["info"]).toEqual({ publicInfo: { given: 2 } });
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

it("the bodies of validation, provision and unprovision, byte by byte", () => {
  const storage = { id: "u:s", dependsOn: [] };
  const port = { id: "u:p", dependsOn: ["u:s"] };
  const plan = request({
    descriptor: { id: "u", components: [storage, port] },
    enrichment: {
      "u:s": {
        info: { publicInfo: { url: "x" }, privateInfo: { bucket: "b" } },
        lastOperation: { operation: "Deploy", status: "Successful" },
      },
    },
  });
  const textOf = (wanted: Partial<BodyInput>): string =>
    Buffer.concat(createBodyBuilder(plan, []).call(input({ componentId: "u:p", ...wanted }))).toString();
  const knownInfo = String.raw`{\"publicInfo\":{\"url\":\"x\"},\"privateInfo\":{\"bucket\":\"b\"}`;
  expect(textOf({ isEnriched: false, removeData: true })).toBe(
    String.raw`{"descriptorKind":"COMPONENT_DESCRIPTOR","descriptor":"dataProduct:\n  id: u\n  components:\n` +
      String.raw`  - id: u:s\n    dependsOn: []\n  - id: u:p\n    dependsOn:\n      - u:s\n` +
      String.raw`componentIdToProvision: u:p\n","removeData":true}`,
  );
  for (const removeData of [false, true])
    expect(textOf({ removeData })).toBe(
      String.raw`{"descriptorKind":"COMPONENT_DESCRIPTOR","descriptor":"dataProduct:\n  id: u\n  components:\n` +
        String.raw`  - id: u:s\n    dependsOn: []\n    info: ${knownInfo}}\n  - id: u:p\n    dependsOn:\n      - u:s\n` +
        String.raw`componentIdToProvision: u:p\n","latestEnrichedDescriptor":"id: u\ncomponents:\n` +
        String.raw`- id: u:s\n  dependsOn: []\n  info: ${knownInfo},\"latestProvisioningOperation\":` +
        String.raw`{\"operation\":\"Deploy\",\"status\":\"Successful\"}}\n- id: u:p\n  dependsOn:\n    - u:s\n` +
        String.raw`  info: {\"latestProvisioningOperation\":{\"operation\":\"Deploy\",\"status\":\"NotStarted\"}}\n",` +
        `"removeData":${removeData}}`,
    );
  for (const [path, isEnriched] of [
    ["/v1/validate", false],
    ["/v2/validate", false],
    ["/v1/provision", true],
    ["/v1/unprovision", true],
  ] as const)
    for (const isRoot of [true, false]) {
      const body: unknown = JSON.parse(textOf({ isEnriched, isRoot }));
      expect(adapterRequestProblems({ method: "POST", path, body })).toEqual([]);
    }
});
