/** The ledger of calls that may have acted and whose outcome is unknown: lists, polls and settles them. */
import { inTransaction, type Db } from "../../../platform/db/database.ts";
import type { Failure } from "../../../platform/errors/failure.ts";
import { appendEvents } from "../../../platform/events/events.ts";
import { isCursorTime, pageOf, readPageCursor } from "../../../platform/lib/page-cursor.ts";
import { isUnconnected, type PollAnswer } from "../../adapters/protocol/answers.ts";
import { writeAudit, type CoordinatorContext } from "../../context.ts";
import { findActivePlan, lockUnit } from "../../units/store.ts";
import { idKey } from "../../ids.ts";
import { requireEnvironment } from "../../environments.ts";
import { brokenCursor, coordinatorFailure, type CoordinatorCode } from "../../errors.ts";
import { componentEvent, outcomeEvent, unitStream } from "../../execution/plan-events.ts";
import { readAdapterUrls } from "../../adapters/store.ts";
import { findAccessChange } from "../../starts/adapter-requests/store.ts";
import type { OutcomeRow } from "./entry.ts";
import {
  applyAccess,
  endAccess,
  findLaterChange,
  supersededText,
  supersedeEarlier,
  type Settler,
} from "./access-store.ts";
import {
  isSuperseded,
  listOutcomes,
  lockOutcome,
  notePoll,
  readOutcome,
  setComponent,
  settleOutcome,
} from "./store.ts";
import {
  changesComponent,
  lastOperationOf,
  outcomeOfPoll,
  outcomesOf,
  outcomeView,
  answerText,
} from "./settlement.ts";
import type { SettleBody, UnknownOutcome, UnknownOutcomeList } from "./schema.ts";

export interface OutcomeListRequest {
  environment: string | undefined;
  unitId: string | undefined;
  settled: boolean;
  limit: number;
  after: string | undefined;
}

export async function listUnknownOutcomes(
  ctx: CoordinatorContext,
  request: OutcomeListRequest,
): Promise<UnknownOutcomeList> {
  if (request.environment !== undefined) requireEnvironment(ctx, request.environment);
  const { limit, settled, environment } = request;
  const rows = await listOutcomes(ctx.coordinator.database.db, {
    environment,
    unitKey: request.unitId === undefined ? undefined : idKey(request.unitId),
    settled,
    limit: limit + 1,
    after: request.after === undefined ? null : readAfter(request.after),
  });
  const { page, next } = pageOf(rows, limit, (row) => [row.since.toISOString(), row.planId, row.taskId]);
  return { data: page.map((row) => viewOf(ctx, row)), meta: { pagination: { limit, next } } };
}

const viewOf = (ctx: CoordinatorContext, row: OutcomeRow): UnknownOutcome =>
  outcomeView(row, { now: ctx.now(), delaysMs: ctx.coordinator.settings.outcomeRetryDelaysMs });

function readAfter(text: string): { since: string; planId: string; taskId: string } {
  const [since = "", planId = "", taskId = ""] = readPageCursor(text, 3) ?? [];
  if (isCursorTime(since)) return { since, planId, taskId };
  throw brokenCursor(text);
}

export interface TaskPath {
  plan: string;
  task: string;
}

/** Settles an entry as the caller says; its component, the audit and the events in one transaction. */
export async function settleManually(
  ctx: CoordinatorContext,
  path: TaskPath,
  body: SettleBody,
): Promise<UnknownOutcome> {
  const row = await requireOutcome(ctx, path);
  const fitting = outcomesOf(row.action);
  if (!fitting.includes(body.outcome)) {
    const message = `The outcome of a task with the action ${row.action} is one of: ${fitting.join(", ")}.`;
    throw coordinatorFailure("COORD_OUTCOME_DOES_NOT_FIT", {
      message,
      where: "/outcome",
      solution: `Use one of: ${fitting.join(", ")}.`,
      input: body.outcome,
    });
  }
  return settle(ctx, row, {
    ...body,
    info: body.info ?? null,
    by: ctx.actor.ref,
    isByClock: false,
    auditOperation: "settleUnknownOutcome",
  });
}

/** Polls the adapter once more with the token of an ended task, and settles the entry by a final answer. */
export async function pollOutcome(ctx: CoordinatorContext, path: TaskPath): Promise<UnknownOutcome> {
  const row = await requireOutcome(ctx, path);
  refuseUnlessOpen(row);
  const answer = await pollToken(ctx, row);
  return settleByAnswer(ctx, row, { answer, isByClock: false });
}

export async function pollToken(ctx: CoordinatorContext, row: OutcomeRow): Promise<PollAnswer> {
  if (row.token === null || row.adapterUrl === null) throw notPollable(row);
  return askAdapter(ctx, { row, url: row.adapterUrl, token: row.token });
}

/** Stores the answer as evidence; a final one settles the entry. */
export async function settleByAnswer(
  ctx: CoordinatorContext,
  row: OutcomeRow,
  { answer, isByClock }: { answer: PollAnswer; isByClock: boolean },
): Promise<UnknownOutcome> {
  const { planId, taskId } = row;
  const path = { plan: planId, task: taskId };
  await notePoll(ctx.coordinator.database.db, { planId, taskId, answer: answerText(answer), at: ctx.now() });
  const outcome = outcomeOfPoll(row.action, answer);
  if (outcome === null || answer.type !== "done") return viewOf(ctx, await requireOutcome(ctx, path));
  const by = `adapter:${row.adapterId ?? ""}`;
  const settlement = {
    outcome,
    reason: answerText(answer),
    info: answer.info,
    by,
    isByClock,
    auditOperation: isByClock ? "retryUnknownOutcome" : "pollUnknownOutcome",
  };
  return settle(ctx, row, settlement);
}

/**
 * Polls the address that accepted the work; when no connection can be made, the adapter's registered address.
 */
async function askAdapter(
  ctx: CoordinatorContext,
  { row, url, token }: { row: OutcomeRow; url: string; token: string },
): Promise<PollAnswer> {
  const { adapters, database, settings } = ctx.coordinator;
  const { idempotencyKey, traceparent, environment, adapterId } = row;
  const timeoutMs = Math.min(settings.adapterCallTimeoutMs(row), longestPollMs);
  const operation = row.action === "UPDATE_ACL" ? "updateacl" : "provision";
  const askAt = (at: string): Promise<PollAnswer> =>
    adapters.poll(
      { url: at, adapterId, idempotencyKey, traceparent, timeoutMs, signal: ctx.signal },
      token,
      operation,
    );
  const answer = await askAt(url);
  if (!isUnconnected(answer) || adapterId === null) return answer;
  const registered = (await readAdapterUrls(database.db, environment, [adapterId])).get(adapterId);
  return registered === undefined || registered === url ? answer : askAt(registered);
}

/** Limit of a poll within a request. */
const longestPollMs = 10_000;

interface SettlementDecision {
  outcome: string;
  reason: string;
  info: object | null;
  by: string;
  /** The answer to a retry. */
  isByClock: boolean;
  auditOperation: string;
}

async function settle(
  ctx: CoordinatorContext,
  seen: OutcomeRow,
  decision: SettlementDecision,
): Promise<UnknownOutcome> {
  const path = { plan: seen.planId, task: seen.taskId };
  return inTransaction(ctx.coordinator.database, async (tx) => {
    // Locks the unit first, as a start does, so that no plan can begin on the component meanwhile.
    if (seen.unitKey !== null && seen.unitId !== null)
      await lockUnit(tx, { unitKey: seen.unitKey, environment: seen.environment }, seen.unitId);
    await lockOutcome(tx, seen.planId, seen.taskId);
    const row = await readOutcome(tx, seen.planId, seen.taskId);
    if (!row) throw unknownOutcomeOf(path);
    refuseUnlessOpen(row);
    if (!row.isRepeating) await refuseWhenChanged(tx, row);
    else if (decision.isByClock) await refuseWhenSuperseded(tx, row);
    else
      throw conflict(
        "COORD_OUTCOME_IN_PROGRESS",
        "Its call is being made again; the answer may settle it.",
        row,
      );
    const at = ctx.now();
    const { outcome, reason, by } = decision;
    await settleOutcome(tx, { planId: row.planId, taskId: row.taskId, outcome, reason, by, at });
    const events = [outcomeEvent(at, { ...eventFacts(row), outcome, by, reason })];
    const settler = { ref: ctx.actor.ref, requestId: ctx.requestId };
    if (changesComponent(row.action)) {
      const lastOperation = lastOperationOf(row.action, outcome);
      const info = outcome === "DEPLOYED" ? decision.info : null;
      const keys = await setComponent(tx, row, { status: outcome, lastOperation, info, at });
      await endAccess(tx, row, { keys, settler });
      events.unshift(componentEvent(at, { ...eventFacts(row), status: outcome }));
    } else if (outcome === "APPLIED") await recordAccess(tx, row, { settler, at });
    await appendEvents(tx, unitStream(row.environment, row.unitKey ?? ""), events);
    await writeAudit(tx, ctx, {
      operation: decision.auditOperation,
      subject: `plan:${row.planId}/${row.taskId}`,
      detail: {
        unit: row.unitId,
        environment: row.environment,
        component: row.componentId,
        outcome,
        by,
        reason,
      },
    });
    const settled = { ...row, settledAt: at, settledBy: by, outcome, reason };
    return viewOf(ctx, settled);
  });
}

/** Unless a later change has replaced it: what that has left is on record. */
async function recordAccess(
  tx: Db,
  row: OutcomeRow,
  { settler, at }: { settler: Settler; at: Date },
): Promise<void> {
  if (row.action !== "UPDATE_ACL" || (await findLaterChange(tx, row))?.isDone === true) return;
  await applyAccess(tx, row, settler);
  await supersedeEarlier(tx, row, at);
}

const eventFacts = (row: OutcomeRow) => ({
  planId: row.planId,
  taskId: row.taskId,
  deploymentUnitId: row.unitId,
  environment: row.environment,
  componentId: row.componentId,
});

async function requireOutcome(ctx: CoordinatorContext, path: TaskPath): Promise<OutcomeRow> {
  const row = await readOutcome(ctx.coordinator.database.db, path.plan, path.task);
  if (!row) throw unknownOutcomeOf(path);
  return row;
}

function refuseUnlessOpen(row: OutcomeRow): void {
  if (row.settledAt) {
    const message = `It was settled as ${row.outcome ?? ""} by ${row.settledBy ?? ""}.`;
    throw conflict("COORD_OUTCOME_SETTLED", message, row);
  }
  if (row.endedAt === null)
    throw conflict("COORD_OUTCOME_IN_PROGRESS", "Its plan is still finding out how it ended.", row);
}

/** Throws while something is at work on what the entry's call has changed, or a later plan has changed the component. */
export async function refuseWhenChanged(tx: Db, row: OutcomeRow): Promise<void> {
  const { unitKey, environment, componentKey } = row;
  const changesAccess = row.action === "UPDATE_ACL" && componentKey !== null;
  if (unitKey === null || !(changesComponent(row.action) || changesAccess)) return;
  const at = { unitKey, environment };
  const active = await findActivePlan(tx, at);
  if (active) {
    const message = `An operation is active on ${row.unitId ?? ""} in ${environment} (plan ${active}).`;
    throw conflict("COORD_OPERATION_ACTIVE", message, row);
  }
  const access = changesAccess ? await findAccessChange(tx, at, componentKey) : null;
  if (access !== null) {
    const message = `Access to ${row.componentId ?? ""} in ${environment} is being changed (plan ${access}).`;
    throw conflict("COORD_OPERATION_ACTIVE", message, row);
  }
  await refuseWhenSuperseded(tx, row);
}

async function refuseWhenSuperseded(tx: Db, row: OutcomeRow): Promise<void> {
  if (changesComponent(row.action) && (await isSuperseded(tx, row)))
    throw conflict("COORD_OUTCOME_SUPERSEDED", supersededText, row);
}

/**
 * Whether the entry's call may be made once more. One that a later change has replaced is settled: the same bytes would bring
 * back what is over.
 */
export async function mayRepeat(ctx: CoordinatorContext, row: OutcomeRow): Promise<boolean> {
  const { db } = ctx.coordinator.database;
  await refuseWhenChanged(db, row);
  if (row.action !== "UPDATE_ACL") return true;
  const later = await findLaterChange(db, row);
  if (later === null) return true;
  if (later.isDone) {
    const { planId, taskId } = row;
    const by = `plan:${later.planId}`;
    await settleOutcome(db, {
      planId,
      taskId,
      outcome: "SUPERSEDED",
      reason: supersededText,
      by,
      at: ctx.now(),
    });
  }
  return false;
}

const conflict = (code: CoordinatorCode, message: string, row: OutcomeRow): Failure =>
  coordinatorFailure(code, { message, where: "task", input: row.taskId });

const notPollable = (row: OutcomeRow): Failure =>
  conflict(
    "COORD_OUTCOME_NOT_POLLABLE",
    "The adapter gave no token for it, so there is nothing to poll.",
    row,
  );

function unknownOutcomeOf({ plan, task }: TaskPath): Failure {
  const message = `The ledger has no entry for the task ${task} of the plan ${plan}.`;
  return coordinatorFailure("COORD_OUTCOME_NOT_FOUND", { message, where: "task", input: task });
}
