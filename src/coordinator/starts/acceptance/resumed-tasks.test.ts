import { describe, expect, it } from "vitest";
import { stages } from "../../execution/types.ts";
import { resumedTasks, type OriginTask, type ResumedInput } from "./resumed-tasks.ts";

const taskOf = (action: OriginTask["action"], id: string, more: Partial<OriginTask> = {}): OriginTask => ({
  task_id: `${action.toLowerCase()}:${id}`,
  stage: stages.execute,
  action,
  component_key: id,
  component_id: id,
  component_name: null,
  depends_on: [],
  adapter_id: "adapter",
  adapter_url: "http://then",
  snapshot: null,
  details: null,
  registered_url: "http://now",
  completed: false,
  settled_as_done: false,
  ...more,
});
const policyOf = (id: string): OriginTask =>
  taskOf("POLICY_VALIDATE_COMPONENT", id, { stage: stages.policies, completed: true, registered_url: null });
const noticeOf = (id: string, more: Partial<OriginTask> = {}): OriginTask =>
  taskOf("PUBLISH", id, { stage: stages.publish, adapter_id: id, registered_url: null, ...more });

const resumed = (tasks: OriginTask[], more: Partial<ResumedInput> = {}) =>
  resumedTasks({
    planId: "p2",
    unit: { id: "Unit", key: "unit", name: "" },
    tasks,
    knownKeys: new Set(),
    hasPolicies: false,
    endsDeployed: true,
    services: [],
    notified: new Set(),
    ...more,
  });
const service = (id: string) => ({ id, name: id, baseUrl: "http://services/", isBlocking: true });
const idsOf = (tasks: { task_id: string }[]): string[] => tasks.map(({ task_id }) => task_id);

describe("the tasks of a resumed plan", () => {
  it("are calls of their own for what is left, and wait for nothing that is done", () => {
    const tasks = resumed([
      taskOf("PROVISION", "a", { completed: true }),
      taskOf("PROVISION", "b", { settled_as_done: true }),
      taskOf("PROVISION", "c", { depends_on: ["provision:a", "provision:b"] }),
      taskOf("PROVISION", "d", { depends_on: ["provision:a", "provision:c"], registered_url: null }),
    ]);
    expect(
      tasks.map(({ task_id, depends_on, adapter_url, idempotency_key }) => [
        task_id,
        depends_on,
        adapter_url,
        idempotency_key,
      ]),
    ).toEqual([
      ["provision:c", [], "http://now", "p2:provision:c"],
      ["provision:d", ["provision:c"], "http://then", "p2:provision:d"],
    ]);
    expect(Object.keys(tasks[0] ?? {}).sort()).toEqual(
      Object.keys(taskOf("PROVISION", "c"))
        .filter((name) => !["registered_url", "completed", "settled_as_done"].includes(name))
        .concat("idempotency_key")
        .sort(),
    );
  });

  it("know a component as deployed before once the plan before may have deployed it", () => {
    const details = { neverDeployed: true } as const;
    const body = "{}";
    const tasks = resumed(
      [
        taskOf("PROVISION", "a", { details }),
        taskOf("PROVISION", "b", { details }),
        taskOf("PROVISION", "c", { details: { ...details, body } }),
      ],
      { knownKeys: new Set(["b", "c"]) },
    );
    expect(tasks.map((task) => task.details)).toEqual([details, null, { body }]);
  });

  it("check the policies of all that the plans before were to deploy, where something is left of it", () => {
    const before = [
      policyOf("unit"),
      policyOf("deployed"),
      taskOf("PROVISION", "unit", { completed: true }),
      taskOf("PROVISION", "a"),
      taskOf("UNPROVISION", "old"),
    ];
    const checks = ["policy:Unit", "policy:deployed", "policy:a"];
    expect(idsOf(resumed(before, { hasPolicies: true }))).toEqual([
      ...checks,
      "provision:a",
      "unprovision:old",
    ]);
    expect(idsOf(resumed(before))).toEqual(["provision:a", "unprovision:old"]);
    const removals = before.map((task) => ({ ...task, completed: task.action !== "UNPROVISION" }));
    expect(idsOf(resumed(removals, { hasPolicies: true }))).toEqual(["unprovision:old"]);
  });

  it("notify the services of now, as the plan before was to, but for those that know", () => {
    const before = [noticeOf("told", { completed: true }), noticeOf("gone"), noticeOf("market")];
    const services = [service("told"), service("market"), service("new")];
    const notified = new Set(["told"]);
    const tasks = resumed(before, { services, notified });
    expect(tasks.map(({ task_id, adapter_url }) => [task_id, adapter_url])).toEqual([
      ["publish:market", "http://services/v1/publish"],
      ["publish:new", "http://services/v1/publish"],
    ]);
    expect(idsOf(resumed(before, { services, notified, endsDeployed: false }))).toEqual([
      "unpublish:market",
      "unpublish:new",
    ]);
  });
});
