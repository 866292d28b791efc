/** Accepts a start: as the unit's active operation, or at the end of the unit's queue. */
import type { RequestedStart } from "./request-schema.ts";
import { planQueue, type OperationEntry, type NewTask } from "../../execution/types.ts";
import { insertPlan } from "../../execution/new-plan-store.ts";
import { auditInsert } from "../../../platform/db/audit.ts";
import type { Db, Transaction } from "../../../platform/db/database.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import { isUniqueViolation } from "../../../platform/db/failures.ts";
import type { Failure } from "../../../platform/errors/failure.ts";
import { newId } from "../../../platform/lib/ids.ts";
import { originOf } from "../../../platform/lib/request-lines.ts";
import { coordinatorFailure } from "../../errors.ts";
import type { CoordinatorContext, CoordinatorSettings } from "../../context.ts";
import { lockUnit, type UnitKey, type ComponentRow } from "../../units/store.ts";
import { newTasks, planRequest, type NewPlanInput, noticeTasks } from "./new-plan.ts";
import { logEvent } from "../../execution/plan-events.ts";
import { checkQueued, decide, refuseUnfit, unitKeyOf } from "./decide.ts";
import type { ComponentTypes } from "../../ports.ts";
import type { AppliedPolicies } from "../policies/applied.ts";
import { openApprovalOf } from "../ownership/open-approval.ts";
import { refuseOtherOwners, refuseUndeploy, type Permission } from "../ownership/check.ts";
import { planHash as hashOf } from "./plan-hash.ts";
import { insertQueued } from "./queue-store.ts";
import { readUnitState, type UnitState } from "../../units/unit-state-store.ts";
import { idKey } from "../../ids.ts";
import { hasOwnCall, ownerKeys } from "../../planning/descriptor/own-calls.ts";
import type { Component } from "../../planning/descriptor/unit.ts";
import type { PlannedChange, TargetStatus } from "../../planning/model.ts";
import type { EnabledAdapter } from "../../adapters/store.ts";
import { holdPlan, overrideWindows } from "../../windows/hold-store.ts";
import { passGate, type WhenClosed } from "../../windows/gate.ts";
import { findGranted, readPort, type Port } from "../adapter-requests/store.ts";
import { accessTask } from "../adapter-requests/tasks.ts";

export interface StartRequest extends RequestedStart, WhenClosed {
  /** Queue the start when the unit has an active operation. */
  queue?: boolean | undefined;
  /** Name in the audit. */
  operation: string;
  /** Further details for the audit. */
  detail?: object;
  /** The component types of the taxonomy; read before the transaction, which holds a connection. */
  componentTypes: ComponentTypes;
  /** The policies that apply; read before the transaction too. */
  policies: AppliedPolicies;
  permission: Permission;
}

/** Runs in the caller's transaction; returns the token. */
export async function acceptStart(
  ctx: CoordinatorContext,
  tx: Transaction,
  request: StartRequest,
): Promise<string> {
  const at = unitKeyOf(request);
  const { settings } = ctx.coordinator;
  const { approval, owned, undeployRefusedBy } = request.permission;
  const locked = await lockUnit(tx, at, request.unitId);
  refuseOtherOwners(locked, { ...request, owned, sent: request.body.descriptor });
  const state = await readUnitState(tx, at, { withDescriptor: request.body.removeData });
  const ahead = state.active ?? state.waiting[0];
  // What is queued is planned on a state that nobody has seen yet, so it can't be approved.
  if (ahead !== undefined && (!request.queue || approval !== null)) throw operationActive(request, ahead);
  const gate = passGate(ctx, { windows: state.windows, environment: at.environment, wanted: request });
  const detailed = { ...request, detail: { ...request.detail, ...gate.detail } };
  if (ahead !== undefined) return queueStart(ctx, tx, { request: detailed, state, ahead });
  const decided = decide(settings, state, request);
  refuseUnfit(decided, request, request.policies);
  refuseUndeploy(decided.plan, { ...request, undeployRefusedBy });
  const planId = newId();
  const now = ctx.now();
  const { componentTypes, policies } = request;
  const hasPolicies = needsPolicyTasks(ctx, { policies, approval });
  const { rows, tasks } = await rowsOf(tx, at, {
    planInput: { planId, ...decided, componentTypes, hasPolicies },
    settings,
  });
  await insertPlan(
    tx,
    {
      id: planId,
      kind: "PROVISIONING",
      ...at,
      unitId: decided.unit.id,
      originator: ctx.actor.ref,
      ...rows,
      operationAction: rows.action === "PROVISION" ? "DEPLOY" : "UNDEPLOY",
      traceparent: ctx.traceparent,
      origin: originOf(ctx),
      now,
      deadlineAt: new Date(now.getTime() + settings.operationTimeoutMs(request.environment)),
    },
    { tasks, audit: auditOf(ctx, { request: detailed, planId, descriptorVersion: decided.unit.version }) },
  ).catch((error: unknown) => {
    throw isUniqueViolation(error, "operations_active") ? operationActive(request, null) : error;
  });
  let isWaiting = false;
  if (approval !== null) {
    // Computed only for an approval: the hash takes as long as the planning.
    const shown = { plan: decided.plan, hash: hashOf(decided.plan, policies.fingerprint) };
    isWaiting = await openApprovalOf(ctx, tx, { planId, request, approval, shown });
  }
  if (request.whenClosed === "override") await overrideWindows(tx, planId);
  if (gate.hold) await holdPlan(tx, planId, gate.hold);
  else if (!isWaiting) await ctx.coordinator.jobs.send(tx, planQueue, { planId });
  return planId;
}

/** Also where policies may be enabled while somebody thinks about an approval. */
export const needsPolicyTasks = (
  ctx: CoordinatorContext,
  { policies, approval }: { policies: AppliedPolicies; approval: Permission["approval"] },
): boolean => policies.hasPolicies || (approval !== null && ctx.coordinator.policies !== undefined);

/**
 * The rows of a decided plan, whether it starts at once or from the queue. The caller holds the lock of the
 * unit.
 */
export async function rowsOf(
  tx: Db,
  at: UnitKey,
  { planInput, settings: { services } }: { planInput: NewPlanInput; settings: CoordinatorSettings },
) {
  const { plan, unit, planId, known, adapters } = planInput;
  const changes = plan.operations;
  const tasks = await withRevocations(tx, at, { planId, tasks: newTasks(planInput), known, adapters });
  const rows = {
    action: actionOf(changes),
    request: planRequest(planInput),
    descriptorVersion: unit.version,
    components: operationEntries({ changes, tasks, components: unit.components }),
  };
  return {
    rows,
    tasks: [...tasks, ...noticeTasks({ planId, endsDeployed: endsDeployed(changes), services })],
  };
}

type Targets = readonly { targetStatus: TargetStatus }[];

export const endsDeployed = (targets: Targets): boolean =>
  targets.some(({ targetStatus }) => targetStatus === "DEPLOYED");

/** An operation without any component is taken for a deployment. */
const actionOf = (targets: Targets): "PROVISION" | "UNPROVISION" =>
  endsDeployed(targets) || targets.length === 0 ? "PROVISION" : "UNPROVISION";

async function queueStart(
  ctx: CoordinatorContext,
  tx: Transaction,
  { request, state, ahead }: { request: StartRequest; state: UnitState; ahead: string },
): Promise<string> {
  const { settings } = ctx.coordinator;
  const unit = checkQueued(settings, state, request);
  const { unitId, environment, mode, body, planHash, permission } = request;
  const { owned, undeployRefusedBy } = permission;
  const waiting = new Set([ahead, ...state.waiting]).size - 1;
  if (waiting >= settings.queuedOperationsPerUnit) throw queueFull(request, settings.queuedOperationsPerUnit);
  const planId = newId();
  const now = ctx.now();
  const overriding = request.whenClosed === "override" ? { overridesWindows: true } : {};
  const message = `Queued: waits for plan ${ahead}, position ${waiting + 1}.`;
  await insertQueued(
    tx,
    {
      id: planId,
      ...unitKeyOf(request),
      unitId: unit.id,
      originator: ctx.actor.ref,
      preliminary: {
        request: { descriptor: unit.descriptor, operations: [], removeData: body.removeData, enrichment: {} },
        action: actionOf(body.targetStatus),
      },
      descriptorVersion: unit.version,
      traceparent: ctx.traceparent,
      origin: originOf(ctx),
      now,
      deadlineAt: now,
      asked: { unitId, environment, mode, body, planHash, ...overriding, owned, undeployRefusedBy },
    },
    [logEvent({ at: now, severity: "INFO", taskId: null, phase: "QUEUE", message })],
  );
  await auditOf(ctx, { request, planId, descriptorVersion: unit.version, queued: true }).execute(tx);
  return planId;
}

function auditOf(
  ctx: CoordinatorContext,
  { request, planId, ...more }: { request: StartRequest; planId: string } & Record<string, unknown>,
): Sql {
  const { body, mode, environment } = request;
  const confirmed = body.confirmDataRemoval?.length ? { confirmDataRemoval: body.confirmDataRemoval } : {};
  return auditInsert(ctx, {
    area: "coordinator",
    operation: request.operation,
    subject: `unit:${request.unitId}@${environment}`,
    detail: { planId, mode, removeData: body.removeData, ...more, ...confirmed, ...request.detail },
  });
}

export function operationActive(at: { unitId: string; environment: string }, planId: string | null): Failure {
  const plan = planId ? ` (plan ${planId})` : "";
  const message = `An operation is active on ${at.unitId} in ${at.environment}${plan}.`;
  const solution = "Wait for its end or terminate it, then start again; or start with queue=true.";
  return coordinatorFailure("COORD_OPERATION_ACTIVE", {
    message,
    where: "deployment-unit-id",
    solution,
    input: at.unitId,
  });
}

function queueFull({ unitId, environment }: RequestedStart, limit: number): Failure {
  const message = `${limit} operations wait for their turn on ${unitId} in ${environment} already.`;
  const solution = "Wait until some have ended, or terminate those that are not needed any more.";
  return coordinatorFailure("COORD_QUEUE_FULL", { message, where: "queue", solution, input: unitId });
}

// The stored component entries of an operation, each with the id of its task.

interface OperationEntryInput {
  changes: readonly Pick<PlannedChange, "componentId" | "action">[];
  tasks: readonly { task_id: string; action: string; component_id: string | null }[];
  components: readonly Component[];
}

export function operationEntries({ changes, tasks, components }: OperationEntryInput): OperationEntry[] {
  const taskOf = new Map<string, string>();
  for (const { task_id, action, component_id } of tasks) {
    if (component_id !== null && (action === "PROVISION" || action === "UNPROVISION"))
      taskOf.set(idKey(component_id), task_id);
  }
  const ownerOf = new Map(
    components.flatMap((component) => {
      if (component.subcomponents.length === 0) return [];
      const owners = ownerKeys(component);
      return component.subcomponents
        .filter((part) => !hasOwnCall(part))
        .map(({ key }) => [key, owners.get(key) ?? component.key] as const);
    }),
  );
  return changes.map(({ componentId, action }) => {
    const key = idKey(componentId);
    const taskId = taskOf.get(key) ?? taskOf.get(ownerOf.get(key) ?? key);
    return { componentId, provisioningAction: action, ...(taskId === undefined ? {} : { taskId }) };
  });
}

// Tasks that revoke all access to components that a plan deploys as not consumable; they run before the
// deployment.

interface Revoking {
  planId: string;
  tasks: NewTask[];
  known: readonly ComponentRow[];
  adapters: ReadonlyMap<string, EnabledAdapter>;
}

/**
 * The tasks, with revocations added. The caller's transaction locks the unit, so no access is granted
 * meanwhile.
 */
async function withRevocations(db: Db, at: UnitKey, revoking: Revoking): Promise<NewTask[]> {
  const closing = closingKeys(revoking);
  if (closing.length === 0) return revoking.tasks;
  const ports: Port[] = [];
  for (const key of await findGranted(db, at, closing)) {
    const port = await readPort(db, at, key);
    if (port) ports.push(port);
  }
  return revokeFirst(revoking, ports);
}

/** Pure. Keys of consumable components that the plan deploys as not consumable. */
function closingKeys({ tasks, known }: Revoking): string[] {
  const open = new Set(known.filter(({ consumable }) => consumable).map(({ key }) => key));
  if (open.size === 0) return [];
  return tasks.flatMap((task) => closedBy(task).map(({ key }) => key)).filter((key) => open.has(key));
}

const closedBy = ({ action, snapshot }: NewTask) =>
  action === "PROVISION" ? (snapshot?.members ?? []).filter(({ consumable }) => consumable !== true) : [];

/** Pure. Each revocation waits for what its deployment waits for, and the deployment waits for it. */
function revokeFirst({ planId, tasks, adapters }: Revoking, ports: readonly Port[]): NewTask[] {
  return tasks.flatMap((task) => {
    const closed = new Map(closedBy(task).map((member) => [member.key, member]));
    const revocations = ports.flatMap((port): NewTask[] => {
      const member = closed.get(port.key);
      if (member === undefined) return [];
      return [
        {
          ...accessTask(planId, { port, adapter: adapters.get(port.templateId ?? ""), refs: [] }),
          depends_on: task.depends_on,
          snapshot: { members: [{ ...member, closed: true }] },
        },
      ];
    });
    if (revocations.length === 0) return [task];
    return [...revocations, { ...task, depends_on: revocations.map(({ task_id }) => task_id) }];
  });
}
