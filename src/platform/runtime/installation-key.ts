/** The key of the installation, held against the database before anything is sealed or opened with it. */
import { resolve } from "node:path";
import type { Config } from "../config/schema/schema.ts";
import type { Db } from "../db/database.ts";
import { claimFingerprint, readFingerprint, replaceFingerprint } from "../db/installation-key.ts";
import { Failure } from "../errors/failure.ts";
import type { Logger } from "../lib/logger.ts";
import {
  createSecretBox,
  fingerprintOf,
  makeKey,
  readKey,
  type SecretBox,
} from "../lib/secrets/secret-box.ts";

/** What `forgetKey` says where the database is older than fingerprints are. */
const unrecorded = "unrecorded";

/** A secret of the database, and what it was sealed for. */
export interface SealedSample {
  sealed: Buffer;
  about: string;
}

/** Secrets that the areas have sealed, some of each kind; only the first start with a database asks for them. */
export type ReadSealed = (db: Db) => Promise<SealedSample[]>;

export interface KeyOptions {
  db: Db;
  log: Logger;
  readSealed: ReadSealed;
}

/**
 * Rejects with a Failure PLATFORM_INSTALLATION_KEY where the database has secrets of another key. A new key is made only
 * for a database that has none, or on the word of the operator.
 */
export async function openInstallationKey(
  config: Config,
  { db, log, readSealed }: KeyOptions,
): Promise<SecretBox> {
  const { secretKey, forgetKey } = config.mesh.builder.instantiations;
  const place = placeOf(config);
  const recorded = await readFingerprint(db);
  const mayReplace = forgetKey !== undefined && forgetKey === (recorded ?? unrecorded);
  const samples = recorded === null && !mayReplace ? await readSealed(db) : [];
  const present = secretKey === undefined ? await readKey(place.file) : Buffer.from(secretKey, "base64");
  if (present === null && !mayReplace && (recorded !== null || samples.length > 0)) {
    throw refusal(`There is no key of the installation: ${place.file} is missing.`, { recorded, place });
  }
  const box = createSecretBox(present ?? (await makeKey(place.file)));
  if (samples.some(({ sealed, about }) => box.open(sealed, about) === null)) {
    throw refusal(`The key in ${place.name} does not open the secrets in the database.`, { recorded, place });
  }
  const fingerprint = fingerprintOf(box);
  const claim = { fingerprint, at: new Date() };
  const claimed =
    recorded === null
      ? await claimFingerprint(db, fingerprint, claim.at)
      : mayReplace
        ? await replaceFingerprint(db, { ...claim, old: recorded })
        : recorded;
  if (claimed !== fingerprint) {
    const message = `The key in ${place.name} is not the one that the secrets in the database are sealed with.`;
    throw refusal(message, { recorded: claimed, place });
  }
  if (mayReplace)
    log.warn({ forgotten: forgetKey, fingerprint }, "the installation has another key from now on");
  return box;
}

/** The file of the key; null where the configuration has it. */
export const installationKeyFile = (config: Config): string | null =>
  config.mesh.builder.instantiations.secretKey === undefined ? placeOf(config).file : null;

interface KeyPlace {
  file: string;
  /** Where the key comes from, for messages. */
  name: string;
}

function placeOf(config: Config): KeyPlace {
  const file = resolve(config.dataDir, "builder", "secret.key");
  const isSet = config.mesh.builder.instantiations.secretKey !== undefined;
  return { file, name: isSet ? "mesh.builder.instantiations.secretKey" : file };
}

function refusal(
  message: string,
  { recorded, place }: { recorded: string | null; place: KeyPlace },
): Failure {
  return new Failure({
    kind: "unavailable",
    code: "PLATFORM_INSTALLATION_KEY",
    message,
    solutions: [
      `Restore ${place.file} from the backup that the database is from, or set mesh.builder.instantiations.secretKey to that key.`,
      "Give all processes of the installation the same key: each data directory without the setting has one of its own.",
      `If the key is lost for good, start once with mesh.builder.instantiations.forgetKey: ${recorded ?? unrecorded}. Then give the keys of models and the secrets of external agents again.`,
    ],
  });
}
