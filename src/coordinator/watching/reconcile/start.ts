/** The plan that repairs what has drifted: its request, its preview, its start. */
import type { Transaction } from "../../../platform/db/database.ts";
import type { CoordinatorContext } from "../../context.ts";
import { coordinatorFailure } from "../../errors.ts";
import { idKey } from "../../ids.ts";
import type { ProvisioningRequest } from "../../starts/acceptance/request-schema.ts";
import { previewProvisioning, startProvisioning, type Preview } from "../../starts/service.ts";
import { loadComponents, loadUnitDescriptor } from "../../units/store.ts";
import type { WhenClosed } from "../../windows/gate.ts";
import { writeStarted, type ReconcileRow } from "./store.ts";

export interface Repaired {
  /** Ids of what is deployed again: a subcomponent with its component. */
  components: string[];
  /** Ids of these and of all their subcomponents. */
  withParts: string[];
}

export async function repairedBy(ctx: CoordinatorContext, row: ReconcileRow): Promise<Repaired> {
  const known = await loadComponents(ctx.coordinator.database.db, row);
  const byKey = new Map(known.map((each) => [each.key, each]));
  const topOf = (key: string): string => {
    const passed = new Set([key]);
    for (let at = byKey.get(key)?.parentKey; at && !passed.has(at); at = byKey.get(at)?.parentKey)
      passed.add(at);
    return [...passed].at(-1) ?? key;
  };
  const tops = new Map(row.components.map((id) => [topOf(idKey(id)), id]));
  const parts = known.filter(({ key }) => tops.has(topOf(key)));
  const components = [...tops].map(([key, id]) => byKey.get(key)?.id ?? id);
  return { components, withParts: [...components, ...parts.map(({ id }) => id)] };
}

/** What has drifted is deployed again as it was deployed; everything else is preserved. */
export async function requestOf(ctx: CoordinatorContext, row: ReconcileRow): Promise<ProvisioningRequest> {
  const { unitId, environment } = row;
  const descriptor = (await loadUnitDescriptor(ctx.coordinator.database.db, row)) ?? {};
  const { components } = await repairedBy(ctx, row);
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
