/** Brings a backup into an empty installation. */
import { createHash } from "node:crypto";
import {
  ArchiveFault,
  readArchive,
  type ArchiveFaultReason,
  type VisitEntry,
} from "../archive/read-archive.ts";
import { Failure } from "../errors/failure.ts";
import { makeKeyFolder, readKeyToCopy, writeKeyCopy, type KeyCopy, type KeySolutions } from "./copy-key.ts";
import { openFolderRestore, writeInFolder, type FolderRestore } from "./data-folder.ts";
import { loadService, migrateService, type MigrateOptions, type ServiceLoad } from "./load.ts";
import { openSealed, type OpenedFile } from "./sealed-file.ts";
import { manifestName, type BackedUpService, type Manifest, type ServiceManifest } from "./service.ts";
import { readState, removeMark, usedFailure, type TargetState } from "./target.ts";

export interface RestoreOptions extends MigrateOptions {
  /** The rows of the last one are stored last. */
  services: readonly BackedUpService[];
  dataDir: string;
  file: string;
  passphrase?: string | undefined;
  /** Where the file of the key is, and where it goes. */
  key?: KeyCopy | undefined;
}

export interface Restored {
  manifest: Manifest;
  /** An earlier run had stored everything, and this one has only finished it. */
  wasStored: boolean;
}

/**
 * Checks the whole file and looks at all places first; one that is used is refused, and nothing has changed then. The rows of all
 * services are stored before any newer migration is applied. What is interrupted is continued by the same call: a service whose rows
 * are stored is left alone. Rejects with a Failure PLATFORM_BACKUP.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { file, passphrase, services, key } = options;
  const opened = await openSealed(file, passphrase);
  try {
    const manifest = await readManifest(opened);
    const known = new Set(services.map(({ service }) => service.name));
    const foreign = manifest.services.find(({ name }) => !known.has(name));
    if (foreign) throw refusal(`The backup has tables of ${foreign.name}, which this program does not know.`);
    const plan = await lookAtTargets(manifest, options);
    const keyBytes = key && (await readKeyToCopy(key, keySolutions));
    if (key && keyBytes) {
      await makeKeyFolder(key.to);
      await writeKeyCopy(keyBytes, key.to, keySolutions);
    }
    await store(opened, plan, options);
    await finish(plan, options);
    return { manifest, wasStored: plan.isStored };
  } finally {
    await opened.close();
  }
}

const keySolutions: KeySolutions = {
  missing: "Give the file that `plinth backup --key-to` wrote.",
  other: "Restore into an empty data directory.",
};

/** Reads the whole file and says what it holds. Rejects with a Failure PLATFORM_BACKUP where it is no backup that was finished. */
export async function checkBackup(file: string, passphrase: string | undefined): Promise<Manifest> {
  const opened = await openSealed(file, passphrase);
  try {
    return await readManifest(opened);
  } finally {
    await opened.close();
  }
}

/** It is the last entry, so the whole file is read. */
async function readManifest(opened: OpenedFile): Promise<Manifest> {
  const found: { text?: string } = {};
  await readEntries(opened, ({ name }) =>
    name === manifestName ? (content) => void (found.text = String(content)) : null,
  );
  const manifest = found.text === undefined ? null : parseManifest(found.text);
  if (manifest?.format !== 1) throw refusal("The backup is not whole: its end is missing.");
  return manifest;
}

function parseManifest(text: string): Manifest {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    throw refusal("The backup can't be read: its manifest is damaged.");
  }
}

async function readEntries(opened: OpenedFile, visit: VisitEntry, signal?: AbortSignal): Promise<void> {
  await readArchive(opened.read(), visit, { limits: {}, signal }).catch((error: unknown) => {
    if (!(error instanceof ArchiveFault)) throw error;
    throw refusal(`The backup can't be read: ${faults[error.reason] ?? "it was changed or damaged"}.`);
  });
}

const faults: Partial<Record<ArchiveFaultReason, string>> = {
  empty: "the file is empty",
  notGzip: "the file is no backup",
  cutGzip: "its end is missing",
  cutTar: "its end is missing",
  interrupted: "reading it was interrupted",
};

interface Target {
  manifest: ServiceManifest;
  target: BackedUpService;
  state: TargetState;
}

interface Plan {
  targets: Target[];
  folder: FolderRestore;
  hasFiles: boolean;
  /** The file by its content. */
  backup: string;
  isStored: boolean;
}

/** Changes nothing. Rejects where one of the places is used. */
async function lookAtTargets(manifest: Manifest, { services, dataDir }: RestoreOptions): Promise<Plan> {
  const backup = createHash("sha256").update(JSON.stringify(manifest)).digest("hex");
  const targets: Target[] = [];
  for (const target of services) {
    const own = manifest.services.find(({ name }) => name === target.service.name);
    if (own === undefined) continue;
    targets.push({ manifest: own, target, state: await readState(target, own, backup) });
  }
  // The last one is stored after all others, and loses its mark after them.
  const isStored = targets.at(-1)?.state === "stored";
  for (const { target, state } of targets)
    if (typeof state === "object" && !isStored) throw usedFailure(target, state.usedTable);
  const folder = await openFolderRestore(dataDir, { backup, isStored });
  return { targets, folder, hasFiles: manifest.files.length > 0, backup, isStored };
}

/** Fills what is empty. Files come before rows: whoever finds all rows stored finds all files written. */
async function store(opened: OpenedFile, plan: Plan, options: RestoreOptions): Promise<void> {
  const { dataDir, signal } = options;
  const { folder, backup } = plan;
  const empty = plan.targets.filter(({ state }) => state === "empty");
  const isFilling = plan.hasFiles && folder.isOpen;
  for (const { target, manifest } of empty) await migrateService(target, options, manifest.migration);
  const loads = new Map<string, ServiceLoad>();
  const isPassed = (service: string): boolean =>
    plan.targets.some(({ manifest, state }) => manifest.name === service && state !== "empty");
  const visit: VisitEntry = ({ name }) => {
    const [service = "", table = ""] = name.split("/");
    if (name === manifestName || isPassed(service)) return null;
    if (service === "files")
      return isFilling ? (content) => writeInFolder(dataDir, name.slice("files/".length), content) : null;
    const load = loads.get(service);
    if (load === undefined) throw refusal(`The backup has an entry ${name} that belongs nowhere.`);
    return (content) => load.take(table, content);
  };
  try {
    for (const { target, manifest } of empty)
      loads.set(manifest.name, await loadService(target, manifest, backup));
    if (isFilling) await folder.begin();
    if (isFilling || empty.length > 0) await readEntries(opened, visit, signal);
    for (const load of loads.values()) await load.check();
    if (isFilling) await folder.complete();
    for (const load of loads.values()) await load.commit();
  } finally {
    for (const load of loads.values()) await load.abort();
  }
}

/** Newer migrations come when the rows of all services are stored; the marks go when everything is done. */
async function finish({ targets, folder }: Plan, options: RestoreOptions): Promise<void> {
  const own = targets.filter(({ state }) => typeof state !== "object");
  for (const { target } of own) await migrateService(target, options);
  await folder.finish();
  for (const { target } of own) await removeMark(target);
}

const refusal = (
  message: string,
  solution = "Use another backup, or the version of the product that made it.",
): Failure => new Failure({ kind: "invalid", code: "PLATFORM_BACKUP", message, solutions: [solution] });
