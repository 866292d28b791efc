import { expect, it } from "vitest";
import { readUnit } from "../descriptor/unit.ts";
import { operationEntries } from "./entries.ts";

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
