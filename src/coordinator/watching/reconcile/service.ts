/** Lists reconciles, and decides about those that ask. */
import type { TimePosition } from "../../../platform/db/time-position.ts";
import { fillPage } from "../../../platform/lib/fill-page.ts";
import { inTransaction } from "../../../platform/db/database.ts";
import { isAllowed, isOperator } from "../../../platform/auth/policy.ts";
import { pageOf } from "../../../platform/lib/page-cursor.ts";
import { writeAudit, type CoordinatorContext } from "../../context.ts";
import { readCreatedAfter } from "../../created-cursor.ts";
import { requireEnvironment } from "../../environments.ts";
import { coordinatorFailure } from "../../errors.ts";
import { idKey } from "../../ids.ts";
import type { WaitingItem, WaitingPage } from "../../ports.ts";
import { askOwnership, checkOwnership } from "../../starts/ownership/check.ts";
import type { WhenClosed } from "../../windows/gate.ts";
import { factsOf, subjectOf } from "./round.ts";
import type { Reconcile, ReconcileList } from "./schema.ts";
import { reconcileEnded, startReconcile } from "./start.ts";
import {
  endReconcile,
  listAsked,
  listReconciles as readPage,
  readReconcile,
  readSituation,
  type ReconcileRow,
} from "./store.ts";

export interface ReconcileListRequest {
  environment: string | undefined;
  unitId: string | undefined;
  status: string | undefined;
  limit: number;
  after: string | undefined;
}

export async function listReconciles(
  ctx: CoordinatorContext,
  { environment, unitId, status, limit, after }: ReconcileListRequest,
): Promise<ReconcileList> {
  if (environment !== undefined) requireEnvironment(ctx, environment);
  const rows = await readPage(ctx.coordinator.database.db, {
    environment,
    unitKey: unitId === undefined ? undefined : idKey(unitId),
    status,
    limit: limit + 1,
    after: after === undefined ? null : readCreatedAfter(after),
  });
  const { page, next } = pageOf(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
  return { data: page.map(summaryOf), meta: { pagination: { limit, next } } };
}

export const getReconcile = async (ctx: CoordinatorContext, id: string): Promise<Reconcile> =>
  viewOf(await requireReconcile(ctx, id));

/** Starts exactly the plan that was previewed, by the rules that hold for every start of the caller. */
export async function approveReconcile(
  ctx: CoordinatorContext,
  id: string,
  whenClosed: WhenClosed,
): Promise<Reconcile> {
  const row = await requireReconcile(ctx, id);
  if (row.status !== "ASKED") throw reconcileEnded(id);
  const situation = await readSituation(ctx.coordinator.database.db, row);
  if (situation?.hasUnknownOutcome)
    throw coordinatorFailure("COORD_RECONCILE_BLOCKED", {
      message: `An adapter may have acted on ${row.unitId} without saying how it ended.`,
      where: "reconcile-id",
      input: id,
    });
  await startReconcile(ctx, row, { from: "ASKED", operation: "approveReconcile", ...whenClosed });
  return getReconcile(ctx, id);
}

export async function refuseReconcile(
  ctx: CoordinatorContext,
  id: string,
  reason: string,
): Promise<Reconcile> {
  const row = await requireReconcile(ctx, id);
  await checkOwnership(ctx, questionOf(row));
  return inTransaction(ctx.coordinator.database, async (tx) => {
    const end = { id, status: "REFUSED", reason, by: ctx.actor.ref, at: ctx.now() } as const;
    const known = await readReconcile(tx, id);
    if (known?.status !== "ASKED" || !(await endReconcile(tx, end))) throw reconcileEnded(id);
    const detail = { ...factsOf(row), reason };
    await writeAudit(tx, ctx, { operation: "refuseReconcile", subject: subjectOf(row), detail });
    return viewOf((await readReconcile(tx, id)) ?? row);
  });
}

const questionOf = ({ unitId, environment }: ReconcileRow) =>
  ({ operations: ["start"], unitId, environment, descriptor: {} }) as const;

/** Questions about units that the caller may start, for operators all. */
export async function reconcilesToDecide(
  ctx: CoordinatorContext,
  { limit, after }: WaitingPage,
): Promise<WaitingItem[]> {
  if (!isAllowed(ctx.actor, "approveReconcile")) return [];
  return fillPage<ReconcileRow, WaitingItem, TimePosition | null>({
    limit,
    after,
    read: (place, size) => listAsked(ctx.coordinator.database.db, size, place),
    placeOf: ({ createdAt, id }) => ({ since: createdAt, id }),
    async toItem(row) {
      const asked = await askOwnership(ctx, questionOf(row)).catch((error: unknown) => {
        // Operators decide also while nobody can say whose it is.
        if (isOperator(ctx.actor)) return null;
        throw error;
      });
      const mayDecide = isOperator(ctx.actor) || asked?.answer.verdict !== "deny";
      return mayDecide ? itemOf(row, asked?.owners ?? []) : null;
    },
  });
}

const itemOf = (row: ReconcileRow, owners: readonly string[]): WaitingItem => ({
  kind: "RECONCILE",
  id: row.id,
  subject: "RECONCILE",
  title:
    `${row.unitId} in ${row.environment} has drifted. A plan would deploy ${row.components.length} of its components again. ${row.reason ?? ""}`.trim(),
  reason: row.reason ?? "The environment asks before a plan repairs what has drifted.",
  since: row.createdAt,
  expiresAt: row.expiresAt,
  atDeadline: "It ends as EXPIRED: nothing is deployed, and the next drift check may ask again.",
  environment: row.environment,
  deploymentUnitId: row.unitId,
  requester: null,
  whoMayAct: { refs: owners, operators: true, rule: null },
  link: { reconcileId: row.id },
  path: `/api/coordinator/v1/reconciles/${row.id}`,
});

async function requireReconcile(ctx: CoordinatorContext, id: string): Promise<ReconcileRow> {
  const row = await readReconcile(ctx.coordinator.database.db, id);
  if (row) return row;
  const message = `There is no reconcile with the id ${id}.`;
  throw coordinatorFailure("COORD_RECONCILE_NOT_FOUND", { message, where: "reconcile-id", input: id });
}

const summaryOf = (row: ReconcileRow) => ({
  id: row.id,
  deploymentUnitId: row.unitId,
  environment: row.environment,
  driftCheckId: row.checkId,
  components: row.components,
  status: row.status,
  automatic: row.isAutomatic,
  planId: row.planId,
  reason: row.reason,
  decidedBy: row.decidedBy,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
});

const viewOf = (row: ReconcileRow): Reconcile => ({
  ...summaryOf(row),
  planHash: row.planHash,
  changes: row.preview?.changes ?? [],
  changeCount: row.preview?.changeCount ?? 0,
});
