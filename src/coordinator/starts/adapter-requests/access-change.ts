/**
 * Grants or revokes access for some identities, for callers that do not know who else has access. An access
 * request of the interface names the complete set; here that set is computed from the access that adapters
 * have confirmed, while the unit is locked and no other change of access to the component is running.
 */
import { inTransaction } from "../../../platform/db/database.ts";
import { coordinatorFailure } from "../../errors.ts";
import type { WorkerContext } from "../../context.ts";
import { findActivePlan } from "../../units/store.ts";
import { idKey } from "../../ids.ts";
import { sendAccessRequest } from "./access-service.ts";
import {
  claimRequestId,
  findAccessChange,
  lockKnownUnit,
  readAccess,
  readPlanEnd,
  readPort,
  readUnitDescriptor,
  type PlanEnd,
} from "./store.ts";

export interface AccessTarget {
  unitId: string;
  environment: string;
  outputPortUrns: readonly string[];
}

export interface KnownPort {
  urn: string;
  name: string | null;
  status: string;
  isConsumable: boolean;
}

/** The unit's last descriptor and its known ports; null for an unknown unit. */
export async function describeTarget(
  ctx: WorkerContext,
  { unitId, environment, outputPortUrns }: AccessTarget,
): Promise<{ descriptor: object; ports: (KnownPort | null)[] } | null> {
  const { db } = ctx.coordinator.database;
  const at = { unitKey: idKey(unitId), environment };
  const descriptor = await readUnitDescriptor(db, at);
  if (descriptor === null) return null;
  const ports: (KnownPort | null)[] = [];
  for (const urn of outputPortUrns) {
    const port = await readPort(db, at, idKey(urn));
    ports.push(
      port && { urn: port.id, name: port.name, status: port.status, isConsumable: port.isConsumable },
    );
  }
  return { descriptor, ports };
}

export interface AccessChange {
  /** A repeated change under the same id is carried out once. */
  requestId: string;
  unitId: string;
  environment: string;
  outputPortUrn: string;
  outputPortId: number;
  operation: "GRANT" | "REVOKE";
  identities: readonly string[];
  accessControlFields: Record<string, unknown> | null;
}

/**
 * Returns the id of the plan, or what has to end before the change can be planned. Rejects with a Failure
 * when it is refused.
 */
export async function changeAccess(
  ctx: WorkerContext,
  change: AccessChange,
): Promise<{ planId: string } | { waitsFor: string }> {
  const { requestId, unitId, environment, outputPortUrn } = change;
  const at = { unitKey: idKey(unitId), environment };
  const componentKey = idKey(outputPortUrn);
  return inTransaction(ctx.coordinator.database, async (tx) => {
    const before = await claimRequestId(tx, requestId);
    if (before) return { planId: before.planId };
    await lockKnownUnit(tx, at);
    const operation = await findActivePlan(tx, at);
    if (operation !== null)
      return { waitsFor: `Waits for the end of the operation on the unit, plan ${operation}.` };
    const other = await findAccessChange(tx, at, componentKey);
    if (other !== null) return { waitsFor: `Waits for the change of access of plan ${other}.` };
    const identities = changedSet(await readAccess(tx, at, componentKey), change);
    const { accessControlFields } = change;
    const planId = await sendAccessRequest(ctx, tx, {
      dataProductUrn: unitId,
      outputPortId: change.outputPortId,
      outputPortUrn,
      requestId,
      identities,
      environment,
      ...(accessControlFields === null ? {} : { accessControlFields }),
    });
    return { planId };
  });
}

/** The same limit as in the schema of the interface. */
const maxIdentities = 10_000;

function changedSet(have: readonly string[], { operation, identities }: AccessChange): string[] {
  const gone = new Set(identities);
  const set =
    operation === "GRANT"
      ? [...new Set([...have, ...identities])]
      : have.filter((identity) => !gone.has(identity));
  if (set.length <= maxIdentities) return set;
  const message = `More than ${maxIdentities} identities would have access.`;
  throw coordinatorFailure("COORD_INVALID_ACCESS_REQUEST", { message });
}

/** How the plan has ended; null while it has not. */
export const readAccessEnd = (ctx: WorkerContext, planId: string): Promise<PlanEnd | null> =>
  readPlanEnd(ctx.coordinator.database.db, planId);
