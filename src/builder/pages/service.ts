/** Custom views, and the list of data contracts. */
import type { Static } from "typebox";
import { inTransaction } from "../../platform/db/database.ts";
import { writeAudit, type BuilderContext } from "../context.ts";
import { builderFailure } from "../errors.ts";
import type { ListDeployedUnits } from "../ports.ts";
import { contractsOf } from "./contracts.ts";
import { defaultViews } from "./default-views.ts";
import {
  pageIds,
  type ContractPage,
  type contractsQuery,
  type CustomView,
  type PageId,
  type putViewBody,
} from "./schema.ts";
import { readView, writeView, type StoredView } from "./store.ts";

export async function getCustomView(ctx: BuilderContext, name: string): Promise<CustomView> {
  const pageId = knownPage(name);
  return shown(pageId, await readView(ctx.builder.database.db, pageId));
}

export function putCustomView(
  ctx: BuilderContext,
  name: string,
  { grid, side, revision }: Static<typeof putViewBody>,
): Promise<CustomView> {
  const pageId = knownPage(name);
  return inTransaction(ctx.builder.database, async (tx) => {
    const written = await writeView(tx, {
      pageId,
      content: { grid, side },
      by: ctx.actor.ref,
      at: ctx.now(),
      replaces: revision ?? null,
    });
    if (written === null)
      throw builderFailure("BUILDER_VIEW_CHANGED", {
        message: `The view of ${pageId} was changed since revision ${revision}.`,
        problems: [{ where: "/revision", message: "There is a newer revision." }],
      });
    await writeAudit(tx, ctx, {
      operation: "putCustomView",
      subject: `custom-view:${pageId}`,
      detail: { revision: written.revision },
    });
    return shown(pageId, written);
  });
}

function knownPage(name: string): PageId {
  const pageId = pageIds.find((each) => each === name);
  if (pageId !== undefined) return pageId;
  throw builderFailure("BUILDER_PAGE_NOT_FOUND", {
    message: `There is no page ${JSON.stringify(name)} with a custom view; there are ${pageIds.join(", ")}.`,
  });
}

function shown(pageId: PageId, stored: StoredView | null): CustomView {
  const content = stored?.content ?? defaultViews[pageId];
  return {
    pageId,
    revision: stored?.revision ?? 0,
    grid: content.grid,
    side: content.side,
    isDefault: stored?.content == null,
    draft: stored?.draft ?? null,
    updatedAt: stored?.updatedAt.toISOString() ?? null,
    updatedBy: stored?.updatedBy ?? null,
  };
}

/** One page; it ends with a data product, however many contracts that has. */
export async function listDataContracts(
  ctx: BuilderContext,
  { environment, after, limit }: Static<typeof contractsQuery>,
  { deployedUnits }: { deployedUnits: ListDeployedUnits },
): Promise<ContractPage> {
  const { settings } = ctx.builder;
  if (!settings.showsDataContracts)
    throw builderFailure("BUILDER_PAGE_NOT_FOUND", {
      message: "The page of data contracts is turned off.",
      solutions: ["Set mesh.marketplace.dataContracts.enabled to true to turn it on."],
    });
  if (!settings.environments.includes(environment))
    throw builderFailure("BUILDER_UNKNOWN_ENVIRONMENT", {
      message: `The environment ${JSON.stringify(environment)} is not configured.`,
      problems: [{ where: "environment", message: `It is none of ${settings.environments.join(", ")}.` }],
    });
  const { units, next } = await deployedUnits.list({ environment, after: after ?? null, limit });
  return { data: units.flatMap((unit) => contractsOf(unit, environment)), next };
}
