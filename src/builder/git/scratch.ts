/** Temporary folders for one piece of work. */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../platform/lib/files/make-folder.ts";

/** Folders of killed processes are removed after this time. */
const staleMs = 24 * 3_600_000;

/** Runs the work with a new folder below the data directory, which is removed afterwards. */
export async function withScratch<T>(
  { dataDir, now }: { dataDir: string; now: () => Date },
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const parent = join(dataDir, "scratch");
  await makeFolder(parent);
  await removeStale(parent, now().getTime() - staleMs);
  const folder = await mkdtemp(join(parent, "work-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what is in the folder and was last changed before then. */
export async function removeStale(parent: string, before: number): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const age = await stat(path).catch(() => undefined);
    if (age !== undefined && age.mtimeMs < before) await rm(path, { recursive: true, force: true });
  }
}
