/** What became of the calls of adapters, and whether they answer. Nothing is asked: it is made of calls that happened. */
import { pageCursor, pageOf, readPageCursor } from "../../../platform/lib/page-cursor.ts";
import type { CoordinatorContext } from "../../context.ts";
import { requireEnvironments } from "../../environments.ts";
import { brokenCursor } from "../../errors.ts";
import { missingDeployment, type DeploymentAt } from "../../adapters/service.ts";
import { healthOf, msOf } from "./health.ts";
import type { AdapterHealth, CallList, HealthList } from "./schema.ts";
import { readAddresses, readCalls, type CalledAddress, type CallKey, type CallRow } from "./store.ts";

export async function listAdapterCalls(
  ctx: CoordinatorContext,
  at: DeploymentAt,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<CallList> {
  const { db } = ctx.coordinator.database;
  const after = cursor === undefined ? null : readCallKey(cursor);
  const { id: adapterId, environment } = at;
  const [[address], { calls, next }] = await Promise.all([
    readAddresses(db, { environments: [environment], adapterId, limit: 1, after: null }),
    readCalls(db, { adapterId, environment, limit, after }),
  ]);
  if (!address) throw await missingDeployment(ctx, at);
  return {
    data: calls.map(callView),
    health: healthView(ctx, address),
    meta: {
      pagination: { limit, next: next && pageCursor([next.stoppedAt, next.planId, next.taskId]) },
    },
  };
}

function readCallKey(text: string): CallKey {
  const [stoppedAt = "", planId, taskId] = readPageCursor(text, 3) ?? [];
  if (planId === undefined || taskId === undefined || !isStoredTime(stoppedAt))
    throw brokenCursor(text, "cursor");
  return { stoppedAt, planId, taskId };
}

/** As PostgreSQL writes a time, with microseconds. */
const isStoredTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?$/.test(text) &&
  !Number.isNaN(Date.parse(text.replace(/([+-]\d\d)$/, "$1:00")));

const callView = (row: CallRow): CallList["data"][number] => ({
  executionPlanId: row.executionPlanId,
  taskId: row.taskId,
  deploymentUnitId: row.deploymentUnitId,
  componentId: row.componentId,
  action: row.action,
  outcome: row.outcome,
  attempts: row.attempts,
  wasPolled: row.wasPolled,
  startedAt: row.startedAt.toISOString(),
  stoppedAt: row.stoppedAt.toISOString(),
  durationMs: msOf(row),
  message: row.message,
});

const healthView = (
  ctx: CoordinatorContext,
  { adapterId, name, environment, enabled, calls, open }: CalledAddress,
): AdapterHealth => ({ adapterId, name, environment, enabled, ...healthOf(calls, open, ctx.now()) });

export async function listAdapterHealth(
  ctx: CoordinatorContext,
  { environment, limit, cursor }: { environment: string[]; limit: number; cursor: string | undefined },
): Promise<HealthList> {
  requireEnvironments(ctx, environment);
  const rows = await readAddresses(ctx.coordinator.database.db, {
    environments: [...new Set(environment)],
    adapterId: undefined,
    limit: limit + 1,
    after: cursor === undefined ? null : readAddressKey(cursor),
  });
  const { page, next } = pageOf(rows, limit, (row) => [row.adapterId, row.environment]);
  return { data: page.map((address) => healthView(ctx, address)), meta: { pagination: { limit, next } } };
}

function readAddressKey(text: string): { adapterId: string; environment: string } {
  const [adapterId, environment] = readPageCursor(text, 2) ?? [];
  if (adapterId === undefined || environment === undefined) throw brokenCursor(text, "cursor");
  return { adapterId, environment };
}
