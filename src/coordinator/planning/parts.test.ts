import { expect, test } from "vitest";
import {
  changesOf,
  decide,
  deploy,
  known,
  part,
  problemsIn,
  tasksOf,
  template,
  undeploy,
} from "../../../test/properties/planner-fixture.ts";
import type { Part } from "../../../test/properties/planner-fixture.ts";
import { hashComponent } from "./descriptor/hash.ts";
import type { KnownStatus, LastKnownComponent, LastKnownState } from "./model.ts";

const called = (id: string, more: object = {}) => ({
  id,
  infrastructureTemplateId: template,
  dependsOn: [],
  ...more,
});
const port = (...components: object[]): Part => part("P", [], { components });
const [X, Y] = [called("P:x"), called("P:y")];

/** The component with that subcomponents known beside it. */
function knownWith(
  component: Part,
  status: KnownStatus,
  parts: [object & { id: string }, KnownStatus][],
): LastKnownState {
  const { components } = known([component, status]);
  const rest = parts.map(([snapshot, each], place): LastKnownComponent => ({
    componentId: snapshot.id,
    status: each,
    hash: hashComponent({ ...snapshot }),
    dependsOn: [],
    infrastructureTemplateId: template,
    deployedOrder: place + 1,
    ownerId: snapshot.id.slice(0, snapshot.id.lastIndexOf(":")),
  }));
  const isIncomplete = parts.some(([, each]) => each !== "DEPLOYED");
  return { components: [{ ...components[0]!, isIncomplete }, ...rest] };
}

test("they are deployed after their component, and whoever needs that waits for them", () => {
  const request = { components: [port(X, Y), part("O", ["P"])], targets: deploy("P", "O") };
  expect(changesOf(request)).toEqual([
    "P DEPLOY/REQUESTED",
    "P:x DEPLOY/REQUESTED +PARENT_DEPLOYED",
    "P:y DEPLOY/REQUESTED +PARENT_DEPLOYED",
    "O DEPLOY/REQUESTED",
  ]);
  expect(tasksOf(request)).toEqual([
    "provision:P <-",
    "provision:P:x <- provision:P",
    "provision:P:y <- provision:P",
    "provision:O <- provision:P:x provision:P:y",
  ]);
});

test("they are undeployed before it", () => {
  const whole = port(X, Y);
  const last = knownWith(whole, "DEPLOYED", [
    [X, "DEPLOYED"],
    [Y, "CORRUPT"],
  ]);
  const request = { components: [whole], last, targets: undeploy("P") };
  expect(changesOf(request)).toEqual([
    "P UNDEPLOY/REQUESTED",
    "P:x UNDEPLOY/REQUESTED",
    "P:y UNDEPLOY/REQUESTED",
  ]);
  expect(tasksOf(request)).toEqual([
    "unprovision:P:x <-",
    "unprovision:P:y <-",
    "unprovision:P <- unprovision:P:x unprovision:P:y",
  ]);
});

test("one of any depth comes after what it is nested in, through what has no call of its own", () => {
  const deep = called("P:x:folder:z");
  const nested = called("P:x", { components: [{ id: "P:x:folder", components: [deep] }] });
  const request = { components: [port(nested)], targets: deploy("P") };
  expect(tasksOf(request)).toEqual([
    "provision:P <-",
    "provision:P:x <- provision:P",
    "provision:P:x:folder:z <- provision:P:x",
  ]);
});

test("one that needs another comes after it", () => {
  const needy = called("P:x", { dependsOn: ["P:y"] });
  expect(tasksOf({ components: [port(needy, Y)], targets: deploy("P") })).toEqual([
    "provision:P <-",
    "provision:P:y <- provision:P",
    "provision:P:x <- provision:P:y",
  ]);
});

test("one that the descriptor has no more goes once its component is deployed anew", () => {
  const last = knownWith(port(X, Y), "DEPLOYED", [
    [X, "DEPLOYED"],
    [Y, "DEPLOYED"],
  ]);
  const request = { components: [port(X)], last, targets: deploy("P"), preventRedeploy: true };
  expect(changesOf(request)).toEqual([
    "P REDEPLOY/DESCRIPTOR_CHANGED",
    "P:x REDEPLOY/DESCRIPTOR_CHANGED +PARENT_DEPLOYED",
    "P:y UNDEPLOY/REMOVED_FROM_DESCRIPTOR",
  ]);
  expect(tasksOf(request)).toEqual([
    "provision:P <-",
    "provision:P:x <- provision:P",
    "unprovision:P:y <- provision:P:x",
  ]);
});

test("they go with a component that is removed", () => {
  const last = knownWith(port(X), "DEPLOYED", [[X, "DEPLOYED"]]);
  const request = { components: [part("A", [])], last, targets: deploy("A") };
  expect(changesOf(request)).toEqual([
    "A DEPLOY/REQUESTED",
    "P UNDEPLOY/REMOVED_FROM_DESCRIPTOR",
    "P:x UNDEPLOY/REMOVED_FROM_DESCRIPTOR",
  ]);
  expect(tasksOf(request)).toEqual([
    "provision:A <-",
    "unprovision:P:x <-",
    "unprovision:P <- unprovision:P:x",
  ]);
});

test.each<[KnownStatus | "absent", string[]]>([
  ["CORRUPT", ["P NONE/UNCHANGED", "P:x DEPLOY/CORRUPT", "O NONE/UNCHANGED"]],
  ["absent", ["P NONE/UNCHANGED", "P:x DEPLOY/REQUESTED", "O NONE/UNCHANGED"]],
])("one that is %s is deployed although its component is unchanged and stays", (status, expected) => {
  const whole = port(X);
  const above = part("O", ["P"]);
  const parts: [typeof X, KnownStatus][] = status === "absent" ? [] : [[X, status]];
  const { components } = knownWith(whole, "DEPLOYED", parts);
  const [own, ...others] = components;
  const last = {
    components: [{ ...own!, isIncomplete: true }, ...others, ...known([above, "DEPLOYED"]).components],
  };
  const request = { components: [whole, above], last, targets: deploy("P", "O"), preventRedeploy: true };
  expect(changesOf(request)).toEqual(expected);
  expect(tasksOf(request)).toEqual(["provision:P:x <-"]);
  // Sent back as they are, its entries ask for the same.
  const { operations } = decide(request);
  const targets = operations.map(({ componentId, targetStatus, action }) => ({
    componentId,
    targetStatus,
    action,
  }));
  expect(tasksOf({ ...request, targets })).toEqual(["provision:P:x <-"]);
});

test("a component that is preserved without one of them carries nothing", () => {
  const whole = port(X);
  const last = knownWith(whole, "DEPLOYED", [[X, "CORRUPT"]]);
  const request = { components: [whole, part("O", ["P"])], last, targets: deploy("O") };
  expect(decide({ ...request, mode: "unsafe" }).outcome).toBe("KO");
  expect(changesOf({ ...request, mode: "autofill" })).toEqual([
    "P NONE/REQUIRED_BY_DEPENDANT",
    "P:x DEPLOY/CORRUPT",
    "O DEPLOY/REQUESTED",
  ]);
  const older = { components: [{ ...last.components[0]!, hash: "older" }, last.components[1]!] };
  expect(changesOf({ ...request, last: older, mode: "autofill" })).toEqual([
    "P REDEPLOY/REQUIRED_BY_DEPENDANT",
    "P:x DEPLOY/REQUIRED_BY_DEPENDANT +PARENT_DEPLOYED",
    "O DEPLOY/REQUESTED",
  ]);
});

test("a component that is left alone without one of them still needs what it stands on", () => {
  const whole = { ...port(X), dependsOn: ["D"] };
  const below = part("D", []);
  const last = knownWith(whole, "DEPLOYED", [[X, "CORRUPT"]]);
  const state = { components: [...last.components, ...known([below, "DEPLOYED"]).components] };
  const request = { components: [whole, below], last: state, targets: undeploy("D") };
  expect(decide({ ...request, mode: "unsafe" }).outcome).toBe("KO");
  expect(changesOf({ ...request, mode: "autofill" })).toEqual([
    "P UNDEPLOY/DEPENDENCY_UNDEPLOYED",
    "P:x UNDEPLOY/DEPENDENCY_UNDEPLOYED",
    "D UNDEPLOY/REQUESTED",
  ]);
});

test("one that loses its adapter goes over to its component's call, and is undeployed by its own adapter only", () => {
  const last = knownWith(port(X), "DEPLOYED", [[X, "DEPLOYED"]]);
  const request = { components: [port({ id: "P:x" })], last };
  expect(tasksOf({ ...request, targets: deploy("P") })).toEqual(["provision:P <-"]);
  expect(tasksOf({ ...request, targets: undeploy("P") })).toEqual([
    "unprovision:P:x <-",
    "unprovision:P <- unprovision:P:x",
  ]);
});

test("each needs an adapter of its own, also to go", () => {
  const other = { id: "P:x", infrastructureTemplateId: "urn:dmb:itm:other:1" };
  expect(problemsIn({ components: [port(other)], targets: deploy("P") })).toEqual([
    "/descriptor/components/0/components/0/infrastructureTemplateId P:x needs the tech adapter urn:dmb:itm:other:1, which has no enabled deployment in development.",
  ]);
});

test("a component that needs its own subcomponent, which comes after it, is a cycle", () => {
  const whole = { ...port(X), dependsOn: ["P:x"] };
  expect(problemsIn({ components: [whole], targets: deploy("P") })).toEqual([
    "/descriptor/components/0/dependsOn/0 The dependencies of P, P:x form a cycle.",
  ]);
});

test("many of them are waited for through one", () => {
  const many = Array.from({ length: 100 }, (_, index) => called(`P:${index}`));
  const tasks = tasksOf({ components: [port(...many), part("O", ["P"])], targets: deploy("P", "O") });
  expect(tasks.at(-1)).toBe("provision:O <- provision:P:99");
  expect(tasks.at(-2)?.split(" ")).toHaveLength(2 + 99);
});

test("one that has lost its own call is shown as undeployed, though nothing of the one around it is there", () => {
  const q = called("P:x:q");
  const before = port({ id: "P:x", dependsOn: [], components: [q] });
  const now = port(called("P:x", { components: [{ id: "P:x:q", dependsOn: [] }] }));
  const { components } = knownWith(before, "DEPLOYED", [[q, "DEPLOYED"]]);
  const last = { components: [components[0]!, { ...components[1]!, ownerId: "P" }] };
  const request = { components: [now], last, targets: undeploy("P") };
  expect(changesOf(request)).toEqual([
    "P UNDEPLOY/REQUESTED",
    "P:x NONE/ALREADY_NOT_DEPLOYED",
    "P:x:q UNDEPLOY/REQUESTED",
  ]);
  expect(tasksOf(request)).toEqual(["unprovision:P:x:q <-", "unprovision:P <- unprovision:P:x:q"]);
});

test("one that is deployed alone waits for what it needs, also where snapshots make a circle of that", () => {
  const needy = called("P:x", { dependsOn: ["C"] });
  const whole = port(needy);
  const [C, B] = [part("C", ["B"]), part("B", [])];
  const { components } = knownWith(whole, "DEPLOYED", [[needy, "NOT_DEPLOYED"]]);
  const last = {
    components: [
      { ...components[0]!, dependsOn: ["C"] },
      components[1]!,
      ...known([{ ...B, dependsOn: ["P"] }, "DEPLOYED"]).components,
    ],
  };
  const targets = deploy("P", "C");
  const request = {
    components: [whole, C, B],
    last,
    targets,
    mode: "unsafe" as const,
    preventRedeploy: true,
  };
  expect(changesOf(request)).toEqual([
    "B NONE/PRESERVED",
    "C DEPLOY/REQUESTED",
    "P NONE/UNCHANGED +DEPENDENCY_REDEPLOYED",
    "P:x DEPLOY/REQUESTED",
  ]);
  expect(tasksOf(request)).toEqual(["provision:C <-", "provision:P:x <- provision:C"]);
});
