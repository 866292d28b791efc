/** The plan that repairs what has drifted: its request, its preview, its start. */
import type { Transaction } from "../../../platform/db/database.ts";
import type { CoordinatorContext } from "../../context.ts";
import { coordinatorFailure } from "../../errors.ts";
import type { ProvisioningRequest } from "../../starts/acceptance/request-schema.ts";
import { previewProvisioning, startProvisioning, type Preview } from "../../starts/service.ts";
import { loadUnitDescriptor } from "../../units/store.ts";
import type { WhenClosed } from "../../windows/gate.ts";
import { writeStarted, type ReconcileRow } from "./store.ts";

/** What has drifted is deployed again as it was deployed; everything else is preserved. */
export async function requestOf(ctx: CoordinatorContext, row: ReconcileRow): Promise<ProvisioningRequest> {
  const { unitId, environment, components } = row;
  const descriptor = (await loadUnitDescriptor(ctx.coordinator.database.db, row)) ?? {};
  const targetStatus = components.map((componentId) => ({ componentId, targetStatus: "DEPLOYED" as const }));
  return {
    unitId,
    environment,
    mode: "unsafe",
    body: { descriptor, targetStatus, removeData: false, preventRedeploy: false },
  };
}

export const previewReconcile = async (ctx: CoordinatorContext, row: ReconcileRow): Promise<Preview> =>
  previewProvisioning(ctx, await requestOf(ctx, row), "startReconcile");

export interface ReconcileStartOptions extends WhenClosed {
  from: "ASKED" | "DUE";
  /** Name in the audit. */
  operation: string;
  /** Runs before the row changes; throws where it must not start now. */
  check?: (tx: Transaction) => Promise<void>;
}

/** Starts exactly what was previewed; the row changes in the transaction that accepts the plan. Returns its token. */
export async function startReconcile(
  ctx: CoordinatorContext,
  row: ReconcileRow,
  { from, operation, check, ...whenClosed }: ReconcileStartOptions,
): Promise<string> {
  return startProvisioning(ctx, await requestOf(ctx, row), {
    ...whenClosed,
    planHash: row.planHash ?? undefined,
    operation,
    detail: { reconcileId: row.id, driftCheckId: row.checkId, components: row.components },
    async alongside(tx, planId) {
      await check?.(tx);
      const start = { id: row.id, from, planId, by: ctx.actor.ref, at: ctx.now() };
      if (!(await writeStarted(tx, start))) throw reconcileEnded(row.id);
    },
  });
}

export const reconcileEnded = (id: string) =>
  coordinatorFailure("COORD_RECONCILE_ENDED", {
    message: `The reconcile ${id} does not wait for a decision.`,
    where: "reconcile-id",
    input: id,
  });
