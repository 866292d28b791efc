/** Files of the data directory that belong into a backup: repositories of templates. Workspaces and the like are made anew. */
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, posix, sep } from "node:path";
import type { DumpEntry } from "./dump.ts";

/** Below the data directory. */
const folders = ["builder/repositories"];

/**
 * Symbolic links are left out: none is ours. A file that goes while it is read is left out too. The objects of repositories come
 * last, so that every commit that a branch names is there.
 */
export async function* readFolder(dataDir: string): AsyncGenerator<DumpEntry> {
  yield* readFiles(dataDir, (path) => !isObject(path));
  yield* readFiles(dataDir, isObject);
}

const isObject = (path: string): boolean => path.includes(".git/objects/");

async function* readFiles(dataDir: string, isWanted: (path: string) => boolean): AsyncGenerator<DumpEntry> {
  for (const folder of folders) {
    const found = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(
      (error: { code?: string }) => {
        if (error.code === "ENOENT") return [];
        throw error;
      },
    );
    for (const each of found) {
      const path = join(each.parentPath, each.name);
      if (!each.isFile() || !isWanted(path.split(sep).join("/"))) continue;
      const content = await readFile(path).catch((error: { code?: string }) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      const name = path
        .slice(dataDir.length)
        .split(sep)
        .filter((part) => part !== "")
        .join("/");
      if (content !== null) yield { name: `files/${name}`, content };
    }
  }
}

/** Writes one of them; names that lead elsewhere are refused by the caller's check of the manifest. */
export async function writeInFolder(dataDir: string, name: string, content: Buffer): Promise<void> {
  const path = posix.normalize(name);
  if (!folders.some((folder) => path.startsWith(`${folder}/`)) || path !== name)
    throw new Error(`The backup has a file at ${name}, where none belongs.`);
  const file = join(dataDir, ...path.split("/"));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.part`, content);
  await rename(`${file}.part`, file);
}
