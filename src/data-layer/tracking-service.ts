/** What is tracked: shown, exported, reset and restored by operators. */
import type { Problem } from "../platform/errors/failure.ts";
import { inTransaction, type Db } from "../platform/db/database.ts";
import { writeAudit, type DataLayerContext } from "./context.ts";
import { dataLayerFailure } from "./errors.ts";
import { readMetadata, writeMetadata, type Metadata } from "./graph/metadata-store.ts";
import type { TrackedSource } from "./graph/metadata.ts";
import type { MetadataExport, MetadataView } from "./tracking-schema.ts";

const everybody = ["viewer", "developer", "operator", "admin", "service"];
const operators = ["operator", "admin", "service"];

export async function showMetadata({ dataLayer }: DataLayerContext): Promise<MetadataView> {
  const { revision, sources, inconsistencies } = await dataLayer.layer.status();
  return {
    revision,
    sources: sources.map(({ name, schemas, tables }) => ({
      name,
      schemas,
      tables: tables.map(({ schema, name: table, isForOperators }) => ({
        schema,
        name: table,
        roles: isForOperators ? operators : everybody,
      })),
    })),
    inconsistencies: [...inconsistencies],
  };
}

export async function exportMetadata({ dataLayer }: DataLayerContext): Promise<MetadataExport> {
  await dataLayer.layer.status();
  const { revision, sources } = await readMetadata((await dataLayer.metadata()).db);
  return { revision, sources };
}

/** Nothing is tracked from now on, until a restore or, with tracking, a process that starts later. */
export async function resetMetadata(ctx: DataLayerContext): Promise<MetadataView> {
  await change(ctx, "resetDataLayer", []);
  return showMetadata(ctx);
}

/** An export is of an older revision by nature. With tracking it ends a reset; without one the next look would undo it. */
export async function restoreMetadata(ctx: DataLayerContext, wanted: MetadataExport): Promise<MetadataView> {
  const { isTracking } = ctx.dataLayer.settings;
  await change(ctx, "restoreDataLayer", checked(ctx, wanted), ({ revision, hash }) => {
    const isReset = revision > 0 && hash === "";
    if (isTracking && !isReset)
      throw dataLayerFailure("DATA_LAYER_TRACKED", {
        message: "The metadata follows the databases and was not reset, so there is nothing to restore.",
      });
  });
  return showMetadata(ctx);
}

export async function replaceMetadata(ctx: DataLayerContext, wanted: MetadataExport): Promise<MetadataView> {
  if (ctx.dataLayer.settings.isTracking)
    throw dataLayerFailure("DATA_LAYER_TRACKED", {
      message: "The metadata follows the databases, so it can't be edited.",
    });
  const from = wanted.revision;
  await change(ctx, "replaceDataLayer", checked(ctx, wanted), ({ revision }) => {
    if (from !== undefined && from !== revision)
      throw dataLayerFailure("DATA_LAYER_CHANGED", {
        message: `The metadata has revision ${revision} by now, not ${from}.`,
        where: "revision",
      });
  });
  return showMetadata(ctx);
}

function checked({ dataLayer }: DataLayerContext, { sources }: MetadataExport): TrackedSource[] {
  const problems: Problem[] = [];
  const names = new Set<string>();
  for (const [index, { name, tables }] of sources.entries()) {
    const where = `/sources/${index}`;
    if (!dataLayer.settings.sources.includes(name))
      problems.push({ where: `${where}/name`, message: `${name} is not in dbs.sources` });
    if (names.has(name)) problems.push({ where: `${where}/name`, message: `${name} is there twice` });
    names.add(name);
    const keys = new Set<string>();
    for (const [at, table] of tables.entries()) {
      const key = JSON.stringify([table.schema, table.name]);
      if (keys.has(key)) problems.push({ where: `${where}/tables/${at}`, message: "is there twice" });
      keys.add(key);
    }
  }
  if (problems.length > 0)
    throw dataLayerFailure("DATA_LAYER_INVALID_METADATA", {
      message: "The metadata can't be restored.",
      problems: problems.slice(0, maxProblems),
    });
  return sources.map(({ name, tables }) => ({
    name,
    tables: tables.map(({ schema, name: table }) => ({ schema, name: table })),
  }));
}

const maxProblems = 100;

/**
 * Another process may write at the same time; the later one counts, where `refuse` lets it. Where the metadata is in another database, that is written
 * last but for the audit's commit: what could not be written is not audited.
 */
async function change(
  ctx: DataLayerContext,
  operation: string,
  sources: readonly TrackedSource[],
  refuse: (current: Metadata) => void = () => undefined,
): Promise<void> {
  const { actor, now } = ctx;
  const { database, layer } = ctx.dataLayer;
  const metadata = await ctx.dataLayer.metadata();
  const write = async (tx: Db): Promise<number | null> => {
    const current = await readMetadata(tx);
    refuse(current);
    const hash = sources.length === 0 ? "" : "restored";
    return writeMetadata(tx, current.revision, { hash, sources, at: now(), by: actor.ref });
  };
  for (let written: number | null = null; written === null;) {
    written = await inTransaction(database, async (tx) => {
      const next = await (metadata === database ? write(tx) : inTransaction(metadata, write));
      if (next !== null)
        await writeAudit(tx, ctx, { operation, subject: "data-layer", detail: { revision: next } });
      return next;
    });
  }
  await layer.lookAgain().catch(() => undefined);
}
