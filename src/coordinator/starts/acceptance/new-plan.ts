/** Makes task rows and the stored request from a decided plan. Pure, apart from types of rows. */
import { validationDetails } from "../adapter-requests/tasks.ts";
import { policyTasks } from "../policies/tasks.ts";
import { guardiansOf } from "../adapter-requests/adapter-properties.ts";
import type { ExternalService } from "../../context.ts";
import type { EnabledAdapter } from "../../adapters/store.ts";
import type { ExecutionTask } from "../../planning/node-tasks.ts";
import { hashComponent } from "../../planning/descriptor/hash.ts";
import { idKey } from "../../ids.ts";
import {
  calledComponents,
  hasCallOfItsOwn,
  hasOwnCall,
  ownerKeys,
} from "../../planning/descriptor/own-calls.ts";
import type { Component, Unit } from "../../planning/descriptor/unit.ts";
import {
  stages,
  type NewTask,
  type PlanRequest,
  type Snapshot,
  type SnapshotMember,
  type TaskDetails,
} from "../../execution/types.ts";
import type { ComponentTypes } from "../../ports.ts";
import { snapshotsOf, type ProvisioningPlan } from "../../planning/plan.ts";
import { buildTaskGraph } from "../../planning/task-graph.ts";
import type { ComponentRow } from "../../units/store.ts";

export interface NewPlanInput {
  planId: string;
  plan: ProvisioningPlan;
  unit: Unit;
  known: ComponentRow[];
  adapters: Map<string, EnabledAdapter>;
  /** The component types of the taxonomy. */
  componentTypes: ComponentTypes;
  /** Whether policies are to be evaluated. */
  hasPolicies: boolean;
}

export function newTasks(input: NewPlanInput): NewTask[] {
  const snapshots = newSnapshots(input);
  const known = new Map(input.known.map((row) => [row.key, row]));
  const planned = buildTaskGraph(input.plan).tasks;
  const provisioned = new Set(
    planned.flatMap(({ action, componentId }) =>
      action === "PROVISION" ? (snapshots.get(idKey(componentId)) ?? []).map(({ key }) => key) : [],
    ),
  );
  const partRows = input.known.filter((row) => !hasCallOfItsOwn(row) && !provisioned.has(row.key));
  const partsOf = Map.groupBy(partRows, (row) => row.parentKey);
  const tasks = planned.map((task) => newTask(input, task, { snapshots, known, partsOf }));
  return input.hasPolicies ? [...policyTasksOf(input, tasks), ...tasks] : tasks;
}

/** Policies look at what is deployed: a plan that only undeploys has none of these tasks. */
function policyTasksOf({ planId, unit }: NewPlanInput, tasks: readonly NewTask[]): NewTask[] {
  const deployed = tasks.filter(({ action }) => action === "PROVISION");
  if (deployed.length === 0) return [];
  const resources = deployed
    .filter(({ component_key }) => component_key !== unit.key)
    .map(({ component_key: key, component_id: id, component_name: name }) => ({ key, id, name }));
  return policyTasks(planId, { unit, resources, stage: stages.policies });
}

/** The request as decided, with what adapters returned for the unit before this plan. */
export function planRequest({ plan, unit, known, adapters }: NewPlanInput): PlanRequest {
  const enrichment: PlanRequest["enrichment"] = {};
  for (const row of known) {
    if (hasCallOfItsOwn(row) && (row.info || row.lastOperation)) {
      enrichment[row.key] = { info: row.info, lastOperation: row.lastOperation };
    }
  }
  const called = calledComponents(unit.components);
  return {
    descriptor: unit.descriptor,
    operations: plan.operations,
    removeData: plan.removeData,
    enrichment,
    guardians: { ...guardiansOf(known, adapters), ...guardiansOf(called, adapters) },
  };
}

interface Members {
  snapshots: Map<string, SnapshotMember[]>;
  known: Map<string, ComponentRow>;
  /** By the key of their owner, known subcomponents that were in its call and that no task of the plan provisions. */
  partsOf: Map<string | null, ComponentRow[]>;
}

function newTask(input: NewPlanInput, task: ExecutionTask, members: Members): NewTask {
  const key = idKey(task.componentId);
  const adapter = input.adapters.get(task.infrastructureTemplateId ?? "");
  const snapshot = snapshotOf(task, key, members);
  return {
    task_id: task.key,
    stage: stages[task.stage],
    action: task.action,
    component_key: key,
    component_id: task.componentId,
    component_name: snapshot?.members[0]?.name ?? members.snapshots.get(key)?.[0]?.name ?? null,
    depends_on: task.dependsOn,
    adapter_id: adapter?.adapterId ?? task.infrastructureTemplateId ?? null,
    adapter_url: adapter?.url ?? null,
    snapshot,
    details: detailsOf(task, adapter, members.known.has(key)),
    idempotency_key: `${input.planId}:${task.key}`,
  };
}

function detailsOf(
  { action }: ExecutionTask,
  adapter: EnabledAdapter | undefined,
  isKnown: boolean,
): TaskDetails | null {
  if (action === "VALIDATE_COMPONENT") return validationDetails(adapter);
  return action === "PROVISION" && !isKnown ? { neverDeployed: true } : null;
}

function snapshotOf(task: ExecutionTask, key: string, members: Members): Snapshot | null {
  const { snapshots, known, partsOf } = members;
  if (task.action === "VALIDATE_COMPONENT") return null;
  if (task.action === "PROVISION")
    return { members: [...(snapshots.get(key) ?? []), ...droppedOf(key, members)] };
  const deployed = known.get(key);
  return deployed ? { members: [deployed, ...(partsOf.get(key) ?? [])].map(memberOf) } : null;
}

/**
 * Deployed subcomponents that the new descriptor no longer has in this component: they are removed when their owner is
 * redeployed.
 */
const droppedOf = (ownerKey: string, { partsOf }: Members): SnapshotMember[] =>
  (partsOf.get(ownerKey) ?? [])
    .filter(({ status }) => status !== "NOT_DEPLOYED")
    .map((row) => ({ ...memberOf(row), dropped: true }));

function memberOf(row: ComponentRow): SnapshotMember {
  const { key, id, name, parentKey, infrastructureTemplateId, descriptor, hash, dependsOn } = row;
  const { descriptorVersion, position, consumable } = row;
  return {
    key,
    id,
    name,
    parentKey,
    infrastructureTemplateId,
    descriptor,
    hash,
    dependsOn,
    descriptorVersion,
    position,
    consumable,
  };
}

/**
 * By the key of each component, subcomponent with a call of its own and the unit itself: its own snapshot,
 * then those of the subcomponents that are in its call.
 */
function newSnapshots({ unit, componentTypes }: Pick<NewPlanInput, "unit" | "componentTypes">) {
  const called = new Map(calledComponents(unit.components).map((each) => [each.key, each]));
  const found = new Map<string, SnapshotMember[]>();
  let position = -1;
  for (const snapshot of snapshotsOf(unit)) {
    const key = idKey(snapshot.componentId);
    const component = called.get(key);
    if (snapshot.ownerId === undefined) position += 1;
    found.set(key, [
      {
        key,
        id: snapshot.componentId,
        name: snapshot.name,
        parentKey: snapshot.ownerId === undefined ? null : idKey(snapshot.ownerId),
        infrastructureTemplateId: snapshot.infrastructureTemplateId ?? null,
        descriptor: component?.descriptor ?? withoutComponents(unit),
        hash: snapshot.hash,
        dependsOn: snapshot.dependsOn,
        descriptorVersion: unit.version,
        position,
        consumable: component !== undefined && isConsumable(component.descriptor, componentTypes),
      },
    ]);
  }
  for (const component of unit.components) {
    const owners = component.subcomponents.length === 0 ? undefined : ownerKeys(component);
    for (const part of component.subcomponents) {
      if (hasOwnCall(part)) continue;
      const members = found.get(owners?.get(part.key) ?? component.key);
      const consumable = isConsumable(part.descriptor, componentTypes);
      members?.push(subcomponent(part, { own: members[0]!, consumable }));
    }
  }
  return found;
}

const subcomponent = (
  part: Component,
  { own, consumable }: { own: SnapshotMember; consumable: boolean },
): SnapshotMember => ({
  key: part.key,
  id: part.id,
  name: part.name,
  parentKey: own.key,
  infrastructureTemplateId: null,
  descriptor: part.descriptor,
  hash: hashComponent(part.descriptor),
  dependsOn: [],
  descriptorVersion: own.descriptorVersion,
  position: own.position,
  consumable,
});

function withoutComponents(unit: Unit): object {
  const { components: _, ...root } = unit.descriptor;
  return root;
}

/**
 * The component's own `consumable`, else that of its type in the taxonomy, else true for output ports only.
 * Its type is named by `instanceOf` (`componenttype:default/outputport`), else found by its `kind` as
 * resource type or name.
 */
export function isConsumable(component: object, types: ComponentTypes): boolean {
  const kind = textOf(component, "kind");
  const type = typeOf(types, textOf(component, "instanceOf").replace(/^componenttype:/, "") || kind);
  return ownValue(component) ?? type?.consumable ?? kind === "outputport";
}

const typeOf = (types: ComponentTypes, name: string) =>
  Object.hasOwn(types, name) ? types[name] : undefined;

/** The component's own `consumable`; text is accepted, because some templates quote every value. */
function ownValue(component: object): boolean | undefined {
  const value: unknown = Reflect.get(component, "consumable");
  if (typeof value === "boolean") return value;
  const text = textOf(component, "consumable");
  return text === "true" ? true : text === "false" ? false : undefined;
}

function textOf(owner: object, field: string): string {
  const value: unknown = Reflect.get(owner, field);
  return typeof value === "string" ? value.trim().toLowerCase() : "";
}

export interface NoticeSource {
  planId: string;
  /** A component of the unit is deployed after the plan. */
  endsDeployed: boolean;
  services: readonly ExternalService[];
}

/**
 * One task per service: it publishes the deployed unit, or unpublishes it when nothing is deployed any more.
 */
export function noticeTasks({ planId, endsDeployed, services }: NoticeSource): NewTask[] {
  const action = endsDeployed ? "PUBLISH" : "UNPUBLISH";
  const verb = action.toLowerCase();
  return services.map((service) => ({
    task_id: `${verb}:${service.id}`,
    stage: stages.publish,
    action,
    component_key: null,
    component_id: null,
    component_name: service.name,
    depends_on: [],
    adapter_id: service.id,
    adapter_url: `${service.baseUrl.replace(/\/+$/, "")}/v1/${verb}`,
    snapshot: null,
    details: service.isBlocking ? null : { isBlocking: false },
    idempotency_key: `${planId}:${verb}:${service.id}`,
  }));
}
