/** Folders with the folders above them, made in a way that ends. */
import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes the folder and what is missing above it. Not by the `recursive` option of mkdir: that one never ends, and keeps a
 * core busy, below a folder that is there and says of a new name that there is no such file, as /proc does.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const folder = resolve(path);
  const above = dirname(folder);
  try {
    await makeOne(folder, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || above === folder) throw error;
    await makeFolder(above, mode);
    await makeOne(folder, mode);
  }
}

/** Another process may have made it just now. */
async function makeOne(folder: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST" && (await isFolder(folder));
    if (!isThere) throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
