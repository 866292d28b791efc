/**
 * Lists what waits for the caller in all areas: of the kinds that it may read, whichever area they are of. One that is away is named, and
 * the others are listed.
 */
import { authorize, isAllowed } from "../../platform/auth/policy.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { isCursorTime, pageOf, readPageCursor } from "../../platform/lib/page-cursor.ts";
import type { CoordinatorContext } from "../context.ts";
import { brokenCursor } from "../errors.ts";
import {
  waitingKinds,
  type WaitingItem,
  type WaitingKind,
  type WaitingPage,
  type WaitingSource,
} from "../ports.ts";
import { reconcilesToDecide } from "./reconcile/service.ts";
import { openOutcomes, ownFailures, heldPlans } from "./waiting-own.ts";
import type { WaitingList, WaitingQuery } from "./waiting-schema.ts";

const longestList = 100;

export async function listWaiting(
  ctx: CoordinatorContext,
  { limit: most, cursor, kind }: WaitingQuery,
): Promise<WaitingList> {
  const limit = Math.min(most, longestList);
  const after = cursor === undefined ? null : readAfter(cursor);
  const all = [...ownSources(ctx), ...(ctx.coordinator.waiting ?? [])];
  const asked = all.filter((source) => kind.includes(source.kind));
  for (const { rule } of asked) authorize(ctx.actor, rule);
  const sources = kind.length > 0 ? asked : all.filter(({ rule }) => isAllowed(ctx.actor, rule));
  const found = await Promise.all(
    sources.map((source) => listOf(ctx, source, { limit: limit + 1, after: positionIn(source.kind, after) })),
  );
  const items = found.flatMap((each) => ("items" in each ? each.items : [])).toSorted(inOrder);
  const { page, next } = pageOf(items, limit, (item) => [item.since.toISOString(), item.kind, item.id]);
  return {
    data: page.map(({ since, expiresAt, whoMayAct, ...item }) => ({
      ...item,
      whoMayAct: { ...whoMayAct, refs: [...whoMayAct.refs] },
      since: since.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
    meta: {
      pagination: { limit, more: next !== null, next },
      unavailable: found.flatMap((each) => ("reason" in each ? [each] : [])),
    },
  };
}

const ownSources = (ctx: CoordinatorContext): WaitingSource[] => [
  { kind: "FAILED_OPERATION", rule: "listOperations", list: (_ctx, page) => ownFailures(ctx, page) },
  { kind: "HELD_PLAN", rule: "listPlans", list: (_ctx, page) => heldPlans(ctx, page) },
  { kind: "RECONCILE", rule: "listReconciles", list: (_ctx, page) => reconcilesToDecide(ctx, page) },
  { kind: "UNKNOWN_OUTCOME", rule: "listUnknownOutcomes", list: (_ctx, page) => openOutcomes(ctx, page) },
];

async function listOf(
  ctx: CoordinatorContext,
  source: WaitingSource,
  page: WaitingPage,
): Promise<{ items: WaitingItem[] } | { kind: WaitingKind; reason: string }> {
  const { kind } = source;
  try {
    return { items: await source.list(ctx, page) };
  } catch (error) {
    ctx.log.warn({ kind, reason: (error as Error).message }, "what waits for a caller could not be listed");
    const isKnown = error instanceof Failure && error.kind !== "internal";
    return { kind, reason: isKnown ? error.message : "It could not be read." };
  }
}

interface Cursor {
  since: Date;
  kind: string;
  id: string;
}

function readAfter(text: string): Cursor {
  const [since = "", kind = "", id = ""] = readPageCursor(text, 3) ?? [];
  if (isCursorTime(since) && waitingKinds.some((each) => each === kind))
    return { since: new Date(since), kind, id };
  throw brokenCursor(text, "cursor");
}

/** Where the list of one kind goes on: kinds come in their own order within a millisecond. */
function positionIn(kind: WaitingKind, after: Cursor | null): WaitingPage["after"] {
  if (after === null) return null;
  if (kind === after.kind) return { since: after.since, id: after.id };
  return { since: new Date(after.since.getTime() + (kind < after.kind ? 1 : 0)), id: "" };
}

const inOrder = (a: WaitingItem, b: WaitingItem): number =>
  a.since.getTime() - b.since.getTime() || compare(a.kind, b.kind) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
