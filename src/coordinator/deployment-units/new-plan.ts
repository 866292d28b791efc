/** From a decided plan to the rows that the engine executes. Pure. */
import { hashComponent } from "../descriptor/hash.ts";
import { idKey } from "../descriptor/ids.ts";
import type { Component, Unit } from "../descriptor/unit.ts";
import {
  stages,
  type NewTask,
  type PlanRequest,
  type Snapshot,
  type SnapshotMember,
  type TaskDetails,
} from "../execution/record/types.ts";
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
}

export function newTasks(material: PlanMaterial): NewTask[] {
  const snapshots = newSnapshots(material.unit);
  const known = new Map(material.known.map((row) => [row.key, row]));
  return buildTaskGraph(material.plan).tasks.map((task) => newTask(material, task, { snapshots, known }));
}

/** What the adapters are told of the unit's earlier life, and the request as it was decided. */
export function planRequest({ plan, unit, known, adapters }: PlanMaterial): PlanRequest {
  const enrichment: PlanRequest["enrichment"] = {};
  for (const row of known) {
    if (row.parentKey === null && (row.info || row.lastOperation)) {
      enrichment[row.key] = { info: row.info, lastOperation: row.lastOperation };
    }
  }
  return {
    descriptor: unit.descriptor,
    operations: plan.operations,
    removeData: plan.removeData,
    enrichment,
    guardians: { ...guardiansOf(known, adapters), ...guardiansOf(unit.components, adapters) },
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

function snapshotOf(task: ExecutionTask, key: string, { snapshots, known }: Members): Snapshot | null {
  if (task.action === "VALIDATE_COMPONENT") return null;
  if (task.action === "PROVISION") {
    const own = (snapshots.get(key) ?? []).map((member) => withClosing(member, known));
    return { members: [...own, ...droppedOf(key, { snapshots, known })] };
  }
  const deployed = known.get(key);
  if (!deployed) return null;
  const parts = [...known.values()].filter((row) => row.parentKey === key);
  return { members: [deployed, ...parts].map(memberOf) };
}

/** Only what was there before can have been granted to anybody. */
function withClosing(member: SnapshotMember, known: Members["known"]): SnapshotMember {
  const isClosed = known.has(member.key) && Reflect.get(member.descriptor, "consumable") === false;
  return isClosed ? { ...member, closed: true } : member;
}

/** Deployed subcomponents that the unit has no more: they go when their parent is deployed anew. */
function droppedOf(parentKey: string, { snapshots, known }: Members): SnapshotMember[] {
  const old = [...known.values()].filter(
    (row) => row.parentKey === parentKey && row.status !== "NOT_DEPLOYED",
  );
  if (old.length === 0) return [];
  const kept = new Set([...snapshots.values()].flatMap((members) => members.map((member) => member.key)));
  return old.filter((row) => !kept.has(row.key)).map((row) => ({ ...memberOf(row), dropped: true }));
}

function memberOf(row: ComponentRow): SnapshotMember {
  const { key, id, name, parentKey, infrastructureTemplateId, descriptor, hash, dependsOn } = row;
  const { descriptorVersion, position } = row;
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
  };
}

/** By component key: the component's own snapshot, then those of its subcomponents. */
function newSnapshots(unit: Unit): Map<string, SnapshotMember[]> {
  const components = new Map(unit.components.map((component) => [component.key, component]));
  const found = new Map<string, SnapshotMember[]>();
  snapshotsOf(unit).forEach((snapshot, position) => {
    const key = idKey(snapshot.componentId);
    const component = components.get(key);
    const own: SnapshotMember = {
      key,
      id: snapshot.componentId,
      name: snapshot.name,
      parentKey: null,
      infrastructureTemplateId: snapshot.infrastructureTemplateId ?? null,
      descriptor: component?.descriptor ?? withoutComponents(unit),
      hash: snapshot.hash,
      dependsOn: snapshot.dependsOn,
      descriptorVersion: unit.version,
      position,
    };
    const parts = (component?.subcomponents ?? []).map((part) => subcomponent(unit, { part, own }));
    found.set(key, [own, ...parts]);
  });
  return found;
}

const subcomponent = (
  unit: Unit,
  { part, own }: { part: Component; own: SnapshotMember },
): SnapshotMember => ({
  key: part.key,
  id: part.id,
  name: part.name,
  parentKey: own.key,
  infrastructureTemplateId: part.infrastructureTemplateId ?? null,
  descriptor: part.descriptor,
  hash: hashComponent(part.descriptor),
  dependsOn: [],
  descriptorVersion: unit.version,
  position: own.position,
});

function withoutComponents(unit: Unit): object {
  const { components: _, ...root } = unit.descriptor;
  return root;
}
