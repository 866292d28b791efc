/** Accepts a start: as the unit's active operation, or at the end of the unit's queue. */
import type { RequestedStart } from "./request-schema.ts";
import { planQueue } from "../../execution/record/types.ts";
import { insertPlan } from "../../execution/record/new-plan-store.ts";
import type { RawBuilder, Transaction } from "kysely";
import { auditInsert } from "../../../platform/db/audit.ts";
import type { Db } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/failures.ts";
import type { Failure } from "../../../platform/errors/failure.ts";
import { newId } from "../../../platform/lib/ids.ts";
import { coordinatorFailure } from "../../errors.ts";
import type { CoordinatorContext, CoordinatorSettings } from "../../context.ts";
import { lockUnit, type UnitKey } from "../../units/store.ts";
import { newTasks, planRequest, type NewPlanInput, noticeTasks } from "./new-plan.ts";
import { logEvent } from "../../execution/record/plan-events.ts";
import { operationEntries } from "./entries.ts";
import { checkQueued, decide, refuseUnfit, unitKeyOf } from "./decide.ts";
import type { ComponentTypes } from "../../ports.ts";
import { insertQueued } from "./queue-store.ts";
import { withRevocations } from "./revocations.ts";
import { readUnitState, type UnitState } from "./unit-state-store.ts";

export interface StartRequest extends RequestedStart {
  /** Queue the start when the unit has an active operation. */
  queue?: boolean | undefined;
  /** Name in the audit. */
  operation: string;
  /** Further details for the audit. */
  detail?: object;
  /** The component types of the taxonomy; read before the transaction, which holds a connection. */
  componentTypes: ComponentTypes;
}

/** Runs in the caller's transaction; returns the token. */
export async function acceptStart(
  ctx: CoordinatorContext,
  tx: Transaction<unknown>,
  request: StartRequest,
): Promise<string> {
  const at = unitKeyOf(request);
  const { settings } = ctx.coordinator;
  await lockUnit(tx, at, request.unitId);
  const state = await readUnitState(tx, at, { withDescriptor: request.body.removeData });
  const ahead = state.active ?? state.waiting[0];
  if (ahead !== undefined && !request.queue) throw operationActive(request, ahead);
  if (ahead !== undefined) return queueStart(ctx, tx, { request, state, ahead });
  const decided = decide(settings, state, request);
  refuseUnfit(decided, request);
  const planId = newId();
  const now = ctx.now();
  const { componentTypes } = request;
  const { rows, tasks } = await rowsOf(tx, at, {
    planInput: { planId, ...decided, componentTypes },
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
      now,
      deadlineAt: new Date(now.getTime() + settings.operationTimeoutMs(request.environment)),
    },
    { tasks, audit: auditOf(ctx, { request, planId, descriptorVersion: decided.unit.version }) },
  ).catch((error: unknown) => {
    throw isUniqueViolation(error, "operations_active") ? operationActive(request, null) : error;
  });
  await ctx.coordinator.jobs.send(tx, planQueue, { planId });
  return planId;
}

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
  const isDeploy = changes.every(({ action }) => action !== "UNDEPLOY") || changes.some(isDeployment);
  const action: "PROVISION" | "UNPROVISION" = isDeploy ? "PROVISION" : "UNPROVISION";
  const rows = {
    action,
    request: planRequest(planInput),
    descriptorVersion: unit.version,
    components: operationEntries({ changes, tasks, components: unit.components }),
  };
  const endsDeployed = changes.some(({ targetStatus }) => targetStatus === "DEPLOYED");
  return { rows, tasks: [...tasks, ...noticeTasks({ planId, endsDeployed, services })] };
}

const isDeployment = ({ action }: { action: string }): boolean =>
  action === "DEPLOY" || action === "REDEPLOY";

async function queueStart(
  ctx: CoordinatorContext,
  tx: Transaction<unknown>,
  { request, state, ahead }: { request: StartRequest; state: UnitState; ahead: string },
): Promise<string> {
  const { settings } = ctx.coordinator;
  const unit = checkQueued(settings, state, request);
  const { unitId, environment, mode, body, planHash } = request;
  const waiting = new Set([ahead, ...state.waiting]).size - 1;
  if (waiting >= settings.queuedOperationsPerUnit) throw queueFull(request, settings.queuedOperationsPerUnit);
  const planId = newId();
  const now = ctx.now();
  const isDeploy = body.targetStatus.some(({ targetStatus }) => targetStatus === "DEPLOYED");
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
        action: isDeploy || body.targetStatus.length === 0 ? "PROVISION" : "UNPROVISION",
      },
      descriptorVersion: unit.version,
      traceparent: ctx.traceparent,
      now,
      deadlineAt: now,
      asked: { unitId, environment, mode, body, planHash },
    },
    [logEvent({ at: now, severity: "INFO", taskId: null, phase: "QUEUE", message })],
  );
  await auditOf(ctx, { request, planId, descriptorVersion: unit.version, queued: true }).execute(tx);
  return planId;
}

function auditOf(
  ctx: CoordinatorContext,
  { request, planId, ...more }: { request: StartRequest; planId: string } & Record<string, unknown>,
): RawBuilder<unknown> {
  const { body, mode, environment } = request;
  const confirmed = body.confirmDataRemoval?.length ? { confirmDataRemoval: body.confirmDataRemoval } : {};
  return auditInsert(ctx, {
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
