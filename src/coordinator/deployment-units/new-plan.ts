/** From a decided plan to the rows that the engine executes. Pure. */
import { isConsumable } from "../descriptor/consumable.ts";
import { hashComponent } from "../descriptor/hash.ts";
import { idKey } from "../descriptor/ids.ts";
import { calledComponents, hasCallOfItsOwn, hasOwnCall, ownerKeys } from "../descriptor/own-calls.ts";
import type { Component, Unit } from "../descriptor/unit.ts";
import {
  stages,
  type NewTask,
  type PlanRequest,
  type Snapshot,
  type SnapshotMember,
  type TaskDetails,
} from "../execution/record/types.ts";
import type { ComponentTypes } from "../ports.ts";
import { snapshotsOf, type ProvisioningPlan } from "../planning/plan.ts";
import { buildTaskGraph, type ExecutionTask } from "../planning/task-graph.ts";
import { guardianOf, isAsyncValidation } from "../tech-adapters/properties.ts";
import type { ComponentRow, EnabledAdapter } from "./store.ts";

export interface PlanMaterial {
  planId: string;
  plan: ProvisioningPlan;
  unit: Unit;
  known: ComponentRow[];
  adapters: Map<string, EnabledAdapter>;
  /** Of the taxonomy. */
  componentTypes: ComponentTypes;
}

export function newTasks(material: PlanMaterial): NewTask[] {
  const snapshots = newSnapshots(material);
  const known = new Map(material.known.map((row) => [row.key, row]));
  const inCalls = new Set<string>();
  for (const [own, ...parts] of snapshots.values()) {
    for (const { key } of own?.parentKey === null ? [own, ...parts] : parts) inCalls.add(key);
  }
  const partRows = material.known.filter((row) => !hasCallOfItsOwn(row));
  const partsOf = Map.groupBy(partRows, (row) => row.parentKey);
  const members = { snapshots, known, partsOf, inCalls };
  return buildTaskGraph(material.plan).tasks.map((task) => newTask(material, task, members));
}

/** What the adapters are told of the unit's earlier life, and the request as it was decided. */
export function planRequest({ plan, unit, known, adapters }: PlanMaterial): PlanRequest {
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

interface Guarded {
  key: string;
  infrastructureTemplateId?: string | null | undefined;
  descriptor: object;
}

/** By component key, the policy that guards its data contract. */
export function guardiansOf(
  components: readonly Guarded[],
  adapters: Map<string, EnabledAdapter>,
): Record<string, string> {
  return Object.fromEntries(
    components.flatMap(({ key, infrastructureTemplateId, descriptor }) => {
      const adapter = adapters.get(infrastructureTemplateId ?? "");
      const policyId = guardianOf(adapter?.properties ?? null, (descriptor as { kind?: unknown }).kind);
      return policyId === undefined ? [] : [[key, policyId] as const];
    }),
  );
}

interface Members {
  snapshots: Map<string, SnapshotMember[]>;
  known: Map<string, ComponentRow>;
  /** By the key of their owner, known subcomponents that are in its call. */
  partsOf: Map<string | null, ComponentRow[]>;
  /** Keys of components and of the subcomponents that are in somebody's call by the new descriptor. */
  inCalls: ReadonlySet<string>;
}

function newTask(material: PlanMaterial, task: ExecutionTask, members: Members): NewTask {
  const key = idKey(task.componentId);
  const adapter = material.adapters.get(task.infrastructureTemplateId ?? "");
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
    idempotency_key: `${material.planId}:${task.key}`,
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

export const validationDetails = (adapter: EnabledAdapter | undefined): TaskDetails | null =>
  isAsyncValidation(adapter?.properties ?? null) ? { asyncValidation: true } : null;

function snapshotOf(task: ExecutionTask, key: string, members: Members): Snapshot | null {
  const { snapshots, known, partsOf } = members;
  if (task.action === "VALIDATE_COMPONENT") return null;
  if (task.action === "PROVISION")
    return { members: [...(snapshots.get(key) ?? []), ...droppedOf(key, members)] };
  const deployed = known.get(key);
  return deployed ? { members: [deployed, ...(partsOf.get(key) ?? [])].map(memberOf) } : null;
}

/** Deployed subcomponents that are in no call of the unit any more: they go when their owner is deployed anew. */
const droppedOf = (ownerKey: string, { partsOf, inCalls }: Members): SnapshotMember[] =>
  (partsOf.get(ownerKey) ?? [])
    .filter(({ key, status }) => status !== "NOT_DEPLOYED" && !inCalls.has(key))
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
 * By the key of each component, subcomponent with a call of its own and the unit itself: its own snapshot, then those of
 * the subcomponents that are in its call.
 */
function newSnapshots({ unit, componentTypes }: Pick<PlanMaterial, "unit" | "componentTypes">) {
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
