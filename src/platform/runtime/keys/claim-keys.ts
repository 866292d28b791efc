/**
 * Says in the database which keys a process has, and chooses the one that seals. A new key seals only when every process that
 * runs can open what it seals; until then one of before does.
 */
import type { Config } from "../../config/schema/schema.ts";
import { inTransaction, type Database, type Db, type Transaction } from "../../db/database.ts";
import {
  addKey,
  lockKeys,
  namingSince,
  notifyKeys,
  readKeys,
  removeKeys,
  startNaming,
  type RecordedKeys,
} from "../../db/installation-key.ts";
import { say, whoSays } from "../../db/presence.ts";
import { expelOlderWorkers } from "../../jobs/older-workers.ts";
import type { Logger } from "../../lib/logger.ts";
import { makeKey } from "../../lib/secrets/key-file.ts";
import {
  createKeyRing,
  installationKey,
  type InstallationKey,
  type KeyChoice,
} from "../../lib/secrets/secret-box.ts";
import { opensWith, readConfiguredKeys, sealsWith, type ConfiguredKeys } from "./configured-keys.ts";
import type { SealedPlace } from "./sealed-place.ts";
import { missingFile, missingKeys, strangeKey, unrecorded } from "./key-refusals.ts";

/** A secret of the database, and what it was sealed for. */
export interface SealedSample {
  sealed: Buffer;
  about: string;
}

/** Secrets that the areas have sealed, some of each kind; only the first start with a database asks for them. */
export type ReadSealed = (db: Db) => Promise<SealedSample[]>;

/** A sample is enough: all secrets were sealed with one key, or the right key cannot be told anyway. */
const maxSamples = 20;

/** Reads up to `maxSamples` secrets from each place. */
export async function readSamples(db: Db, places: readonly SealedPlace[]): Promise<SealedSample[]> {
  const samples: SealedSample[] = [];
  for (const place of places) {
    const limit = Math.min(place.atOnce, maxSamples);
    const found = await place.read(db, { head: headOfNone, after: null, limit });
    samples.push(...found.map(({ id, sealed }) => ({ sealed, about: place.aboutOf(id) })));
  }
  return samples;
}

/** No sealed value begins with it, so nothing is skipped. */
const headOfNone = Buffer.alloc(12);

export interface ClaimOptions {
  database: Database;
  log: Logger;
  readSealed: ReadSealed;
}

export interface Claim {
  choice: KeyChoice;
  /** Whether the present key of the configuration does not seal yet. */
  isPending: boolean;
  /** Processes that could not open what it seals. */
  waitsFor: string[];
}

/**
 * Rejects with a Failure PLATFORM_INSTALLATION_KEY where a recorded key is not here, and has said nothing then. A new key is made
 * where there is none in its file: for a database without recorded keys, beside all recorded ones as former ones, or on the word of
 * the operator.
 */
export function createClaimer(options: ClaimOptions): (config: Config) => Promise<Claim> {
  let said: string[] = [];
  return async (config) => {
    const { database } = options;
    await stopOlderPrograms(await readConfiguredKeys(config), options);
    const before = said;
    try {
      return await inTransaction(database, async (tx) => {
        const recorded = await lockKeys(tx);
        // Another process may have made the file just now.
        const keys = await readConfiguredKeys(config);
        const settled = await settleRecorded(tx, recorded, { ...options, config, keys });
        const claim = await claimIn(tx, { database, recorded: settled, keys });
        const { all, sealing, naming } = claim.choice;
        const texts = [...all.map(opensWith), sealsWith(sealing, naming)];
        if (texts.join() !== said.join()) await notifyKeys(tx);
        said = texts;
        // Before the end of the transaction, so before another process decides by what it sees.
        await say(database, said);
        return claim;
      });
    } catch (error) {
      if (said !== before && before.length > 0) await say(database, before).catch(() => undefined);
      said = before;
      throw error;
    }
  };
}

interface Settled extends RecordedKeys {
  current: InstallationKey;
}

/** The recorded keys, all of which are here, with the present one, which is made where that is allowed. */
async function settleRecorded(
  tx: Transaction,
  recorded: RecordedKeys,
  options: ClaimOptions & { config: Config; keys: ConfiguredKeys },
): Promise<Settled> {
  const { config, keys, log, readSealed } = options;
  const { forgetKey } = config.mesh.builder.instantiations;
  const configured = [keys.current, ...keys.former].filter((key) => key !== null);
  const isHere = (fingerprint: string): boolean => configured.some((key) => key.fingerprint === fingerprint);
  const isForgotten = (fingerprint: string): boolean => fingerprint === forgetKey && !isHere(fingerprint);
  const forgotten = recorded.fingerprints.filter(isForgotten);
  const fingerprints = recorded.fingerprints.filter((each) => !isForgotten(each));
  const isNew = recorded.fingerprints.length === 0;
  const samples = isNew && forgetKey !== unrecorded ? await readSealed(tx) : [];
  const missing = fingerprints.filter((each) => !isHere(each));
  if (keys.current === null && (missing.length > 0 || (samples.length > 0 && keys.former.length === 0)))
    throw missingFile(missing, keys);
  if (missing.length > 0) throw missingKeys(missing, keys);
  const used = keysOf(samples, configured, keys);
  const current = keys.current ?? installationKey(await makeKey(keys.place.file));
  await removeKeys(tx, forgotten);
  if (forgotten.length > 0)
    log.warn(
      { forgotten: forgetKey, fingerprint: current.fingerprint },
      "the installation has another key from now on",
    );
  // Programs from before names know a database with secrets, and can't have seen one without.
  const naming = recorded.naming || (isNew && samples.length === 0);
  for (const { fingerprint } of used) await addKey(tx, { fingerprint, naming });
  return { current, naming, fingerprints: [...fingerprints, ...used.map(({ fingerprint }) => fingerprint)] };
}

/** The keys with which a database without recorded ones was sealed. */
function keysOf(
  samples: readonly SealedSample[],
  configured: readonly InstallationKey[],
  keys: ConfiguredKeys,
): InstallationKey[] {
  const boxes = configured.map((key) => ({
    key,
    box: createKeyRing({ sealing: key, all: [], naming: false }),
  }));
  const used = new Set<InstallationKey>();
  for (const { sealed, about } of samples) {
    const found = boxes.find(({ box }) => box.open(sealed, about) !== null);
    if (found === undefined) throw strangeKey(keys);
    used.add(found.key);
  }
  return [...used];
}

interface ClaimParts {
  database: Database;
  recorded: Settled;
  keys: ConfiguredKeys;
}

async function claimIn(tx: Transaction, { database, recorded, keys }: ClaimParts): Promise<Claim> {
  const { current, fingerprints, naming } = recorded;
  const all = [current, ...keys.former];
  const isRecorded = fingerprints.includes(current.fingerprint);
  const others = await whoSays(database, tx, [opensWith(current)]);
  const waitsFor = others.filter(({ isOwn, says }) => !isOwn && says.length === 0).map(({ name }) => name);
  // The first key of a database has nothing to wait for: no other process could have started.
  const isPending = !isRecorded && fingerprints.length > 0 && waitsFor.length > 0;
  if (!isRecorded && !isPending) await addKey(tx, { fingerprint: current.fingerprint, naming });
  if (naming) await startNaming(tx);
  const newest = all.find(({ fingerprint }) => fingerprint === fingerprints[0]);
  return { choice: { sealing: (isPending && newest) || current, all, naming }, isPending, waitsFor };
}

/**
 * Programs from before names can't open what a second key seals: before the first one comes they are asked to end, and the
 * database takes none of them any more.
 */
async function stopOlderPrograms(keys: ConfiguredKeys, { database, log }: ClaimOptions): Promise<void> {
  const { fingerprints, naming } = await readKeys(database.db);
  const isHere = (fingerprint: string): boolean => keys.former.some((key) => key.fingerprint === fingerprint);
  const isChange = fingerprints.length > 0 && fingerprints.every(isHere);
  const isNew = keys.current === null || !fingerprints.includes(keys.current.fingerprint);
  if (naming || !isChange || !isNew) return;
  await nameKeys(database, log);
}

/** From now on what is sealed names its key. */
export async function nameKeys(database: Database, log: Logger): Promise<void> {
  await inTransaction(database, startNaming);
  await expelOlderWorkers(database, { required: namingSince, migration: "0062_installation_keys.sql", log });
}
