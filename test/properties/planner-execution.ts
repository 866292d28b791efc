import type { ExecutionTask } from "../../src/coordinator/planning/node-tasks.ts";
import { ownerKeys } from "../../src/coordinator/planning/descriptor/own-calls.ts";
import { idKey } from "../../src/coordinator/ids.ts";
import type { LastKnownComponent, LastKnownState } from "../../src/coordinator/planning/model.ts";
import { snapshotsOf } from "../../src/coordinator/planning/plan.ts";
import type { ProvisioningPlan } from "../../src/coordinator/planning/plan.ts";
import { buildTaskGraph } from "../../src/coordinator/planning/task-graph.ts";

export interface Execution {
  state: LastKnownState;
  /** What was seen on the way that must not be: a call over a dependency that was not there. */
  faults: string[];
}

/** What is known, and of a component the subcomponents with calls of their own that its deployed snapshot has. */
export type KnownComponent = LastKnownComponent & { expects?: readonly string[] };

export function withCompleteness(components: readonly KnownComponent[]): KnownComponent[] {
  const known = new Map(components.map((each) => [idKey(each.componentId), each]));
  return components.map((each) => {
    if (each.expects === undefined) return each;
    const isComplete = each.expects.every((id) => known.get(idKey(id))?.status === "DEPLOYED");
    return { ...each, isIncomplete: !isComplete };
  });
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
    snapshots: snapshotsByKey(plan),
    inCall: callsByOwner(plan),
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
  const rootKey = idKey(plan.planGraph.unit.id);
  const root = world.known.get(rootKey);
  world.known.delete(rootKey);
  const components = withCompleteness([...world.known.values()]);
  return { state: root === undefined ? { components } : { components, root }, faults: world.faults };
}

function snapshotsByKey({ planGraph }: ProvisioningPlan): World["snapshots"] {
  const { components } = planGraph.unit;
  const expected = new Map(
    components.map(({ id, subcomponents }) => [
      id,
      subcomponents.filter((part) => part.infrastructureTemplateId !== undefined).map((part) => part.id),
    ]),
  );
  return new Map(
    snapshotsOf(planGraph.unit).map((snapshot) => {
      const expects = expected.get(snapshot.componentId);
      return [snapshot.componentId, { ...snapshot, ...(expects === undefined ? {} : { expects }) }];
    }),
  );
}

function callsByOwner({ planGraph }: ProvisioningPlan): World["inCall"] {
  const found = new Map<string, string[]>();
  for (const component of planGraph.unit.components) {
    const owners = ownerKeys(component);
    for (const { key, infrastructureTemplateId } of component.subcomponents) {
      const owner = owners.get(key) ?? component.key;
      if (infrastructureTemplateId === undefined) found.set(owner, [...(found.get(owner) ?? []), key]);
    }
  }
  return found;
}

interface World {
  known: Map<string, KnownComponent>;
  snapshots: Map<string, Omit<KnownComponent, "status">>;
  /** Keys of the subcomponents that are in the call of a component or of another subcomponent, by its id. */
  inCall: Map<string, string[]>;
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
    // Whatever was called by itself before is now as its owner is.
    for (const part of world.inCall.get(key) ?? []) world.known.delete(part);
  } else if (isFailed) world.known.set(key, { ...before!, status: "CORRUPT" });
  else world.known.delete(key);
}

function watch(world: World, task: ExecutionTask): void {
  if (task.action === "PROVISION") {
    const { dependsOn = [], ownerId } = world.snapshots.get(task.componentId)!;
    for (const need of ownerId === undefined ? dependsOn : [ownerId, ...dependsOn]) {
      if (world.known.get(idKey(need))?.status !== "DEPLOYED") {
        world.faults.push(`${task.key} runs although ${need} is not deployed`);
      }
    }
    return;
  }
  for (const known of world.known.values()) {
    const needs = [known.ownerId, ...(known.dependsOn ?? [])];
    const standsOn = known.status === "DEPLOYED" && needs.includes(task.componentId);
    if (standsOn) world.faults.push(`${task.key} runs although ${known.componentId} stands on it`);
  }
}
