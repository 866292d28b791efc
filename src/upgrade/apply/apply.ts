/**
 * Carries an upgrade out, step by step. Each step does nothing where it was done before, so a run that was cut short at any
 * moment is repeated from the beginning. Files come last: what was read out of them is stored by then.
 */
import { existsSync } from "node:fs";
import { makeBackup } from "../../platform/backup/make-backup.ts";
import { checkBackup } from "../../platform/backup/restore-backup.ts";
import { inTransaction, openDatabase, type Database } from "../../platform/db/database.ts";
import { migrate } from "../../platform/db/migrations/migrate.ts";
import { platformService } from "../../platform/db/migrations/service.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { expelOlderWorkers } from "../../platform/jobs/older-workers.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import type { CheckedFiles } from "../checks/check-files.ts";
import { mayWrite } from "../checks/database.ts";
import type { DatabaseFacts } from "../database/facts.ts";
import type { ServiceDatabase } from "../database/service-database.ts";
import { deleteUnresolvedAccess, recordStep, storeDrafts } from "./record-store.ts";
import { writeChanges, writeDrafts } from "./write-files.ts";

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
  draftsFile: string;
  /** The confirmation that access without a consumable part goes. */
  deletesUnresolved: boolean;
  now: () => Date;
  log: Logger;
  signal: AbortSignal;
}

export interface Step {
  id: string;
  title: string;
  /** Returns what was changed, in words; null where there was nothing to do. */
  run: () => Promise<string | null>;
}

/** The steps of this upgrade, in order. */
export function stepsOf(upgrade: Upgrade): Step[] {
  const { databases, backup, checked, draftsFile } = upgrade;
  const steps: Step[] = [];
  const add = (id: string, title: string, run: Step["run"]): void => void steps.push({ id, title, run });
  if (backup !== null) add("backup", `write a backup to ${backup.file}`, () => backUp(upgrade, backup));
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
    add("files", `rewrite ${checked.changes.map(({ file }) => file).join(", ")}`, async () =>
      (await writeChanges(checked.changes)).join(", "),
    );
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

/** One that an earlier run has taken is read through: a file of that name could be anything. */
async function backUp(
  { databases, dataDir, facts, now }: Upgrade,
  wanted: WantedBackup,
): Promise<string | null> {
  const { file, passphrase, key } = wanted;
  if (existsSync(file)) {
    await checkBackup(file, passphrase);
    return null;
  }
  const isThere = ({ service }: ServiceDatabase): boolean =>
    facts.some((each) => each.service === service.name && each.state === "ours");
  const services = databases.filter(isThere);
  const { services: taken, files } = await makeBackup({
    services,
    dataDir,
    file,
    passphrase,
    key,
    now,
  });
  const rows = taken.flatMap(({ tables }) => tables).reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${taken.map(({ name }) => name).join(", ") || "no database"}, ${files.length} files`;
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

/** In the file they are as the settings had them; in the database as one draft for each page. */
async function storeViews({ databases, checked, draftsFile, log }: Upgrade): Promise<string | null> {
  const isNew = await writeDrafts(draftsFile, checked.drafts);
  const own = databases.find(({ service }) => service === platformService);
  let stored = 0;
  if (own !== undefined) {
    const database = openDatabase({ connection: own.connection, log, poolSize: 1 });
    try {
      const pages = Map.groupBy(checked.drafts, ({ pageId }) => pageId);
      const drafts = [...pages].map(([pageId, parts]) => ({
        pageId,
        content: Object.fromEntries(parts.map(({ part, content }) => [part, content])),
      }));
      stored = await storeDrafts(database.db, drafts);
    } finally {
      await database.close();
    }
  }
  return isNew || stored > 0 ? `${checked.drafts.length} drafts` : null;
}

async function deleteUnresolved({ databases, log }: Upgrade): Promise<string | null> {
  const own = databases.find(({ service }) => service === platformService);
  if (own === undefined) return null;
  const database = openDatabase({ connection: own.connection, log, poolSize: 1 });
  try {
    const count = await inTransaction(database, (tx) => deleteUnresolvedAccess(tx));
    return count === 0 ? null : `${count} rows`;
  } finally {
    await database.close();
  }
}
