/** The keys of the installation that this machine has: those of the configuration and those of the data directory. */
import { resolve } from "node:path";
import type { Config } from "../../config/schema/schema.ts";
import { readKey, readKeys } from "../../lib/secrets/key-file.ts";
import { installationKey, type InstallationKey } from "../../lib/secrets/secret-box.ts";

export interface ConfiguredKeys {
  /** Null where it is to be in a file that is not there. */
  current: InstallationKey | null;
  former: InstallationKey[];
  place: KeyPlace;
}

export interface KeyPlace {
  file: string;
  /** Where the present key comes from, for messages. */
  name: string;
  /** Folder with files of former keys. */
  formerKeys: string;
}

type Settings = Pick<Config, "dataDir" | "mesh">;

export async function readConfiguredKeys(config: Settings): Promise<ConfiguredKeys> {
  const { secretKey, formerSecretKeys } = config.mesh.builder.instantiations;
  const place = placeOf(config);
  const current = secretKey === undefined ? await readKey(place.file) : Buffer.from(secretKey, "base64");
  const former = [
    ...formerSecretKeys.map((each) => Buffer.from(each, "base64")),
    ...(await readKeys(place.formerKeys)),
  ];
  return { current: current && installationKey(current), former: former.map(installationKey), place };
}

export function placeOf({ dataDir, mesh }: Settings): KeyPlace {
  const folder = resolve(dataDir, "builder");
  const file = resolve(folder, "secret.key");
  const isSet = mesh.builder.instantiations.secretKey !== undefined;
  const name = isSet ? "mesh.builder.instantiations.secretKey" : file;
  return { file, name, formerKeys: resolve(folder, "former-keys") };
}

/** The file of the key; null where the configuration has it. */
export const installationKeyFile = (config: Settings): string | null =>
  config.mesh.builder.instantiations.secretKey === undefined ? placeOf(config).file : null;

/** What a process says of its keys (db/presence.ts). */
export const opensWith = ({ fingerprint }: InstallationKey): string => `opens with ${fingerprint}`;
export const sealsWith = ({ fingerprint }: InstallationKey, naming: boolean): string =>
  `seals with ${fingerprint}${naming ? "" : " without its name"}`;
