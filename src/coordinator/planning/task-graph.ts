import type { Edges } from "../../platform/lib/graph.ts";
import { nodeAt } from "./order.ts";
import {
  lastProvisions,
  lastUnprovisions,
  provisionTasks,
  unprovisionTasks,
  type ExecutionTask,
} from "./node-tasks.ts";
import type { ProvisioningPlan } from "./plan.ts";

export interface TaskGraph {
  /** In an order that keeps to `dependsOn`, the validate stage first. */
  tasks: ExecutionTask[];
}

/**
 * The tasks of a plan with outcome OK. A preserved node has no task; tasks on both sides of it are joined
 * through it. A subcomponent without a call of its own has no task; one with a call is provisioned after its
 * owner and unprovisioned before it. A task that waits for a component waits for all tasks of that component.
 * Deployed components are validated first; the validate stage is a barrier, so no edge leads from it to the
 * other stage.
 *
 * The number of edges is linear in the plan's graph: where many tasks would each wait for the same many tasks
 * through one preserved node, the first of them waits for all and the others for the first (see
 * `joinThrough`).
 */
export function buildTaskGraph(plan: ProvisioningPlan): TaskGraph {
  const { decisions, order, planGraph } = plan;
  const ends = endsOf(plan);
  const provisions = (place: number) => ends.provision[place]!.length > 0;
  const unprovisions = (place: number) => ends.unprovision[place]!.length > 0;
  const before = joinThrough(order.provisionWaits, order.provisionSequence, {
    hasTask: provisions,
    isEnd: provisions,
  });
  const above = joinThrough(order.unprovisionWaits, order.unprovisionSequence, {
    hasTask: unprovisions,
    isEnd: (place) => unprovisions(place) || provisions(place),
  });
  const execution: ExecutionTask[] = [];
  for (const index of order.provisionSequence) {
    if (!provisions(index)) continue;
    const waits = before[index]!.flatMap((other) => ends.provision[other]!);
    execution.push(...provisionTasks(plan, index, waits));
  }
  const tasks = [...execution.map(validation), ...execution];
  for (const place of order.unprovisionSequence) {
    if (!unprovisions(place)) continue;
    const node = nodeAt(planGraph, order.shedding, place);
    const waits = above[place]!.flatMap((other) =>
      unprovisions(other) ? ends.unprovision[other]! : ends.provision[other]!,
    );
    tasks.push(...unprovisionTasks(plan, node, [...ends.provision[node]!, ...waits]));
  }
  const rootGoes = planGraph.nodes[0]?.isRoot === true && decisions[0]!.action === "UNDEPLOY";
  if (rootGoes) tasks.push(...unprovisionTasks(plan, 0, lastKeys(tasks)));
  return { tasks };
}

interface Ends {
  provision: readonly (readonly string[])[];
  unprovision: readonly (readonly string[])[];
}

/** By place in the order, the keys of the tasks that nothing else of their node waits for. */
function endsOf(plan: ProvisioningPlan): Ends {
  const { planGraph, order } = plan;
  const shedding = new Set(order.shedding);
  const ofNodes = planGraph.nodes.map((_, index) => lastUnprovisions(plan, index));
  return {
    provision: [
      ...planGraph.nodes.map((_, index) => lastProvisions(plan, index)),
      ...order.shedding.map(() => []),
    ],
    unprovision: [
      ...ofNodes.map((keys, index) => (shedding.has(index) ? [] : keys)),
      ...order.shedding.map((index) => ofNodes[index]!),
    ],
  };
}

const validation = (task: ExecutionTask): ExecutionTask => ({
  ...task,
  key: `validate:${task.componentId}`,
  action: "VALIDATE_COMPONENT",
  stage: "validate",
  dependsOn: [],
});

/** Tasks of the execute stage that nothing waits for. */
function lastKeys(tasks: readonly ExecutionTask[]): string[] {
  const awaited = new Set(tasks.flatMap((task) => task.dependsOn));
  return tasks.filter(({ stage, key }) => stage === "execute" && !awaited.has(key)).map(({ key }) => key);
}

/**
 * Walks of at most so many steps through nodes without tasks are exact; in longer ones the first waiter
 * stands for all.
 */
export const exactJoinSteps = 128;

/**
 * For each node with a task, the tasks it waits for, through nodes without one. A thousand tasks above such a
 * node and a thousand below would make a million edges: once a walk gets long, its task stands for everything
 * behind the nodes it passed, and later tasks wait for that task. They may wait longer than necessary, never
 * shorter. In the sequence tasks follow those they wait for, so the standing-in task is always an earlier one
 * and no cycle can arise.
 */
function joinThrough(
  waits: Edges,
  sequence: readonly number[],
  { hasTask, isEnd }: { hasTask: (place: number) => boolean; isEnd: (place: number) => boolean },
): number[][] {
  const result: number[][] = waits.map(() => []);
  const walk: JoinWalk = {
    waits,
    isEnd,
    standIn: new Int32Array(waits.length).fill(-1),
    seenBy: new Int32Array(waits.length).fill(-1),
  };
  for (const index of sequence) {
    if (hasTask(index)) result[index] = joinOne(walk, index);
  }
  return result;
}

interface JoinWalk {
  waits: Edges;
  /** Whether a walk stops at the node because tasks of its own stand for all behind it. */
  isEnd: (place: number) => boolean;
  /** For a node without a task: the task that waits for everything behind it, or -1. */
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
    if (walk.isEnd(node)) found.push(node);
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
