/** Creates folders with their parents, without the endless loop of `mkdir`. */
import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorCode } from "../../errors/error-code.ts";

/**
 * Creates the folder and its missing parents. Not with the `recursive` option of mkdir: that loops for ever
 * below an existing folder that answers ENOENT for a new name, as /proc does.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const folder = resolve(path);
  const above = dirname(folder);
  try {
    await makeOne(folder, mode);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || above === folder) throw error;
    await makeFolder(above, mode);
    await makeOne(folder, mode);
  }
}

/** Another process may have created it just now. */
async function makeOne(folder: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const isThere = errorCode(error) === "EEXIST" && (await isFolder(folder));
    if (!isThere) throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
