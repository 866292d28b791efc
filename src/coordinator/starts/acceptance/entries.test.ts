import { expect, it } from "vitest";
import { readUnit } from "../../planning/descriptor/unit.ts";
import { operationEntries } from "./accept.ts";

const { unit } = readUnit({
  id: "ships:1",
  name: "ships",
  components: [
    { id: "Hull", name: "hull", components: [{ name: "keel" }] },
    { id: "mast", name: "mast" },
  ],
});
const task = (action: string, component_id: string) => ({
  task_id: `${action.toLowerCase()}:${component_id}`,
  action,
  component_id,
});

it("gives each component its task, and a subcomponent its parent's", () => {
  const changes = [
    { componentId: "Hull", action: "DEPLOY" as const },
    { componentId: "Hull:keel", action: "DEPLOY" as const },
    { componentId: "mast", action: "NONE" as const },
    { componentId: "gone", action: "UNDEPLOY" as const },
  ];
  const tasks = [task("VALIDATE_COMPONENT", "Hull"), task("PROVISION", "Hull"), task("UNPROVISION", "gone")];
  expect(operationEntries({ changes, tasks, components: unit?.components ?? [] })).toEqual([
    { componentId: "Hull", provisioningAction: "DEPLOY", taskId: "provision:Hull" },
    { componentId: "Hull:keel", provisioningAction: "DEPLOY", taskId: "provision:Hull" },
    { componentId: "mast", provisioningAction: "NONE" },
    { componentId: "gone", provisioningAction: "UNDEPLOY", taskId: "unprovision:gone" },
  ]);
});

it("gives a subcomponent with a call of its own its own task, and what is in its call the same", () => {
  const { unit: nested } = readUnit({
    id: "ships:2",
    components: [
      {
        id: "hull",
        components: [{ id: "hull:sail", infrastructureTemplateId: "t", components: [{ name: "rope" }] }],
      },
    ],
  });
  const changes = ["hull", "hull:sail", "hull:sail:rope"].map((componentId) => ({
    componentId,
    action: "DEPLOY" as const,
  }));
  const entries = (...ids: string[]) =>
    operationEntries({
      changes,
      tasks: ids.map((id) => task("PROVISION", id)),
      components: nested?.components ?? [],
    }).map(({ taskId }) => taskId);
  expect(entries("hull", "hull:sail")).toEqual([
    "provision:hull",
    "provision:hull:sail",
    "provision:hull:sail",
  ]);
  // Alone it has nothing to do where its owner has.
  expect(entries("hull")).toEqual(["provision:hull", undefined, undefined]);
});
