/** Resumes a plan that failed or was terminated: a new plan runs the tasks that did not complete. */
import { insertPlan } from "../execution/new-plan-store.ts";
import type { Db, Transaction } from "../../platform/db/database.ts";
import { auditInsert } from "../../platform/db/audit.ts";
import type { Failure, Problem } from "../../platform/errors/failure.ts";
import { newId } from "../../platform/lib/ids.ts";
import { originOf } from "../../platform/lib/request-lines.ts";
import type { CoordinatorContext } from "../context.ts";
import { loadComponents, lockUnit, type ComponentRow } from "../units/store.ts";
import { hasCallOfItsOwn } from "../planning/descriptor/own-calls.ts";
import type { PlannedChange } from "../planning/model.ts";
import { coordinatorFailure, invalidDescriptor, unknownPlan } from "../errors.ts";
import { type PlanRequest, planQueue } from "../execution/types.ts";
import { operationActive } from "./acceptance/accept.ts";
import { holdPlan, overrideWindows } from "../windows/hold-store.ts";
import { checkWhenClosed, passGate, type WhenClosed } from "../windows/gate.ts";
import { readWindows } from "../windows/store.ts";
import { startOnceChecked } from "./once.ts";
import { checkOwnership, refuseOtherOwners, undeploysAny, type Permission } from "./ownership/check.ts";
import { openApprovalOf } from "./ownership/open-approval.ts";
import { readStartQueue } from "./acceptance/queue-store.ts";
import {
  copyOpenTasks,
  findLaterAccess,
  findLaterChange,
  hasTasks,
  readOpenTasks,
  readOrigin,
  type OpenTask,
  type Origin,
} from "./resume-store.ts";

/** Returns the token of the new plan. */
export async function resumePlan(
  ctx: CoordinatorContext,
  token: string,
  { idempotencyKey, ...wanted }: { idempotencyKey?: string | undefined } & WhenClosed,
): Promise<string> {
  const request = { token, ...(wanted.whenClosed !== "refuse" && wanted) };
  const once = { under: { operation: "resumePlan", key: idempotencyKey }, request };
  return startOnceChecked(ctx, once, {
    async check() {
      checkWhenClosed(ctx, wanted);
      return permissionOf(ctx, await readResumable(ctx.coordinator.database.db, token));
    },
    accept: (tx, permission) => acceptResume(ctx, tx, { token, permission, wanted }),
  });
}

async function readResumable(db: Db, token: string): Promise<OfUnit> {
  const origin = await readOrigin(db, token);
  if (!origin) throw unknownPlan(token);
  if (!isOfUnit(origin)) throw notResumable(token, "It is not the provisioning of a deployment unit.");
  return origin;
}

/** Like the start that it continues: what that removes or undeploys, this does too. */
function permissionOf(ctx: CoordinatorContext, origin: OfUnit): Promise<Permission> {
  const { operations = [], removeData } = origin.request as Partial<PlanRequest>;
  const undeploys = origin.action === "UNPROVISION" || undeploysAny(operations as PlannedChange[]);
  return checkOwnership(ctx, {
    operations: [
      "resume",
      ...(undeploys ? (["undeploy"] as const) : []),
      ...(removeData === true ? (["removeData"] as const) : []),
    ],
    unitId: origin.unitId,
    environment: origin.environment,
    descriptor: origin.request.descriptor ?? {},
  });
}

type OfUnit = Origin & { unitKey: string; unitId: string };

interface Resuming {
  token: string;
  permission: Permission;
  wanted: WhenClosed;
}

async function acceptResume(
  ctx: CoordinatorContext,
  tx: Transaction,
  { token, permission: { approval, owned }, wanted }: Resuming,
): Promise<string> {
  const origin = await readResumable(tx, token);
  const locked = await lockUnit(tx, origin, origin.unitId);
  refuseOtherOwners(locked, { ...origin, owned, sent: origin.request.descriptor ?? {} });
  const tasks = await refuseUnfit(tx, origin);
  const { environment } = origin;
  const { windows = [] } = (await readWindows(tx, environment)) ?? {};
  const gate = passGate(ctx, { windows, environment, wanted });
  const planId = newId();
  const now = ctx.now();
  const known = await loadComponents(tx, origin);
  const { settings, jobs } = ctx.coordinator;
  const audit = auditInsert(ctx, {
    area: "coordinator",
    operation: "resumePlan",
    subject: `unit:${origin.unitId}@${origin.environment}`,
    detail: { planId, originPlan: origin.id, ...gate.detail },
  });
  await insertPlan(
    tx,
    {
      id: planId,
      kind: "PROVISIONING",
      unitKey: origin.unitKey,
      unitId: origin.unitId,
      environment: origin.environment,
      action: origin.action,
      originator: ctx.actor.ref,
      request: { ...origin.request, enrichment: enrichmentOf(known) },
      descriptorVersion: origin.descriptorVersion ?? "",
      traceparent: ctx.traceparent,
      origin: originOf(ctx),
      now,
      deadlineAt: new Date(now.getTime() + settings.operationTimeoutMs(origin.environment)),
      operationAction: origin.action === "UNPROVISION" ? "UNDEPLOY" : "DEPLOY",
      components: entriesOf(origin, tasks),
    },
    { tasks: [], audit },
  );
  await copyOpenTasks(tx, origin, planId);
  const asked = { planId, request: origin, shown: { hash: "" } };
  const isWaiting = approval !== null && (await openApprovalOf(ctx, tx, { ...asked, approval }));
  if (wanted.whenClosed === "override") await overrideWindows(tx, planId);
  if (gate.hold) await holdPlan(tx, planId, gate.hold);
  else if (!isWaiting) await jobs.send(tx, planQueue, { planId });
  return planId;
}

const isOfUnit = (origin: Origin): origin is OfUnit =>
  origin.kind === "PROVISIONING" && origin.unitKey !== null && origin.unitId !== null;

/** Throws unless the plan can be resumed; returns its tasks that did not complete. */
async function refuseUnfit(tx: Transaction, origin: OfUnit): Promise<OpenTask[]> {
  // Read again under the lock: it may have ended or been resumed meanwhile.
  const { status = "COMPLETED" } = (await readOrigin(tx, origin.id)) ?? {};
  if (status === "COMPLETED") throw notResumable(origin.id, "It has completed: nothing is left to do.");
  if (status !== "FAILED" && status !== "TERMINATED") throw notResumable(origin.id, `It is ${status}.`);
  const tasks = await readOpenTasks(tx, origin);
  if (tasks.length === 0) {
    const why = (await hasTasks(tx, origin.id))
      ? "All of its tasks have completed: nothing is left to do."
      : "It ended before its turn, so it has no tasks.";
    throw notResumable(origin.id, why);
  }
  const line = await readStartQueue(tx, origin);
  const ahead = line.active ?? line.waiting[0];
  if (ahead !== undefined) throw operationActive(origin, ahead);
  const later = await findLaterChange(tx, origin, origin);
  if (later !== null) throw changedSince(origin, later);
  const access = await findLaterAccess(tx, origin, origin);
  if (access !== null) throw changedSince(origin, access);
  const missing = tasks.filter((task) => !task.hasAdapter && needsAdapter(task)).map(noAdapter(origin));
  if (missing.length > 0) throw invalidDescriptor(missing);
  return tasks;
}

/** Notices go to external services at their configured addresses; policies call no adapter. */
const needsAdapter = ({ action }: OpenTask): boolean =>
  action !== "PUBLISH" && action !== "UNPUBLISH" && action !== "POLICY_VALIDATE_COMPONENT";

const noAdapter =
  ({ environment }: Origin) =>
  ({ componentId, adapterId }: OpenTask): Problem => ({
    where: "token",
    message: `No enabled tech adapter ${adapterId} is registered in ${environment} for ${componentId}.`,
    solution: "Register the adapter there, or enable its deployment.",
  });

/** The current infos of the components; completed tasks of the origin have added some. */
function enrichmentOf(known: ComponentRow[]): PlanRequest["enrichment"] {
  return Object.fromEntries(
    known
      .filter((row) => hasCallOfItsOwn(row) && (row.info || row.lastOperation))
      .map((row) => [row.key, { info: row.info, lastOperation: row.lastOperation }]),
  );
}

/** The operation's components; NONE for those whose tasks had completed. */
function entriesOf({ components }: Origin, tasks: OpenTask[]) {
  const open = new Set(tasks.map(({ taskId }) => taskId));
  return (components ?? []).map((entry) =>
    entry.taskId !== undefined && open.has(entry.taskId)
      ? entry
      : { componentId: entry.componentId, provisioningAction: "NONE" },
  );
}

function notResumable(token: string, why: string): Failure {
  const message = `The plan ${token} can't be resumed. ${why}`;
  const solution = "Resume a plan that is FAILED or TERMINATED, or start the operation again.";
  return coordinatorFailure("COORD_NOT_RESUMABLE", { message, where: "token", solution, input: token });
}

function changedSince(origin: OfUnit, later: string): Failure {
  const message = `The plan ${later} has changed ${origin.unitId} in ${origin.environment} since.`;
  const solution = `Resume ${later} if that failed, or start the operation again.`;
  return coordinatorFailure("COORD_UNIT_CHANGED", { message, where: "token", solution, input: origin.id });
}
