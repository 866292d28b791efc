/** Starts, reads and lists drift checks. They only report; nothing is repaired. */
import { inTransaction } from "../../../platform/db/database.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import { newId } from "../../../platform/lib/ids.ts";
import { pageOf } from "../../../platform/lib/page-cursor.ts";
import { writeAudit, type CoordinatorContext } from "../../context.ts";
import { idKey } from "../../ids.ts";
import { readCreatedAfter } from "../../created-cursor.ts";
import { requireEnvironment } from "../../environments.ts";
import { coordinatorFailure } from "../../errors.ts";
import type { DriftCheck, DriftCheckList } from "./schema.ts";
import {
  findDeployedUnit,
  findOpenCheck,
  insertCheck,
  listChecks,
  readCheck,
  type DriftRow,
} from "./store.ts";

export interface UnitRequest {
  unitId: string;
  environment: string;
}

/** Returns the id of the new check, or of the open one of the unit. */
export async function startDriftCheck(ctx: CoordinatorContext, request: UnitRequest): Promise<string> {
  requireEnvironment(ctx, request.environment);
  const at = { unitKey: idKey(request.unitId), environment: request.environment };
  return inTransaction(ctx.coordinator.database, async (tx) => {
    const unitId = await findDeployedUnit(tx, at);
    if (unitId === null) throw nothingDeployed(request);
    const id = newId();
    const { actor, traceparent } = ctx;
    const check = { ...at, id, unitId, requestedBy: actor.ref, traceparent, at: ctx.now() };
    // The open check may end between the insert and the query; then the next insert succeeds.
    for (let attempt = 0; attempt < 3; attempt++) {
      if (await insertCheck(tx, { ...check, trigger: "REQUESTED" })) {
        const subject = `unit:${unitId}@${at.environment}`;
        await writeAudit(tx, ctx, { operation: "startDriftCheck", subject, detail: { checkId: id } });
        return id;
      }
      const open = await findOpenCheck(tx, at);
      if (open !== null) return open;
    }
    throw new Failure({
      kind: "unavailable",
      code: "PLATFORM_DATABASE_UNAVAILABLE",
      message: "Other drift checks of the unit keep starting and ending; try again.",
      retryAfterSeconds: 1,
    });
  });
}

export async function getDriftCheck(ctx: CoordinatorContext, id: string): Promise<DriftCheck> {
  const row = await readCheck(ctx.coordinator.database.db, id);
  if (row) return { ...summaryOf(row), components: row.components };
  const message = `There is no drift check with the id ${id}.`;
  throw coordinatorFailure("COORD_DRIFT_CHECK_NOT_FOUND", { message, where: "drift-check-id", input: id });
}

export interface DriftListRequest extends UnitRequest {
  limit: number;
  after: string | undefined;
}

export async function listDriftChecks(
  ctx: CoordinatorContext,
  request: DriftListRequest,
): Promise<DriftCheckList> {
  requireEnvironment(ctx, request.environment);
  const { limit, environment } = request;
  const after = request.after === undefined ? null : readCreatedAfter(request.after);
  const query = { unitKey: idKey(request.unitId), environment, limit: limit + 1, after };
  const rows = await listChecks(ctx.coordinator.database.db, query);
  const { page, next } = pageOf(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
  return { data: page.map(summaryOf), meta: { pagination: { limit, next } } };
}

const summaryOf = (row: DriftRow) => ({
  id: row.id,
  deploymentUnitId: row.unitId,
  environment: row.environment,
  status: row.status,
  trigger: row.trigger,
  requestedBy: row.requestedBy,
  result: row.result,
  waiting: row.waiting,
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  stoppedAt: row.stoppedAt?.toISOString() ?? null,
});

function nothingDeployed({ unitId, environment }: UnitRequest): Failure {
  const message = `Nothing of ${unitId} is deployed in ${environment}.`;
  return coordinatorFailure("COORD_NOTHING_DEPLOYED", {
    message,
    where: "deployment-unit-id",
    solution: "Deploy it first.",
    input: unitId,
  });
}
