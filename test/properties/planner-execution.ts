import { idKey } from "../../src/coordinator/descriptor/ids.ts";
import type { LastKnownComponent, LastKnownState } from "../../src/coordinator/planning/model.ts";
import { snapshotsOf } from "../../src/coordinator/planning/plan.ts";
import type { ProvisioningPlan } from "../../src/coordinator/planning/plan.ts";
import { buildTaskGraph } from "../../src/coordinator/planning/task-graph.ts";
import type { ExecutionTask } from "../../src/coordinator/planning/task-graph.ts";

export interface Execution {
  state: LastKnownState;
  /** What was seen on the way that must not be: a call over a dependency that was not there. */
  faults: string[];
}

export interface ExecutionOptions {
  /** Chooses among the tasks that may start; whole numbers from 0 to `max`. */
  pick: (max: number) => number;
  fails: (task: ExecutionTask) => boolean;
  /** Whether each step is judged; off where the state's own dependencies go in circles. */
  watch?: boolean;
}

/** Runs a plan on paper, one task at a time in any order that its graph allows. */
export function execute(plan: ProvisioningPlan, last: LastKnownState, options: ExecutionOptions): Execution {
  const { tasks } = buildTaskGraph(plan);
  const world: World = {
    known: new Map(last.components.map((known) => [idKey(known.componentId), known])),
    snapshots: new Map(snapshotsOf(plan.universe.unit).map((snapshot) => [snapshot.componentId, snapshot])),
    clock: Math.max(0, ...last.components.map(({ deployedOrder }) => deployedOrder ?? 0)),
    faults: [],
  };
  if (last.root !== undefined) world.known.set(idKey(last.root.componentId), last.root);
  const waiting = tasks.filter(({ stage }) => stage === "execute");
  const succeeded = new Set<string>();
  for (;;) {
    const ready = waiting.filter(({ dependsOn }) => dependsOn.every((key) => succeeded.has(key)));
    if (ready.length === 0) break;
    const task = ready[options.pick(ready.length - 1)]!;
    waiting.splice(waiting.indexOf(task), 1);
    if (options.watch === true) watch(world, task);
    const isFailed = options.fails(task);
    apply(world, task, isFailed);
    if (!isFailed) succeeded.add(task.key);
  }
  const rootKey = idKey(plan.universe.unit.id);
  const root = world.known.get(rootKey);
  world.known.delete(rootKey);
  const components = [...world.known.values()];
  return { state: root === undefined ? { components } : { components, root }, faults: world.faults };
}

interface World {
  known: Map<string, LastKnownComponent>;
  snapshots: Map<string, Omit<LastKnownComponent, "status">>;
  clock: number;
  faults: string[];
}

function apply(world: World, task: ExecutionTask, isFailed: boolean): void {
  const key = idKey(task.componentId);
  const before = world.known.get(key);
  world.clock += 1;
  if (task.action === "PROVISION") {
    const snapshot = { ...world.snapshots.get(task.componentId)!, deployedOrder: world.clock };
    const status = isFailed ? "CORRUPT" : "DEPLOYED";
    const keepsOld = isFailed && before !== undefined && before.status !== "NOT_DEPLOYED";
    world.known.set(key, keepsOld ? { ...before, status } : { ...snapshot, status });
  } else if (isFailed) world.known.set(key, { ...before!, status: "CORRUPT" });
  else world.known.delete(key);
}

function watch(world: World, task: ExecutionTask): void {
  if (task.action === "PROVISION") {
    for (const need of world.snapshots.get(task.componentId)!.dependsOn ?? []) {
      if (world.known.get(idKey(need))?.status !== "DEPLOYED") {
        world.faults.push(`${task.key} runs although ${need} is not deployed`);
      }
    }
    return;
  }
  for (const known of world.known.values()) {
    const standsOn = known.status === "DEPLOYED" && (known.dependsOn ?? []).includes(task.componentId);
    if (standsOn) world.faults.push(`${task.key} runs although ${known.componentId} stands on it`);
  }
}
