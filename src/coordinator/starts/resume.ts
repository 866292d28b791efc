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
import { planQueue, type NewTask, type PlanRequest } from "../execution/types.ts";
import { endsDeployed, needsPolicyTasks, operationActive } from "./acceptance/accept.ts";
import { callsAdapter, isLeft, resumedTasks, type OriginTask } from "./acceptance/resumed-tasks.ts";
import { holdPlan, overrideWindows } from "../windows/hold-store.ts";
import { checkWhenClosed, passGate, type WhenClosed } from "../windows/gate.ts";
import { readWindows } from "../windows/store.ts";
import { startOnceChecked } from "./once.ts";
import { checkOwnership, refuseOtherOwners, undeploysAny, type Permission } from "./ownership/check.ts";
import { openApprovalOf } from "./ownership/open-approval.ts";
import { readPolicies, type AppliedPolicies } from "./policies/applied.ts";
import { readStartQueue } from "./acceptance/queue-store.ts";
import {
  findLaterAccess,
  findLaterChange,
  nameOrigin,
  readNotified,
  readOrigin,
  readOriginTasks,
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
      const origin = await readResumable(ctx.coordinator.database.db, token);
      const { environment } = origin;
      const [permission, policies] = await Promise.all([
        permissionOf(ctx, origin),
        readPolicies(ctx, ctx.coordinator, { environment, isCompared: false }),
      ]);
      return { permission, policies };
    },
    accept: (tx, checked) => acceptResume(ctx, tx, { ...checked, token, wanted }),
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
  policies: AppliedPolicies;
  wanted: WhenClosed;
}

async function acceptResume(
  ctx: CoordinatorContext,
  tx: Transaction,
  { token, permission: { approval, owned }, policies, wanted }: Resuming,
): Promise<string> {
  const origin = await readResumable(tx, token);
  const locked = await lockUnit(tx, origin, origin.unitId);
  refuseOtherOwners(locked, { ...origin, owned, sent: origin.request.descriptor ?? {} });
  const before = await refuseUnfit(tx, origin);
  const { environment } = origin;
  const { windows = [] } = (await readWindows(tx, environment)) ?? {};
  const gate = passGate(ctx, { windows, environment, wanted });
  const planId = newId();
  const now = ctx.now();
  const known = await loadComponents(tx, origin);
  const { settings, jobs } = ctx.coordinator;
  const tasks = resumedTasks({
    ...unitOf(origin),
    planId,
    tasks: before,
    knownKeys: new Set(known.map(({ key }) => key)),
    hasPolicies: needsPolicyTasks(ctx, { policies, approval }),
    services: settings.services,
    notified: await readNotified(tx, origin.id),
  });
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
    { tasks, audit },
  );
  await nameOrigin(tx, planId, origin);
  const asked = { planId, request: origin, shown: { hash: "" } };
  const isWaiting = approval !== null && (await openApprovalOf(ctx, tx, { ...asked, approval }));
  if (wanted.whenClosed === "override") await overrideWindows(tx, planId);
  if (gate.hold) await holdPlan(tx, planId, gate.hold);
  else if (!isWaiting) await jobs.send(tx, planQueue, { planId });
  return planId;
}

const isOfUnit = (origin: Origin): origin is OfUnit =>
  origin.kind === "PROVISIONING" && origin.unitKey !== null && origin.unitId !== null;

/** The unit, and whether anything of it is deployed after the plan. */
const unitOf = ({ unitId: id, unitKey: key, request: { descriptor, operations } }: OfUnit) => ({
  unit: { id, key, name: typeof descriptor?.["name"] === "string" ? descriptor["name"] : "" },
  endsDeployed: endsDeployed(operations as PlannedChange[]),
});

/** Throws unless the plan can be resumed; returns its tasks. */
async function refuseUnfit(tx: Transaction, origin: OfUnit): Promise<OriginTask[]> {
  // Read again under the lock: it may have ended or been resumed meanwhile.
  const { status = "COMPLETED" } = (await readOrigin(tx, origin.id)) ?? {};
  if (status === "COMPLETED") throw notResumable(origin.id, "It has completed: nothing is left to do.");
  if (status !== "FAILED" && status !== "TERMINATED") throw notResumable(origin.id, `It is ${status}.`);
  const tasks = await readOriginTasks(tx, origin);
  const left = tasks.filter(isLeft);
  if (left.length === 0) throw notResumable(origin.id, whyNothingIsLeft(tasks));
  const line = await readStartQueue(tx, origin);
  const ahead = line.active ?? line.waiting[0];
  if (ahead !== undefined) throw operationActive(origin, ahead);
  const later = await findLaterChange(tx, origin, origin);
  if (later !== null) throw changedSince(origin, later);
  const access = await findLaterAccess(tx, origin, origin);
  if (access !== null) throw changedSince(origin, access);
  const missing = left.filter((task) => task.registered_url === null && callsAdapter(task));
  if (missing.length > 0) throw invalidDescriptor(missing.map(noAdapter(origin)));
  return tasks;
}

function whyNothingIsLeft(tasks: readonly OriginTask[]): string {
  if (tasks.length === 0) return "It ended before its turn, so it has no tasks.";
  const settled = tasks.some((task) => task.settled_as_done) ? ", or were settled as done" : "";
  return `All of its tasks have completed${settled}: nothing is left to do.`;
}

const noAdapter =
  ({ environment }: Origin) =>
  ({ component_id: componentId, adapter_id: adapterId }: OriginTask): Problem => ({
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

/** The operation's components; NONE for those for which nothing is left to do. */
function entriesOf({ components }: Origin, tasks: readonly NewTask[]) {
  const open = new Set(tasks.map(({ task_id }) => task_id));
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
