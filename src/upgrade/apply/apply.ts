/**
 * Carries an upgrade out, step by step. Each step does nothing where it was done before, so a run that was cut short at any
 * moment is repeated from the beginning. Files come last: what was read out of them is stored by then.
 */
import { existsSync } from "node:fs";
import { makeBackup } from "../../platform/backup/make-backup.ts";
import { checkBackup } from "../../platform/backup/restore-backup.ts";
import { inTransaction, openDatabase, type Connection, type Database } from "../../platform/db/database.ts";
import { isDatabaseAway } from "../../platform/db/failures.ts";
import { migrate } from "../../platform/db/migrations/migrate.ts";
import { platformService } from "../../platform/db/migrations/service.ts";
import { startFailure } from "../../platform/db/start/start-failure.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { expelOlderWorkers } from "../../platform/jobs/older-workers.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import type { CheckedFiles } from "../checks/check-files.ts";
import { mayWrite } from "../checks/database.ts";
import type { DatabaseFacts } from "../database/facts.ts";
import type { ServiceDatabase } from "../database/service-database.ts";
import { exportAndReset, restoreExported, type MetadataFile } from "./metadata.ts";
import {
  deleteUnresolvedAccess,
  readTakenBackup,
  recordFileOnce,
  recordStep,
  storeDrafts,
} from "./record-store.ts";
import type { Step } from "./run-steps.ts";
import { isRewritten, writeChanges, writeDrafts } from "./write-files.ts";

/** A backup that is taken before anything is changed. */
export interface WantedBackup {
  file: string;
  passphrase: string | undefined;
  /** Where the file of the installation's key is, and where it goes. */
  key: { from: string; to: string } | undefined;
}

export interface Upgrade {
  databases: readonly ServiceDatabase[];
  dataDir: string;
  facts: readonly DatabaseFacts[];
  checked: CheckedFiles;
  /** Null where the operator says that there is one. */
  backup: WantedBackup | null;
  /** All files that were looked at. */
  files: readonly string[];
  draftsFile: string;
  /** Where the metadata of the data layer is exported to; null where that does not follow the databases. */
  metadataFile: string | null;
  /** The database with it, where that is not the platform's. */
  metadata: Connection | null;
  /** The confirmation that access without a consumable part goes. */
  deletesUnresolved: boolean;
  now: () => Date;
  log: Logger;
  signal: AbortSignal;
}

/** The steps of this upgrade, in order. */
export function stepsOf(upgrade: Upgrade): Step[] {
  const { databases, backup, checked, draftsFile, metadataFile, files } = upgrade;
  const steps: Step[] = [];
  const add = (id: string, title: string, run: Step["run"], undo?: Step["undo"]): void =>
    void steps.push({ id, title, run, ...(undo && { undo }) });
  if (backup !== null) add("backup", `write a backup to ${backup.file}`, () => backUp(upgrade, backup));
  if (databases.length > 0 && metadataFile !== null)
    add(
      "data-layer",
      `export what the data layer tracks to ${metadataFile}, and reset it until the next start`,
      () => resetMetadata(upgrade, metadataFile),
      () => withMetadata(upgrade, metadataFile, restoreExported),
    );
  for (const database of databases)
    add(
      `database-${database.service.name}`,
      `bring the schema ${database.connection.schema} of ${database.service.name} up to date`,
      () => bringUp(database, upgrade),
    );
  if (upgrade.deletesUnresolved)
    add("unresolved-access", "delete access that has no consumable part", () => deleteUnresolved(upgrade));
  if (checked.drafts.length > 0)
    add(
      "custom-views",
      `store ${checked.drafts.length} drafts of custom views, and write them to ${draftsFile}`,
      () => storeViews(upgrade),
    );
  if (checked.changes.length > 0)
    add("files", `rewrite ${checked.changes.map(({ file }) => file).join(", ")}`, () => rewrite(upgrade));
  else if (files.some(isRewritten))
    add("files", "record the files that were rewritten", () => rewrite(upgrade));
  return steps;
}

/** Throws where the databases must not be written to. */
export function refuseUnfit(facts: readonly DatabaseFacts[]): void {
  if (mayWrite(facts)) return;
  throw new Failure({
    kind: "conflict",
    code: "UPGRADE_REFUSED",
    message: "A database is not one that this upgrade may change; nothing was done.",
    solutions: ["Correct what `plinth upgrade check` says of it."],
  });
}

async function backUp(upgrade: Upgrade, wanted: WantedBackup): Promise<string | null> {
  const { databases, dataDir, facts, now } = upgrade;
  const { file, passphrase, key } = wanted;
  if (existsSync(file)) {
    await acceptTaken(upgrade, wanted);
    return null;
  }
  const isThere = ({ service }: ServiceDatabase): boolean =>
    facts.some((each) => each.service === service.name && each.state === "ours");
  const services = databases.filter(isThere);
  const {
    services: taken,
    files,
    createdAt,
  } = await makeBackup({
    services,
    dataDir,
    file,
    passphrase,
    key,
    now,
  });
  // Not before the backup: it would be in it, and a database that is restored from it would know a backup of its future.
  if (hasAudit(upgrade))
    await withOwn(upgrade, ({ db }) => recordFileOnce(db, "backup", { file, createdAt }));
  const rows = taken.flatMap(({ tables }) => tables).reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${taken.map(({ name }) => name).join(", ") || "no database"}, ${files.length} files`;
}

const hasAudit = ({ facts }: Upgrade): boolean =>
  facts.some(({ service, applied }) => service === platformService.name && applied.length > 0);

/**
 * Rejects unless an earlier run of this upgrade has taken the backup and said so in the audit: any other one may lack what
 * came after it, and so may one of a run that was cut short before its record.
 */
async function acceptTaken(upgrade: Upgrade, { file, passphrase }: WantedBackup): Promise<void> {
  const { createdAt } = await checkBackup(file, passphrase);
  const taken = hasAudit(upgrade)
    ? await withOwn(upgrade, ({ db }) => readTakenBackup(db, { file, createdAt }))
    : null;
  const isDue = upgrade.facts.some(({ open }) => open.length > 0);
  if (taken !== null && !(taken.isOutdated && isDue)) return;
  const why =
    taken === null
      ? "this upgrade has not taken it"
      : "the installation was changed after it, while no migration was applied";
  throw new Failure({
    kind: "conflict",
    code: "UPGRADE_BACKUP_EXISTS",
    message: `The file ${file} exists already, and ${why}. Nothing was done.`,
    solutions: [
      "Name another file with --backup, and a fresh backup is taken.",
      "Or say with --backup-confirmed that you have a backup of the installation as it is now.",
    ],
  });
}

async function bringUp({ connection, service }: ServiceDatabase, upgrade: Upgrade): Promise<string | null> {
  const { log, signal } = upgrade;
  const database = openDatabase({ connection, log, poolSize: 2 });
  try {
    const { applied } = await migrate(database, {
      service,
      signal,
      ...(service === platformService && {
        expelOlder: (required, migration) => expelOlderWorkers(database, { required, migration, log }),
      }),
    }).catch((error: unknown) => {
      throw startFailure(error, connection, { service });
    });
    if (applied.length === 0) return null;
    if (service === platformService) await record(database, service.name, { applied });
    return `${applied.length} migrations`;
  } finally {
    await database.close();
  }
}

const record = (database: Database, step: string, detail: object): Promise<void> =>
  recordStep(database.db, step, detail);

/** Only where migrations follow: a layer that is served after the upgrade is not stopped by another run. */
async function resetMetadata(upgrade: Upgrade, file: string): Promise<string | null> {
  if (upgrade.facts.every(({ open }) => open.length === 0)) return null;
  return withMetadata(upgrade, file, exportAndReset);
}

const withMetadata = (
  upgrade: Upgrade,
  file: string,
  work: (given: MetadataFile) => Promise<string | null>,
): Promise<string | null> =>
  withOwn(upgrade, async (database) => {
    const { metadata: connection, log, now } = upgrade;
    if (connection === null) return work({ database, metadata: null, file, now });
    const metadata = openDatabase({ connection, log, poolSize: 1 });
    try {
      return await work({ database, metadata, file, now });
    } catch (error) {
      // Without the database nothing is tracked: the first start makes it.
      if ((error as { code?: unknown }).code === "3D000") return null;
      throw isDatabaseAway(error) ? metadataAway(error) : error;
    } finally {
      await metadata.close();
    }
  });

const metadataAway = (cause: unknown): Failure =>
  new Failure({
    kind: "unavailable",
    code: "PLATFORM_DATABASE_UNAVAILABLE",
    message: "The database with what the data layer tracks does not answer.",
    solutions: ["Check ENGINE_GRAPHQL_METADATA_DATABASE_URL, and that PostgreSQL runs there."],
    cause,
  });

/** In the file they are as the settings had them; in the database as one draft for each page. */
async function storeViews(upgrade: Upgrade): Promise<string | null> {
  const { checked, draftsFile } = upgrade;
  const isNew = await writeDrafts(draftsFile, checked.drafts);
  const pages = Map.groupBy(checked.drafts, ({ pageId }) => pageId);
  const drafts = [...pages].map(([pageId, parts]) => ({
    pageId,
    content: Object.fromEntries(parts.map(({ part, content }) => [part, content])),
  }));
  const stored = await withOwn(upgrade, (database) =>
    inTransaction(database, async (tx) => {
      const pageIds = await storeDrafts(tx, drafts);
      if (pageIds.length > 0) await recordStep(tx, "custom-views", { pages: pageIds, file: draftsFile });
      return pageIds.length;
    }),
  );
  return isNew || (stored ?? 0) > 0 ? `${checked.drafts.length} drafts` : null;
}

/** The audit has what is rewritten now, and what a run rewrote that was cut short before it could say so. */
async function rewrite(upgrade: Upgrade): Promise<string | null> {
  const changed = await writeChanges(upgrade.checked.changes);
  await withOwn(upgrade, async ({ db }) => {
    for (const file of changed) await recordStep(db, "files", { file });
    for (const file of upgrade.files) if (isRewritten(file)) await recordFileOnce(db, "files", { file });
  });
  return changed.length === 0 ? null : changed.join(", ");
}

const deleteUnresolved = async (upgrade: Upgrade): Promise<string | null> => {
  const count = await withOwn(upgrade, (database) => inTransaction(database, deleteUnresolvedAccess));
  return count === null || count === 0 ? null : `${count} rows`;
};

/** Over the platform's database; null where none is upgraded. */
async function withOwn<T>(
  { databases, log }: Upgrade,
  work: (database: Database) => Promise<T>,
): Promise<T | null> {
  const own = databases.find(({ service }) => service === platformService);
  if (own === undefined) return null;
  const database = openDatabase({ connection: own.connection, log, poolSize: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
