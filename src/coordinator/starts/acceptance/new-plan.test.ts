import { describe, expect, it } from "vitest";
import { decide, deploy, part, template, undeploy } from "../../../../test/properties/planner-fixture.ts";
import type { ProvisioningPlan } from "../../planning/plan.ts";
import { newTasks, planRequest, type NewPlanInput } from "./new-plan.ts";
import type { ComponentRow } from "../../units/store.ts";

const input = (plan: ProvisioningPlan, more: Partial<NewPlanInput> = {}): NewPlanInput => ({
  planId: "p1",
  plan,
  unit: plan.planGraph.unit,
  known: [],
  adapters: new Map([[template, { adapterId: template, url: "http://mock", properties: null }]]),
  componentTypes: {},
  hasPolicies: false,
  ...more,
});

const row = (key: string, more: Partial<ComponentRow> = {}): ComponentRow => ({
  key,
  id: key.toUpperCase(),
  name: `name of ${key}`,
  parentKey: null,
  infrastructureTemplateId: template,
  descriptor: { id: key, old: true },
  hash: "old",
  dependsOn: [],
  descriptorVersion: "0.9",
  position: 4,
  status: "DEPLOYED",
  info: null,
  lastOperation: null,
  planId: "p0",
  updatedAt: new Date(0),
  ...more,
});

/** Of a subcomponent that is in the call of its owner. */
const partRow = (key: string, more: Partial<ComponentRow> = {}): ComponentRow =>
  row(key, { parentKey: key.slice(0, key.lastIndexOf(":")), infrastructureTemplateId: null, ...more });

/** The state that the planner was told, of the same rows. */
const last = (...rows: ComponentRow[]) => ({
  components: rows.map(({ id, hash, dependsOn, status, infrastructureTemplateId }) => ({
    componentId: id,
    hash,
    dependsOn,
    status,
    infrastructureTemplateId: infrastructureTemplateId ?? undefined,
  })),
});

describe("the tasks of a new plan", () => {
  const hull = part("Hull", [], {
    name: "hull",
    components: [{ id: "Hull:keel", name: "keel", consumable: true }],
  });
  const mast = part("Mast", ["hull"], { name: "mast" });

  it("validate first, and provision with what each component is then to be known as", () => {
    const plan = decide({ components: [hull, mast], targets: deploy("Hull", "Mast") });
    const tasks = newTasks(input(plan));
    expect(tasks.map(({ task_id, stage, depends_on }) => [task_id, stage, depends_on])).toEqual([
      ["validate:Hull", 0, []],
      ["validate:Mast", 0, []],
      ["provision:Hull", 1, []],
      ["provision:Mast", 1, ["provision:Hull"]],
    ]);
    expect(tasks[0]).toMatchObject({ component_key: "hull", component_id: "Hull", snapshot: null });
    const [own, keel, ...rest] = tasks[2]?.snapshot?.members ?? [];
    expect(rest).toEqual([]);
    const common = { descriptorVersion: "1.0.0", position: 0, hash: expect.stringMatching(/./) };
    expect(own).toEqual({
      ...common,
      consumable: false,
      key: "hull",
      id: "Hull",
      name: "hull",
      parentKey: null,
      infrastructureTemplateId: template,
      descriptor: hull,
      dependsOn: [],
    });
    expect(keel).toEqual({
      ...common,
      consumable: true,
      key: "hull:keel",
      id: "Hull:keel",
      name: "keel",
      parentKey: "hull",
      infrastructureTemplateId: null,
      descriptor: { id: "Hull:keel", name: "keel", consumable: true },
      dependsOn: [],
    });
    expect(tasks[3]?.snapshot?.members[0]?.dependsOn).toEqual(["Hull"]);
  });

  it("each have an idempotency key of their own and the address of their adapter", () => {
    const plan = decide({ components: [hull, mast], targets: deploy("Hull", "Mast") });
    const tasks = newTasks(input(plan));
    expect(tasks.map((task) => task.idempotency_key)).toEqual(tasks.map((task) => `p1:${task.task_id}`));
    expect(new Set(tasks.map((task) => task.adapter_url))).toEqual(new Set(["http://mock"]));
  });

  it("keep the id of an adapter that is not enabled, without an address", () => {
    const plan = decide({ components: [hull], targets: deploy("Hull") });
    const [task] = newTasks(input(plan, { adapters: new Map() }));
    expect([task?.adapter_id, task?.adapter_url]).toEqual([template, null]);
  });

  it("undeploy with what was deployed, parts included, not with what is asked for now", () => {
    const known = [row("hull"), partRow("hull:keel"), row("other")];
    const plan = decide({ components: [hull], targets: undeploy("Hull"), last: last(known[0]!) });
    const tasks = newTasks(input(plan, { known }));
    expect(tasks.map(({ task_id, component_name }) => [task_id, component_name])).toEqual([
      ["unprovision:Hull", "name of hull"],
    ]);
    expect(
      tasks[0]?.snapshot?.members.map(({ key, hash, descriptorVersion }) => [key, hash, descriptorVersion]),
    ).toEqual([
      ["hull", "old", "0.9"],
      ["hull:keel", "old", "0.9"],
    ]);
  });

  it("know the unit itself by its descriptor without the components", () => {
    const plan = decide({
      components: [hull],
      hasRoot: true,
      targets: deploy("Hull", "shop:1"),
    });
    const root = newTasks(input(plan)).find(({ task_id }) => task_id === "provision:shop:1");
    expect(root?.snapshot?.members[0]?.descriptor).toMatchObject({ id: "shop:1" });
    expect(root?.snapshot?.members[0]?.descriptor).not.toHaveProperty("components");
  });
});

it("the request keeps what adapters returned before, for components that have something to tell", () => {
  const info = { publicInfo: { a: 1 }, privateInfo: { b: 2 } };
  const lastOperation = { operation: "Deploy", status: "Successful" } as const;
  const plan = decide({ components: [part("A", [])], targets: deploy("A"), removeData: true });
  const known = [
    row("a", { info, lastOperation }),
    partRow("a:part", { info }),
    partRow("a:called", { infrastructureTemplateId: template, info }),
    row("b", { lastOperation }),
    row("c"),
  ];
  expect(planRequest(input(plan, { known }))).toEqual({
    descriptor: plan.planGraph.unit.descriptor,
    operations: plan.operations,
    removeData: true,
    enrichment: {
      a: { info, lastOperation },
      "a:called": { info, lastOperation: null },
      b: { info: null, lastOperation },
    },
    guardians: {},
  });
});

it("a subcomponent that the descriptor has no more goes with its parent", () => {
  const plan = decide({ components: [part("A", [])], targets: deploy("A") });
  const known = [row("a"), partRow("a:old"), partRow("a:gone", { status: "NOT_DEPLOYED" })];
  const task = newTasks(input(plan, { known })).find(({ action }) => action === "PROVISION");
  expect(task?.snapshot?.members.map(({ key, dropped }) => [key, dropped])).toEqual([
    ["a", undefined],
    ["a:old", true],
  ]);
});

it("a component that has a row was deployed once, whatever has become of it", () => {
  const plan = decide({ components: [part("A", []), part("B", [])], targets: deploy("A", "B") });
  const known = [row("a", { status: "NOT_DEPLOYED" })];
  const tasks = newTasks(input(plan, { known })).filter(({ action }) => action === "PROVISION");
  expect(tasks.map(({ details }) => details)).toEqual([null, { neverDeployed: true }]);
});

it("the properties of an adapter say how it validates and which policy guards", () => {
  const policies = [
    { resourceType: "workload", spec: { id: "p-workload" } },
    { resourceType: "Storage", spec: { id: "p-storage" } },
    { spec: { id: "p-untyped" } },
  ];
  const properties = { asyncValidation: true, dataContractGuardian: { policies } };
  const adapters = new Map([[template, { adapterId: template, url: "http://mock", properties }]]);
  const components = [
    { ...part("A", []), kind: "storage" },
    { ...part("B", []), kind: "Workload" },
  ];
  const plan = decide({ components, targets: deploy("A", "B") });
  const others = [
    { ...part("A", []), kind: "outputport" },
    { ...part("B", []), kind: undefined },
  ];
  const unguarded = input(decide({ components: others, targets: deploy("A", "B") }), { adapters });
  expect(planRequest(unguarded).guardians).toEqual({});
  const whole = input(plan, { adapters });
  expect(planRequest(whole).guardians).toEqual({ a: "p-storage", b: "p-workload" });
  expect(newTasks(whole).map(({ action, details }) => [action, details])).toEqual([
    ["VALIDATE_COMPONENT", { asyncValidation: true }],
    ["VALIDATE_COMPONENT", { asyncValidation: true }],
    ["PROVISION", { neverDeployed: true }],
    ["PROVISION", { neverDeployed: true }],
  ]);
});

it("a subcomponent with an adapter of its own has a task of its own, and what is in its call goes along", () => {
  const rope = { id: "A:sail:rope", name: "rope", kind: "outputport" };
  const sail = { id: "A:sail", name: "sail", infrastructureTemplateId: template, components: [rope] };
  const plan = decide({
    components: [part("A", [], { components: [sail, { name: "flag" }] })],
    targets: deploy("A"),
  });
  const known = [row("a"), partRow("a:sail", { infrastructureTemplateId: null })];
  const tasks = newTasks(input(plan, { known }));
  expect(tasks.map(({ task_id, depends_on }) => [task_id, depends_on])).toEqual([
    ["validate:A", []],
    ["validate:A:sail", []],
    ["provision:A", []],
    ["provision:A:sail", ["provision:A"]],
  ]);
  const membersOf = (place: number) =>
    tasks[place]?.snapshot?.members.map(({ key, parentKey, consumable, dropped }) => [
      key,
      parentKey,
      consumable,
      dropped,
    ]);
  // What was in the call of its owner before has its status from its own task now.
  expect(membersOf(2)).toEqual([
    ["a", null, false, undefined],
    ["a:flag", "a", false, undefined],
  ]);
  expect(membersOf(3)).toEqual([
    ["a:sail", "a", false, undefined],
    ["a:sail:rope", "a:sail", true, undefined],
  ]);
});

describe("a subcomponent that the descriptor has in another place now", () => {
  const known = [row("a"), partRow("x", { parentKey: "a" }), partRow("y", { parentKey: "a" })];
  const membersIn = (plan: ProvisioningPlan): Record<string, string[]> =>
    Object.fromEntries(
      newTasks(input(plan, { known })).flatMap(({ task_id, snapshot }) =>
        snapshot ? [[task_id, snapshot.members.map(({ key, dropped }) => (dropped ? `-${key}` : key))]] : [],
      ),
    );
  const sub = { id: "X", name: "x" };

  it.each<[string, ReturnType<typeof part>, string, string[]]>([
    ["a component", part("X", []), "provision:X", ["x"]],
    ["in the call of another component", part("B", [], { components: [sub] }), "provision:B", ["b", "x"]],
    [
      "nested in another component with an adapter of its own",
      part("B", [], { components: [{ ...sub, infrastructureTemplateId: template }] }),
      "provision:X",
      ["x"],
    ],
  ])("%s, is left alone by the end of where it was", (_case, home, task, members) => {
    const gone = decide({ components: [home], targets: deploy(home.id), last: last(known[0]!) });
    expect(membersIn(gone)).toMatchObject({ [task]: members, "unprovision:A": ["a", "y"] });
    const stays = [part("A", []), home];
    const redeployed = decide({
      components: stays,
      targets: deploy("A", home.id),
      last: last(known[0]!),
    });
    expect(membersIn(redeployed)).toMatchObject({ [task]: members, "provision:A": ["a", "-y"] });
  });

  it("goes with where it was while nothing deploys it there", () => {
    const home = part("B", [], { components: [sub] });
    const targets = [...deploy("A"), ...undeploy("B")];
    const plan = decide({ components: [part("A", []), home], targets, last: last(known[0]!) });
    expect(membersIn(plan)).toEqual({ "provision:A": ["a", "-x", "-y"] });
  });
});
