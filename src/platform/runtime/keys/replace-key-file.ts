/** Puts a new key of the installation into the place of the one in the data directory. */
import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/schema/schema.ts";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { makeKey, readKey } from "../../lib/secrets/key-file.ts";
import { installationKey } from "../../lib/secrets/secret-box.ts";
import { placeOf, readConfiguredKeys } from "./configured-keys.ts";
import { missingFile } from "./key-refusals.ts";

export interface ReplacedKey {
  file: string;
  fingerprint: string;
  /** Where the key of before is now. */
  former: string;
}

/** Whenever it is interrupted, the old key is in one of the two places, and a start or another call goes on from there. */
export async function replaceKeyFile(config: Config): Promise<ReplacedKey> {
  const { file, formerKeys } = placeOf(config);
  const old = await readKey(file);
  if (old === null) throw missingFile([], await readConfiguredKeys(config));
  const former = join(formerKeys, `${installationKey(old).fingerprint}.key`);
  await makeFolder(formerKeys, 0o700);
  await rename(file, former);
  const { fingerprint } = installationKey(await makeKey(file));
  return { file, fingerprint, former };
}
