/** Makes a backup of an installation while it works. */
import { tarBytes } from "../archive/write-archive.ts";
import { productVersion } from "../db/migrations/read-migrations.ts";
import { readKeyToCopy, writeKeyCopy, type KeyCopy, type KeySolutions } from "./copy-key.ts";
import { readFolder } from "./data-folder.ts";
import { dumpServices, type DumpEntry } from "./dump.ts";
import { refuseUnwritable } from "./new-file.ts";
import { writeSealed } from "./sealed-file.ts";
import { manifestName, type BackedUpService, type Manifest } from "./service.ts";

export interface BackupOptions {
  services: readonly BackedUpService[];
  dataDir: string;
  file: string;
  passphrase?: string | undefined;
  /** Where the file of the installation's key is, and where it goes: never into the backup. */
  key?: KeyCopy | undefined;
  now: () => Date;
}

/** The file appears whole or not at all, and after the copy of the key: what was cut short is repeated by the same command. */
export async function makeBackup(options: BackupOptions): Promise<Manifest> {
  const { services, dataDir, file, passphrase, key, now } = options;
  const manifest: Manifest = {
    format: 1,
    createdAt: now().toISOString(),
    program: await productVersion(),
    services: [],
    files: [],
  };
  async function* entries(): AsyncGenerator<DumpEntry> {
    yield* dumpServices(services, manifest.services);
    // After the rows: what they speak of is there, and what is newer does no harm.
    for await (const each of readFolder(dataDir)) {
      manifest.files.push({ path: each.name.slice("files/".length), bytes: each.content.length });
      yield each;
    }
    yield { name: manifestName, content: Buffer.from(JSON.stringify(manifest)) };
  }
  const keyBytes = key && (await readKeyToCopy(key, keySolutions));
  if (key) await refuseUnwritable(key.to);
  await writeSealed(file, tarBytes(entries()), {
    passphrase,
    async beforeNaming() {
      if (key && keyBytes) await writeKeyCopy(keyBytes, key.to, keySolutions);
    },
  });
  return manifest;
}

const keySolutions: KeySolutions = {
  missing: "Give the configuration and the data directory of the installation, as `plinth start` has them.",
  other: "Choose another file for the key: nothing is overwritten.",
};
