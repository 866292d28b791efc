/**
 * Looks at drift that was found, asks about it or starts the plan that repairs it, and follows that to its end. Every process may do
 * it at any time: each change names the status that it expects, and a start changes the row in the transaction that
 * accepts its plan, so a process that is killed has either started or not.
 */
import { inTransaction, type Transaction } from "../../../platform/db/database.ts";
import type { TimePosition } from "../../../platform/db/time-position.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import type { Actor } from "../../../platform/lib/actor.ts";
import { systemContext } from "../../../platform/lib/request-context.ts";
import { writeAudit, type CoordinatorContext, type CoordinatorDeps } from "../../context.ts";
import { coordinatorFailure } from "../../errors.ts";
import { askOwnership } from "../../starts/ownership/check.ts";
import type { Preview } from "../../starts/service.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { activeTraceparent, inSpan, noParent, type SpanStart } from "../../../platform/telemetry/spans.ts";
import { reasonToAsk } from "./judge.ts";
import { previewReconcile, repairedBy, startReconcile } from "./start.ts";
import {
  countStarted,
  endFinished,
  endReconcile,
  listWork,
  readHistory,
  readSituation,
  writeExamined,
  writeReason,
  type ReconcileEnd,
  type ReconcileRow,
  type ReconcileStatus,
} from "./store.ts";

export interface ReconcileDeps {
  coordinator: CoordinatorDeps;
  log: Logger;
  now: () => Date;
}

/** Rows of each status in one round; others come in the next. */
const maxAtOnce = 100;
/** Changes that the deciders are shown; the plan has all of them. */
const maxShown = 200;

/** As whom plans start by themselves. */
const reconciler: Actor = { ref: "service:default/plinth-reconcile", roles: ["service"], provider: "system" };

/** One round; it resolves with whether any drift had to be looked at. */
export function createReconcileRounds(deps: ReconcileDeps): () => Promise<boolean> {
  // What can't go on now must not keep back what can: where there is more than one round takes, the next goes on behind it.
  let after: ReadonlyMap<ReconcileStatus, TimePosition> = new Map();
  return async () => {
    const { work, hasEnded } = await reconcileRound(deps, after);
    after = placesOf(work);
    return hasEnded || work.length > 0;
  };
}

/** The last row of each status of which there may be more; the oldest stay first of those that fit into a round. */
function placesOf(work: readonly ReconcileRow[]): Map<ReconcileStatus, TimePosition> {
  const byStatus = [...Map.groupBy(work, ({ status }) => status)];
  return new Map(
    byStatus.flatMap(([status, rows]) => {
      const last = rows[maxAtOnce - 1];
      return last ? [[status, { since: last.createdAt, id: last.id }] as const] : [];
    }),
  );
}

async function reconcileRound(
  { coordinator, log, now }: ReconcileDeps,
  after: ReadonlyMap<ReconcileStatus, TimePosition>,
): Promise<{ work: ReconcileRow[]; hasEnded: boolean }> {
  const { db } = coordinator.database;
  const finished = await endFinished(db, now());
  for (const { id, unitId, environment, status } of finished)
    log[status === "FAILED" ? "warn" : "info"](
      { reconcileId: id, unitId, environment },
      "a repair has ended",
    );
  const work = await listWork(db, { limitOfEach: maxAtOnce, after });
  for (const row of work) {
    const ctx = { ...systemContext(log, now), actor: reconciler, coordinator };
    await step(ctx, row).catch((error: Error) =>
      log.warn({ reconcileId: row.id, reason: error.message }, "drift could not be looked at"),
    );
  }
  return { work, hasEnded: finished.length > 0 };
}

const workName = "repair of drift";
const repairSpan: SpanStart<"work"> = {
  name: `work ${workName}`,
  parent: noParent,
  attributes: () => ({ "plinth.work.name": workName }),
};

async function step(ctx: CoordinatorContext, row: ReconcileRow): Promise<void> {
  const { database, settings } = ctx.coordinator;
  const mode = settings.reconcile.modeOf(row.environment);
  if (row.expiresAt <= ctx.now()) return end(ctx, row, "EXPIRED", "Nobody has decided in time.");
  if (mode === "off" || (mode === "ask" && row.status === "DUE"))
    return end(ctx, row, "DROPPED", "The configuration lets no plan start by itself any more.");
  const situation = await readSituation(database.db, row);
  if (situation?.lastPlanId !== row.lastPlanId)
    return end(ctx, row, "DROPPED", `The plan ${situation?.lastPlanId ?? ""} has changed the unit since.`);
  if (row.status === "ASKED") return;
  const { activePlan, hasUnknownOutcome } = situation;
  if (activePlan !== null) return writeReason(database.db, row.id, `Waits for the plan ${activePlan}.`);
  if (hasUnknownOutcome)
    return writeReason(database.db, row.id, "Waits until the unknown outcomes of the unit are settled.");
  if (row.status === "FOUND") await examine(ctx, row);
  else {
    const startInSpan = () => startDue({ ...ctx, traceparent: activeTraceparent() ?? ctx.traceparent }, row);
    await inSpan("work", repairSpan, startInSpan);
  }
}

async function examine(ctx: CoordinatorContext, row: ReconcileRow): Promise<void> {
  const preview = await previewed(ctx, row);
  if (preview === null) return;
  const { settings, database } = ctx.coordinator;
  const why = settings.reconcile.modeOf(row.environment) === "auto" ? await whyAsk(ctx, row, preview) : null;
  const isAsked = settings.reconcile.modeOf(row.environment) === "ask" || why !== null;
  const changes = preview.operations
    .filter(({ action }) => action !== "NONE")
    .map(({ componentId, action, reason }) => ({ componentId, action, reason }));
  const shown = { changes: changes.slice(0, maxShown), changeCount: changes.length };
  await inTransaction(database, async (tx) => {
    const status = isAsked ? "ASKED" : "DUE";
    const examined = { id: row.id, status, preview: shown, planHash: preview.planHash, reason: why } as const;
    if (!(await writeExamined(tx, examined)) || !isAsked) return;
    const detail = { ...factsOf(row), planHash: preview.planHash, ...(why !== null && { why }) };
    await writeAudit(tx, ctx, { operation: "askReconcile", subject: subjectOf(row), detail });
  });
}

/** Null where no plan can repair it. */
async function previewed(ctx: CoordinatorContext, row: ReconcileRow): Promise<Preview | null> {
  try {
    const preview = await previewReconcile(ctx, row);
    if (preview.outcome === "OK") return preview;
    await end(ctx, row, "DROPPED", "A plan for it contradicts the dependencies of the components.");
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await end(ctx, row, "DROPPED", `No plan can repair it: ${error.message}`);
  }
  return null;
}

/** Whether the same would be refused again. */
const isRefusal = (error: unknown): error is Failure =>
  error instanceof Failure && ["invalid", "forbidden", "not_found", "conflict"].includes(error.kind);

async function whyAsk(ctx: CoordinatorContext, row: ReconcileRow, preview: Preview): Promise<string | null> {
  const { database, settings } = ctx.coordinator;
  const { lastStart, failures } = await readHistory(database.db, row);
  const judged = {
    components: (await repairedBy(ctx, row)).withParts,
    operations: preview.operations,
    isStoppedByPolicies: (preview.policyResults ?? []).some(({ status }) => status === "FAILED"),
    ownership: await ownersAnswer(ctx, row),
    lastStart,
    failures,
  };
  return reasonToAsk(judged, settings.reconcile, ctx.now());
}

/** What an owner may do at once starts by itself. */
async function ownersAnswer(ctx: CoordinatorContext, row: ReconcileRow) {
  const { unitId, environment } = row;
  const question = { operations: ["start"], unitId, environment, descriptor: {} } as const;
  const [owner = "nobody"] = (await askOwnership(ctx, question))?.owners ?? [];
  const actor: Actor = { ref: owner, roles: ["developer"], provider: "system" };
  return (await askOwnership({ ...ctx, actor }, question))?.answer ?? null;
}

async function startDue(ctx: CoordinatorContext, row: ReconcileRow): Promise<void> {
  const { reconcile } = ctx.coordinator.settings;
  const check = async (tx: Transaction): Promise<void> => {
    if ((await countStarted(tx)) < reconcile.parallelPlans) return;
    throw coordinatorFailure("COORD_RECONCILE_LIMIT", {
      message: `Waits for a free place: ${reconcile.parallelPlans} repairs are under way.`,
    });
  };
  try {
    const planId = await startReconcile(ctx, row, { from: "DUE", operation: "startReconcile", check });
    ctx.log.info({ reconcileId: row.id, planId }, "a plan repairs what has drifted");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "COORD_RECONCILE_ENDED") return;
    if (waitCodes.has(error.code) || !isRefusal(error))
      return writeReason(ctx.coordinator.database.db, row.id, error.message);
    await end(ctx, row, "DROPPED", `The plan could not start: ${error.message}`);
  }
}

/** Refusals that pass. */
const waitCodes = new Set(["COORD_ENVIRONMENT_CLOSED", "COORD_OPERATION_ACTIVE", "COORD_RECONCILE_LIMIT"]);

async function end(
  ctx: CoordinatorContext,
  row: ReconcileRow,
  status: ReconcileEnd["status"],
  reason: string,
): Promise<void> {
  await inTransaction(ctx.coordinator.database, async (tx) => {
    const change = { id: row.id, status, reason, by: ctx.actor.ref, at: ctx.now() };
    if (!(await endReconcile(tx, change))) return;
    const detail = { ...factsOf(row), status, reason };
    await writeAudit(tx, ctx, { operation: "endReconcile", subject: subjectOf(row), detail });
  });
}

export const subjectOf = ({ unitId, environment }: ReconcileRow): string => `unit:${unitId}@${environment}`;

export const factsOf = ({ id, checkId, components }: ReconcileRow) => ({
  reconcileId: id,
  driftCheckId: checkId,
  components,
});
