/** Puts a new key of the installation into the place of the one in the data directory. */
import { randomBytes } from "node:crypto";
import { open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../../config/schema/schema.ts";
import { errorCode } from "../../errors/error-code.ts";
import { prepareDataFolder } from "../../lib/files/data-folder.ts";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { makeKey, readKey } from "../../lib/secrets/key-file.ts";
import { installationKey } from "../../lib/secrets/secret-box.ts";
import { placeOf, readConfiguredKeys } from "./configured-keys.ts";
import { missingFile, unknownFile } from "./key-refusals.ts";

export interface ReplacedKey {
  file: string;
  fingerprint: string;
  /** Where the key of before is now. */
  former: string;
}

/** Fingerprints of the keys that secrets of the database may be sealed with, the latest first. */
export type ReadRecorded = () => Promise<string[]>;

/**
 * The old key is copied to the former ones before the new one takes its place, so there is a key at any moment, and an interrupted call
 * is repeated. Where there is none all the same, one is made only if all keys that the database needs are among the former ones.
 * Rejects with a Failure PLATFORM_INSTALLATION_KEY otherwise.
 */
export async function replaceKeyFile(config: Config, readRecorded: ReadRecorded): Promise<ReplacedKey> {
  const { file, formerKeys } = placeOf(config);
  if ((await readKey(file)) === null) return makeMissing(config, readRecorded);
  await prepareDataFolder(dirname(file));
  await makeFolder(formerKeys, 0o700);
  const next = `${file}.new`;
  const { fingerprint } = installationKey(await makeNext(next));
  // Read after the new one was made: of two calls at once, neither replaces a key that it has not kept.
  const old = await readKey(file);
  if (old === null) return makeMissing(config, readRecorded);
  const former = join(formerKeys, `${installationKey(old).fingerprint}.key`);
  await keepFormer(old, { part: `${file}.${randomBytes(6).toString("hex")}.part`, former });
  await rename(next, file).catch((error: unknown) => {
    // Another call has done it with the same key.
    if (errorCode(error) !== "ENOENT") throw error;
  });
  return { file, fingerprint, former };
}

/** A call that was killed while it wrote may have left a part. */
const makeNext = (file: string): Promise<Buffer> =>
  makeKey(file).catch(async () => {
    await rm(file, { force: true });
    return makeKey(file);
  });

/** In the folder of former keys a file is whole from its beginning: a start reads all of them. */
async function keepFormer(key: Buffer, { part, former }: { part: string; former: string }): Promise<void> {
  try {
    const handle = await open(part, "wx", 0o600);
    try {
      await handle.writeFile(key);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, former);
  } finally {
    await rm(part, { force: true });
  }
}

/** As a start does it: programs of before moved the old key away before they made the new one, and could be killed in between. */
async function makeMissing(config: Config, readRecorded: ReadRecorded): Promise<ReplacedKey> {
  const keys = await readConfiguredKeys(config);
  const { file, formerKeys } = keys.place;
  if (keys.former.length === 0) throw missingFile([], keys);
  const recorded = await readRecorded();
  const [latest] = recorded;
  if (latest === undefined) throw unknownFile(keys);
  const isHere = (wanted: string): boolean => keys.former.some(({ fingerprint }) => fingerprint === wanted);
  const missing = recorded.filter((each) => !isHere(each));
  if (missing.length > 0) throw missingFile(missing, keys);
  const former = (await findKey(formerKeys, latest)) ?? "mesh.builder.instantiations.formerSecretKeys";
  const { fingerprint } = installationKey(await makeKey(file));
  return { file, fingerprint, former };
}

async function findKey(folder: string, fingerprint: string): Promise<string | null> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  for (const name of names) {
    const key = await readKey(join(folder, name));
    if (key !== null && installationKey(key).fingerprint === fingerprint) return join(folder, name);
  }
  return null;
}
