/** The input of `build`: an archive, or a directory that is packed in memory. */
import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { packArchive } from "../platform/archive/write-archive.ts";
import type { Cli } from "./context.ts";
import { inputFailure } from "./exit-codes.ts";

export interface Archive {
  name: string;
  bytes: Buffer;
}

/** File contents by path in the archive. */
export type ArchiveFiles = Record<string, Buffer>;

const maxFiles = 20_000;

export async function readArchive(cli: Cli, path: string): Promise<Archive> {
  const full = resolve(cli.cwd, path);
  const found = await lstat(full).catch((cause: unknown) => {
    throw inputFailure(`There is no file or directory ${path}.`, { cause });
  });
  if (found.isDirectory()) return packFiles(await readDirectory(full), basename(full));
  if (/\.(?:tar\.gz|tgz)$/i.test(path)) return { name: basename(path), bytes: await readFile(full) };
  throw inputFailure(`${path} is neither a directory nor an archive.`, {
    solutions: ["Give a directory of entities, or a .tar.gz or .tgz file."],
  });
}

export const packFiles = async (files: ArchiveFiles, name: string): Promise<Archive> => ({
  name: `${name}.tar.gz`,
  bytes: await packArchive(files),
});

/** Every file below a directory; names that start with a dot, such as .git, are left out. */
export async function readDirectory(root: string): Promise<ArchiveFiles> {
  const files: ArchiveFiles = {};
  const open = [""];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await readdir(join(root, at), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile()) files[path] = await readFile(join(root, path));
      else
        throw inputFailure("Only files and directories can be packed; this is a link or a device.", {
          where: path,
        });
    }
    if (Object.keys(files).length > maxFiles) {
      throw inputFailure(`${root} holds more than ${maxFiles} files; is it the right directory?`);
    }
  }
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}
