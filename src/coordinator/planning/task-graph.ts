import type { Edges } from "../descriptor/graph.ts";
import type { Decision } from "./base-action.ts";
import { isProvisioned } from "./effective-needs.ts";
import type { ProvisioningPlan } from "./plan.ts";

export interface ExecutionTask {
  /** Unique within the plan: the action and the component. */
  key: string;
  action: "VALIDATE_COMPONENT" | "PROVISION" | "UNPROVISION";
  /** No task of `execute` starts before every task of `validate` has succeeded. */
  stage: "validate" | "execute";
  componentId: string;
  isRoot: boolean;
  /** Of the descriptor, or for UNPROVISION of the deployed snapshot where it is known. */
  infrastructureTemplateId: string | undefined;
  /** Only ever true for UNPROVISION. */
  removeData: boolean;
  /** Keys of the tasks of the same stage that have to succeed before. */
  dependsOn: string[];
}

export interface TaskGraph {
  /** In an order that keeps to `dependsOn`, the validate stage first. */
  tasks: ExecutionTask[];
}

/**
 * The work of a plan whose outcome is OK. What is left alone has no task; tasks on both sides of it are
 * joined through it. A subcomponent has no task, it goes with its parent. What is deployed is validated
 * before; the validate stage is a barrier, so no edge leads from it to the other stage.
 *
 * The number of edges is linear in the plan's graph: where many tasks would each wait for the same many
 * tasks through one component that is left alone, the first of them waits for all and the others for the
 * first (see `joinThrough`).
 */
export function buildTaskGraph(plan: ProvisioningPlan): TaskGraph {
  const { decisions, order, universe } = plan;
  const provisioned = order.provisionSequence.filter((index) => isProvisioned(decisions[index]!));
  const unprovisioned = order.unprovisionSequence.filter((index) => decisions[index]!.action === "UNDEPLOY");
  const before = joinThrough(order.provisionWaits, order.provisionSequence, decisions);
  const above = joinThrough(order.unprovisionWaits, order.unprovisionSequence, decisions);
  const tasks: ExecutionTask[] = provisioned.map((index) => newTask(plan, index, "VALIDATE_COMPONENT"));
  for (const index of provisioned) {
    const waits = before[index]!.map((other) => taskKey(plan, other));
    tasks.push(newTask(plan, index, "PROVISION", waits));
  }
  for (const index of unprovisioned) {
    const waits = above[index]!.map((other) => taskKey(plan, other));
    tasks.push(newTask(plan, index, "UNPROVISION", waits));
  }
  const rootGoes = universe.nodes[0]?.isRoot === true && decisions[0]!.action === "UNDEPLOY";
  if (rootGoes) tasks.push(newTask(plan, 0, "UNPROVISION", lastKeys(tasks)));
  return { tasks };
}

// oxlint-disable-next-line max-params -- A private constructor; the names at the calls are clear.
function newTask(
  plan: ProvisioningPlan,
  index: number,
  action: ExecutionTask["action"],
  dependsOn: string[] = [],
): ExecutionTask {
  const node = plan.universe.nodes[index]!;
  const ofSnapshot = action === "UNPROVISION" ? node.last?.infrastructureTemplateId : undefined;
  return {
    key: keyOf(action, node.id),
    action,
    stage: action === "VALIDATE_COMPONENT" ? "validate" : "execute",
    componentId: node.id,
    isRoot: node.isRoot,
    infrastructureTemplateId: ofSnapshot ?? node.infrastructureTemplateId,
    removeData: action === "UNPROVISION" && plan.removeData,
    dependsOn,
  };
}

function keyOf(action: ExecutionTask["action"], componentId: string): string {
  const prefix = { VALIDATE_COMPONENT: "validate", PROVISION: "provision", UNPROVISION: "unprovision" };
  return `${prefix[action]}:${componentId}`;
}

function taskKey({ universe, decisions }: ProvisioningPlan, index: number): string {
  const action = isProvisioned(decisions[index]!) ? "PROVISION" : "UNPROVISION";
  return keyOf(action, universe.nodes[index]!.id);
}

/** Tasks of the execute stage that nothing waits for: whoever waits for them waits for all. */
function lastKeys(tasks: readonly ExecutionTask[]): string[] {
  const awaited = new Set(tasks.flatMap((task) => task.dependsOn));
  return tasks.filter(({ stage, key }) => stage === "execute" && !awaited.has(key)).map(({ key }) => key);
}

/** So many steps through nodes without a task are walked exactly; beyond, the first waiter stands for them. */
export const exactJoinSteps = 128;

/**
 * For each node with a task, the tasks it waits for, through nodes without one. A thousand tasks above such
 * a node and a thousand below would make a million edges: once a walk through it gets long, the task that
 * walked stands for everything behind the nodes it passed, and later tasks wait for that one. They may so
 * wait longer than they had to, never shorter. The sequence has waiters after what they wait for, so the
 * task that stands in is always an earlier one and no cycle can come of it.
 */
function joinThrough(waits: Edges, sequence: readonly number[], decisions: readonly Decision[]): number[][] {
  const result: number[][] = waits.map(() => []);
  const walk: JoinWalk = {
    waits,
    decisions,
    standIn: new Int32Array(waits.length).fill(-1),
    seenBy: new Int32Array(waits.length).fill(-1),
  };
  for (const index of sequence) {
    if (decisions[index]!.action !== "NONE") result[index] = joinOne(walk, index);
  }
  return result;
}

interface JoinWalk {
  waits: Edges;
  decisions: readonly Decision[];
  /** Of a node without a task: the task that waits for everything behind it, or -1. */
  standIn: Int32Array;
  /** The last task whose walk reached the node. */
  seenBy: Int32Array;
}

function joinOne(walk: JoinWalk, task: number): number[] {
  const found: number[] = [];
  const passed: number[] = [];
  let steps = 0;
  const reach = (node: number) => {
    if (walk.seenBy[node] === task) return;
    walk.seenBy[node] = task;
    if (walk.decisions[node]!.action !== "NONE") found.push(node);
    else if (walk.standIn[node]! < 0) passed.push(node);
    else reach(walk.standIn[node]!);
  };
  for (const node of walk.waits[task]!) reach(node);
  for (let at = 0; at < passed.length; at += 1) {
    const behind = walk.waits[passed[at]!]!;
    steps += behind.length;
    for (const node of behind) reach(node);
  }
  if (steps > exactJoinSteps) for (const node of passed) walk.standIn[node] = task;
  return found;
}
