/** Says who has access to a unit: to its owners and to operators about everybody, to others about themselves. */
import { isOperator } from "../../../platform/auth/policy.ts";
import { isUuid } from "../../../platform/lib/ids.ts";
import { pageOf, readPageCursor } from "../../../platform/lib/page-cursor.ts";
import type { CoordinatorContext } from "../../context.ts";
import { requireEnvironment } from "../../environments.ts";
import { brokenCursor } from "../../errors.ts";
import { idKey } from "../../ids.ts";
import { readOwnedEverywhere } from "../../units/store.ts";
import { ownersOf } from "../ownership/owners.ts";
import type { UnitAccess, UnitAccessQuery } from "./schema.ts";
import { listAccess, type AccessQuery, type AccessRow } from "./store.ts";

export async function listUnitAccess(
  ctx: CoordinatorContext,
  unitId: string,
  { environment, identity, limit, cursor }: UnitAccessQuery,
): Promise<UnitAccess> {
  if (environment !== undefined) requireEnvironment(ctx, environment);
  const unitKey = idKey(unitId);
  const after = cursor === undefined ? null : readAfter(cursor);
  const visible = await visibleTo(ctx, { unitKey, environment });
  const rows = await listAccess(ctx.coordinator.database.db, {
    unitKey,
    environment,
    identity: identity?.toLowerCase(),
    visible,
    after,
    limit: limit + 1,
  });
  const { page, next } = pageOf(rows, limit, (row) => [row.environment, row.componentKey, row.identity]);
  return {
    data: page.map(grantOf),
    meta: { visible: visible === null ? "ALL" : "OWN", pagination: { limit, next } },
  };
}

function readAfter(text: string): NonNullable<AccessQuery["after"]> {
  const [environment, componentKey, identity] = readPageCursor(text, 3) ?? [];
  if (environment === undefined || componentKey === undefined || identity === undefined)
    throw brokenCursor(text, "cursor");
  return { environment, componentKey, identity };
}

/** Null where the caller may see the access of everybody. */
async function visibleTo(
  { actor, coordinator: { database, people } }: CoordinatorContext,
  { unitKey, environment }: { unitKey: string; environment: string | undefined },
): Promise<AccessQuery["visible"]> {
  if (isOperator(actor)) return null;
  const own = actor.ref.toLowerCase();
  const groups = own.startsWith("user:") ? ((await people?.groupsOf(own)) ?? []) : [];
  const identities = [own, ...groups].flatMap(formsOf);
  const known = await readOwnedEverywhere(database.db, unitKey);
  const wanted = known.filter((each) => environment === undefined || each.environment === environment);
  const owned = wanted.filter(({ ownedBy }) =>
    ownersOf(ownedBy ?? {}).some((owner) => identities.includes(owner)),
  );
  if (owned.length > 0 && owned.length === wanted.length) return null;
  return { environments: owned.map((each) => each.environment), identities };
}

/** A reference, and the short form of one in the default namespace: both name the same. */
const formsOf = (ref: string): string[] => [...new Set([ref, ref.replace(/^([^:]+:)default\//, "$1")])];

function grantOf(row: AccessRow): UnitAccess["data"][number] {
  const { requestId, planId, originator, requestedAt } = row;
  return {
    environment: row.environment,
    outputPortUrn: row.componentId,
    outputPortName: row.name,
    identity: row.identity,
    grantedAt: row.grantedAt.toISOString(),
    request:
      planId === null || originator === null || requestedAt === null
        ? null
        : {
            id: requestId,
            accessRequestId: accessRequestIn(requestId),
            executionPlanId: planId,
            requestedBy: originator,
            requestedAt: requestedAt.toISOString(),
          },
  };
}

/** The builder's requests are taken under `<id>:<port>:<attempt>`. */
function accessRequestIn(requestId: string): string | null {
  const id = /^([0-9a-f-]{36}):\d+:\d+$/.exec(requestId)?.[1];
  return id !== undefined && isUuid(id) ? id : null;
}
