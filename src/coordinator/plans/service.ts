/** Execution plans for callers: graph, status, log, event stream and termination. */
import { requestTermination } from "./termination-store.ts";
import type { Static } from "typebox";
import type { Failure } from "../../platform/errors/failure.ts";
import { inTransaction, type Transaction } from "../../platform/db/database.ts";
import type { Severity, StoredEvent } from "../../platform/events/events.ts";
import { writeAudit, type CoordinatorContext } from "../context.ts";
import { idKey } from "../ids.ts";
import { requireEnvironment, requireEnvironments } from "../environments.ts";
import { coordinatorFailure, unknownPlan } from "../errors.ts";
import { endApproval, readPendingApproval } from "../execution/approval-store.ts";
import { endsPlanStream, planStream } from "../execution/plan-events.ts";
import type { TerminateMode } from "../execution/types.ts";
import { findActivePlan } from "../units/store.ts";
import { descriptorText } from "../execution/tasks/descriptor-text.ts";
import { planText, type DagFlavour } from "./dag.ts";
import { maxPlans, type plansQuery } from "./schema.ts";
import {
  hasEventsAfter,
  listPlanIds,
  planExists,
  readLogs,
  readPlan,
  readTasks,
  type LogPage,
} from "./store.ts";

export interface PlanQuery {
  token: string;
  flavour: DagFlavour;
  includeDescriptors: boolean;
}

/** The plan as JSON text. */
export async function getPlan(ctx: CoordinatorContext, query: PlanQuery): Promise<string> {
  const text = await readPlanText(ctx, query);
  if (text === null) throw unknownPlan(query.token);
  return text;
}

async function readPlanText(ctx: CoordinatorContext, query: PlanQuery): Promise<string | null> {
  const { db } = ctx.coordinator.database;
  const plan = await readPlan(db, query.token, query.includeDescriptors);
  if (!plan) return null;
  const tasks = await readTasks(db, query.token, query.includeDescriptors);
  const print = (descriptor: object | null): string => (descriptor ? descriptorText(descriptor) : "");
  const { polling } = ctx.coordinator.settings;
  return planText({ plan, tasks, flavour: query.flavour, print, now: ctx.now(), polling });
}

/** Characters; a page of plans ends here before its limit is reached. */
const longestPage = 8 * 1024 * 1024;

/** Complete plans of a data product as JSON text; read one at a time to limit memory. */
export async function listPlans(ctx: CoordinatorContext, query: Static<typeof plansQuery>): Promise<string> {
  requireEnvironments(ctx, query.environments, "environments");
  const { offset } = query;
  const limit = Math.min(query.limit, maxPlans);
  const { ids, count } = await listPlanIds(ctx.coordinator.database.db, {
    unitKey: idKey(query["data-product-id"]),
    environments: query.environments,
    version: query.version,
    actions: query.operations,
    withSnapshots: query["include-snapshot"],
    order: query.ordering,
    offset,
    limit,
  });
  const plans: string[] = [];
  let length = 0;
  const includeDescriptors = query["include-descriptors"];
  for (const token of ids) {
    const text =
      length < longestPage ? await readPlanText(ctx, { token, flavour: "plan", includeDescriptors }) : null;
    if (text === null) break;
    plans.push(text);
    length += text.length;
  }
  return `{"provisioningPlans":[${plans.join(",")}],"page":${JSON.stringify({ offset, limit, count })}}`;
}

export interface LogRequest {
  token: string;
  level: Severity;
  taskId: string | undefined;
  after: number;
  limit: number;
}

export async function getLogs(ctx: CoordinatorContext, request: LogRequest): Promise<LogPage> {
  const { db } = ctx.coordinator.database;
  const { token, ...query } = request;
  if (!(await planExists(db, token))) throw unknownPlan(token);
  return readLogs(db, { planId: token, ...query });
}

/**
 * The events of a plan after an event id; the stream ends with the plan. Null when the plan has ended and the
 * caller has its last event, so that browsers, which reconnect after every end, get a 204 and stop.
 */
export async function followPlan(
  ctx: CoordinatorContext,
  token: string,
  after: number,
): Promise<AsyncGenerator<StoredEvent> | null> {
  const { database, hub } = ctx.coordinator;
  const more = await hasEventsAfter(database.db, token, after);
  if (more === null) throw unknownPlan(token);
  if (!more) return null;
  return hub.tail(planStream(token), { after, signal: ctx.signal, isLast: endsPlanStream });
}

export async function terminatePlan(
  ctx: CoordinatorContext,
  token: string,
  mode: TerminateMode,
): Promise<void> {
  await inTransaction(ctx.coordinator.database, async (tx) => {
    await closeApprovalOf(ctx, tx, { planId: token, reason: `The plan was terminated by ${ctx.actor.ref}.` });
    const outcome = await requestTermination(tx, token, { mode, at: ctx.now() });
    if (outcome === "unknown") throw unknownPlan(token);
    if (outcome === "finished") throw planFinished(token);
    await writeAudit(tx, ctx, { operation: "terminatePlan", subject: `plan:${token}`, detail: { mode } });
  });
}

/**
 * Of a plan that waits for one, and is to end. The action is locked first, as by who decides it; while that was waited for, the
 * decision may have opened the next one. Once the plan names the action that is locked, nobody opens another.
 */
export async function closeApprovalOf(
  ctx: CoordinatorContext,
  tx: Transaction,
  { planId, reason }: { planId: string; reason: string },
): Promise<void> {
  const { closeApproval } = ctx.coordinator;
  if (closeApproval === undefined) return;
  let actionId = await readPendingApproval(tx, planId);
  let closed: string | null = null;
  while (actionId !== null && actionId !== closed) {
    await closeApproval(ctx, tx, actionId, reason);
    closed = actionId;
    actionId = await readPendingApproval(tx, planId);
  }
  if (actionId === null) return;
  await endApproval(tx, { actionId, status: "REJECTED", by: ctx.actor.ref, reason, at: ctx.now() });
}

export interface TerminateUnitRequest {
  unitId: string;
  environment: string;
  mode: TerminateMode;
}

/** Passes the request on to the plan of the unit's active operation. */
export async function terminateUnit(ctx: CoordinatorContext, request: TerminateUnitRequest): Promise<void> {
  await terminatePlan(ctx, await activePlanOf(ctx, request), request.mode);
}

/** The plan of the unit's active operation; throws where there is none. */
export async function activePlanOf(
  ctx: CoordinatorContext,
  request: Omit<TerminateUnitRequest, "mode">,
): Promise<string> {
  requireEnvironment(ctx, request.environment);
  const at = { unitKey: idKey(request.unitId), environment: request.environment };
  const active = await findActivePlan(ctx.coordinator.database.db, at);
  if (!active) {
    const message = `No operation is active on ${request.unitId} in ${request.environment}.`;
    throw coordinatorFailure("COORD_NOTHING_ACTIVE", {
      message,
      where: "deployment-unit-id",
      solution: "Read the unit's status to see how its last operation ended.",
      input: request.unitId,
    });
  }
  return active;
}

export function planFinished(token: string): Failure {
  return coordinatorFailure("COORD_PLAN_FINISHED", {
    message: `The plan ${token} has ended already.`,
    problems: [{ where: "token", message: "The plan has ended already.", solution: "Read its status." }],
    input: token,
  });
}
