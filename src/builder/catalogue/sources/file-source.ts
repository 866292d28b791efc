/** Files below the folders that the operator allows. */
import { open, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { tooLong, unreadable, maxListedFiles, type LocationSource } from "./source.ts";
import { locationRef } from "./target.ts";

const maxDepth = 20;

/**
 * Opens a file or a folder. Only files in its own folder can be read, and symbolic links cannot lead above
 * it.
 */
export async function openFileSource(target: string, folders: readonly string[]): Promise<LocationSource> {
  const found = await findTarget(target, folders);
  if (found === null) {
    throw unreadable(
      "/target",
      "There is no such file in the folders that file locations may lie in.",
      "Check the path, and the folders in mesh.builder.catalogue.folders.",
    );
  }
  const { path, isDirectory } = found;
  const root = isDirectory ? path : dirname(path);
  const refOf = (file: string): string => locationRef({ type: "file", target: join(root, file) });
  return {
    version: null,
    entry: isDirectory ? "" : basename(path),
    isDirectory: async () => isDirectory,
    read: (file, maxBytes) => readWithin(root, file, maxBytes),
    list: () => listFiles(root),
    refOf,
    close: async () => {},
  };
}

/** Resolves symbolic links before comparing, so that none leads out of the allowed folders. */
async function findTarget(
  target: string,
  folders: readonly string[],
): Promise<{ path: string; isDirectory: boolean } | null> {
  for (const folder of folders) {
    const root = await realpath(folder).catch(() => null);
    const path =
      root && (await realpath(isAbsolute(target) ? target : resolve(root, target)).catch(() => null));
    if (!root || !path || !isWithin(root, path)) continue;
    const found = await stat(path);
    if (found.isFile() || found.isDirectory()) return { path, isDirectory: found.isDirectory() };
  }
  return null;
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function readWithin(root: string, file: string, maxBytes: number): Promise<Buffer | null> {
  const path = await realpath(join(root, file)).catch(() => null);
  if (path === null) return null;
  if (!isWithin(root, path)) throw unreadable(file, "The file is a link that leads out of the location.");
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat().then((found) => (found.isFile() ? found : { size: -1 }));
    if (size < 0) return null;
    if (size > maxBytes) throw tooLong(file, maxBytes);
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await handle.read(buffer, 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Does not follow symbolic links and ignores folders whose names begin with a dot. */
async function listFiles(root: string): Promise<string[]> {
  const files: string[] = [];
  const walk = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) files.push(path);
      if (files.length > maxListedFiles)
        throw unreadable("/target", `The location has more than ${maxListedFiles} files.`);
      if (entry.isDirectory() && !entry.name.startsWith(".") && depth < maxDepth) await walk(path, depth + 1);
    }
  };
  await walk("", 0);
  return files.sort();
}
