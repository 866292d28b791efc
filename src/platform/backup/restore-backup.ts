/** Brings a backup into an empty installation. */
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { readArchive } from "../archive/read-archive.ts";
import { Failure } from "../errors/failure.ts";
import type { Logger } from "../lib/logger.ts";
import { writeInFolder } from "./data-folder.ts";
import { loadService, prepareService, type ServiceLoad } from "./load.ts";
import { isSealed, openSealed } from "./sealed-file.ts";
import { manifestName, type BackedUpService, type Manifest } from "./service.ts";

export interface RestoreOptions {
  /** The one that tells whether the installation is used comes last. */
  services: readonly BackedUpService[];
  dataDir: string;
  file: string;
  passphrase?: string | undefined;
  log: Logger;
  signal?: AbortSignal | undefined;
}

/**
 * Checks the whole file first. The tables of a service are filled in one transaction: what is interrupted can be done again.
 * Rejects with a Failure PLATFORM_BACKUP.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { file, passphrase, services } = options;
  const opened = await openFile(file, passphrase);
  try {
    const manifest = await readManifest(opened.file);
    const known = new Set(services.map(({ service }) => service.name));
    const foreign = manifest.services.find(({ name }) => !known.has(name));
    if (foreign) throw refusal(`The backup has tables of ${foreign.name}, which this program does not know.`);
    await fill(opened.file, manifest, options);
    return manifest;
  } finally {
    await opened.close();
  }
}

/** Reads the whole file and says what it holds. Rejects with a Failure PLATFORM_BACKUP where it is no backup that was finished. */
export async function checkBackup(file: string, passphrase: string | undefined): Promise<Manifest> {
  const opened = await openFile(file, passphrase);
  try {
    return await readManifest(opened.file);
  } finally {
    await opened.close();
  }
}

async function openFile(
  file: string,
  passphrase: string | undefined,
): Promise<{ file: string; close: () => Promise<void> }> {
  if (!(await isSealed(file))) return { file, close: async () => undefined };
  if (passphrase === undefined)
    throw refusal(
      "The backup is sealed with a passphrase.",
      "Give the file that has it with --passphrase-file.",
    );
  const plain = `${file}.${randomBytes(6).toString("hex")}.open`;
  await openSealed(file, plain, passphrase);
  return { file: plain, close: () => rm(plain, { force: true }) };
}

/** It is the last entry, so the whole file is read. */
async function readManifest(file: string): Promise<Manifest> {
  const found: { manifest?: Manifest } = {};
  const read = readArchive(
    createReadStream(file),
    ({ name }) =>
      name === manifestName
        ? (content) => void (found.manifest = JSON.parse(String(content)) as Manifest)
        : null,
    { limits: {} },
  );
  await read.catch((error: unknown) => {
    throw refusal(`The backup can't be read: ${(error as Error).message}.`);
  });
  const { manifest } = found;
  if (manifest?.format !== 1) throw refusal("The backup is not whole: its end is missing.");
  return manifest;
}

async function fill(
  file: string,
  manifest: Manifest,
  { services, dataDir, log, signal }: RestoreOptions,
): Promise<void> {
  // All of them are looked at before any is filled.
  const targets = manifest.services.map((each) => ({
    each,
    target: services.find(({ service }) => service.name === each.name)!,
  }));
  for (const { each, target } of targets) await prepareService(target, each, { log, signal });
  const loads = new Map<string, ServiceLoad>();
  try {
    for (const { each, target } of targets)
      loads.set(each.name, await loadService(target, each, { log, signal }));
    await readArchive(
      createReadStream(file),
      ({ name }) => {
        const [service = "", table = ""] = name.split("/");
        if (name === manifestName) return null;
        if (service === "files")
          return (content) => writeInFolder(dataDir, name.slice("files/".length), content);
        const load = loads.get(service);
        if (load === undefined) throw refusal(`The backup has an entry ${name} that belongs nowhere.`);
        return (content) => load.take(table, content);
      },
      { limits: {}, signal },
    );
    for (const { service } of services) await loads.get(service.name)?.finish();
  } finally {
    for (const load of loads.values()) await load.abort();
  }
}

const refusal = (
  message: string,
  solution = "Use another backup, or the version of the product that made it.",
): Failure => new Failure({ kind: "invalid", code: "PLATFORM_BACKUP", message, solutions: [solution] });
