/**
 * The metadata of the data layer over an upgrade: exported to a file and reset before the databases change, and restored
 * from the file where a later step fails. The first start afterwards tracks anew.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { inTransaction, type Database, type Transaction } from "../../platform/db/database.ts";
import { errorCode } from "../../platform/errors/error-code.ts";
import { lockTracked, resetTracked, restoreTracked, type TrackedMetadata } from "./metadata-store.ts";
import { recordStep } from "./record-store.ts";

export interface MetadataFile {
  /** The platform's, with the audit. */
  database: Database;
  /** The one with the metadata, where that is another. */
  metadata: Database | null;
  /** Where the export goes. */
  file: string;
  now: () => Date;
}

const step = "data-layer";

/** One that was reset by a run that was cut short is left: its file has what was tracked. */
export function exportAndReset(given: MetadataFile): Promise<string | null> {
  const { file, now } = given;
  return inBoth(given, async (tx, audit) => {
    const found = await lockTracked(tx);
    if (found === null || found.isReset) return null;
    const { revision, sources } = found;
    const fresh = `${file}.upgrading`;
    await writeFile(fresh, `${JSON.stringify({ revision, sources }, null, 2)}\n`, { flush: true });
    await rename(fresh, file);
    const tables = sources.reduce((sum, source) => sum + source.tables.length, 0);
    await resetTracked(tx, now());
    await recordStep(audit, step, { change: "reset", revision, tables, file });
    return `${tables} tables of ${sources.length} sources are in ${file}`;
  });
}

/** Null where there is nothing to restore: nothing was tracked, or somebody has tracked or reset it since. */
export function restoreExported(given: MetadataFile): Promise<string | null> {
  const { file, now } = given;
  return inBoth(given, async (tx, audit) => {
    const found = await lockTracked(tx);
    if (found === null || !found.isReset) return null;
    const exported = await readExport(file);
    if (exported === null || found.revision !== exported.revision + 1) return null;
    const { revision, sources } = exported;
    await restoreTracked(tx, sources, now());
    await recordStep(audit, step, { change: "restored", revision, file });
    return `restored from ${file}`;
  });
}

/** One transaction, or one in each database: that of the audit commits last. */
const inBoth = <T>(
  { database, metadata }: MetadataFile,
  work: (tx: Transaction, audit: Transaction) => Promise<T>,
): Promise<T> =>
  inTransaction(database, (audit) =>
    metadata === null ? work(audit, audit) : inTransaction(metadata, (tx) => work(tx, audit)),
  );

/** Null where no upgrade has exported anything: then somebody has reset it by hand. */
async function readExport(file: string): Promise<TrackedMetadata | null> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as TrackedMetadata;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
