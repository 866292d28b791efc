/** Files of the data directory that belong into a backup: repositories of templates. Workspaces and the like are made anew. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Dirent } from "node:fs";
import { dirname, join, posix } from "node:path";
import { errorCode } from "../errors/error-code.ts";
import { Failure } from "../errors/failure.ts";
import { prepareDataFolder } from "../lib/files/data-folder.ts";
import type { DumpEntry } from "./dump.ts";
import { writeFailure } from "./new-file.ts";

/** Below the data directory. Other folders in it are those that are just being made, and what a file system has of its own. */
const repositories = "builder/repositories";
const isRepository = (entry: Dirent): boolean => entry.isDirectory() && entry.name.endsWith(".git");
/** Says that a restore is filling the data directory; it goes when the restore is finished. */
const markFile = "builder/unfinished-restore";

/**
 * Symbolic links are left out: none is ours. What goes while it is read is left out too, and so are git's locks, with which a restored
 * repository could not be changed. The objects of repositories come last, so that every commit that a branch names is there.
 */
export async function* readFolder(dataDir: string): AsyncGenerator<DumpEntry> {
  // Listed once: of a repository that is published meanwhile there would be objects alone.
  const found = await listFolder(join(dataDir, repositories));
  const names = found.filter(isRepository);
  for (const isWanted of [isOther, isObjects]) {
    for (const { name } of names) {
      for await (const path of filesBelow(dataDir, `${repositories}/${name}`, isWanted)) {
        const content = await readFile(join(dataDir, path)).catch(nullWhenGone);
        if (content !== null) yield { name: `files/${path}`, content };
      }
    }
  }
}

const isObjects = (path: string): boolean => path.includes(".git/objects/");
const isOther = (path: string): boolean => !isObjects(path) && !path.endsWith(".lock");

/** Names of files, with slashes, from the data directory on. */
async function* filesBelow(
  dataDir: string,
  folder: string,
  isWanted: (path: string) => boolean,
): AsyncGenerator<string> {
  for (const entry of await listFolder(join(dataDir, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(dataDir, path, isWanted);
    else if (entry.isFile() && isWanted(path)) yield path;
  }
}

/** Nothing where the folder has gone. Node's own walk through folders would end with an error there. */
const listFolder = async (folder: string): Promise<Dirent[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(nullWhenGone)) ?? [];

function nullWhenGone(error: unknown): null {
  if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return null;
  throw error;
}

/** What a restore does with the files of a backup. */
export interface FolderRestore {
  /** Whether files are to be written: an earlier run may have written all of them. */
  isOpen: boolean;
  begin(): Promise<void>;
  /** All files are written. */
  complete(): Promise<void>;
  /** The restore is over. */
  finish(): Promise<void>;
}

interface Mark {
  backup: string;
  isComplete: boolean;
}

/**
 * Looks at the data directory and changes nothing. Repositories that are there are refused, unless an unfinished restore of the same
 * backup wrote them, or the rows of the backup are stored already, for which its files were written before.
 */
export async function openFolderRestore(
  dataDir: string,
  { backup, isStored }: { backup: string; isStored: boolean },
): Promise<FolderRestore> {
  const file = join(dataDir, markFile);
  const text = await readFile(file, "utf8").catch(nullWhenGone);
  const mark = text === null ? null : readMark(text);
  if (mark !== null && mark.backup !== backup)
    throw refusal(
      `The data directory ${dataDir} has an unfinished restore of another backup.`,
      "Repeat that restore with its backup, or give a new data directory with --data-dir.",
    );
  const hasFiles = mark === null && (await hasRepositories(dataDir));
  if (hasFiles && !isStored)
    throw refusal(
      `The data directory ${dataDir} has repositories of an installation, in ${join(dataDir, repositories)}.`,
      "Give a new data directory with --data-dir; nothing is overwritten.",
    );
  const write = async (isComplete: boolean): Promise<void> => {
    await writeWhole(file, JSON.stringify({ backup, isComplete } satisfies Mark));
  };
  return {
    isOpen: !hasFiles && mark?.isComplete !== true,
    async begin() {
      await prepareDataFolder(dataDir);
      await write(false);
    },
    complete: () => write(true),
    finish: () => rm(file, { force: true }),
  };
}

/** A mark that can't be read was not written whole, so nothing was written after it. */
function readMark(text: string): Mark | null {
  try {
    return JSON.parse(text) as Mark;
  } catch {
    return null;
  }
}

async function hasRepositories(dataDir: string): Promise<boolean> {
  const found = await listFolder(join(dataDir, repositories));
  return found.some(isRepository);
}

/** Writes one of the files of a backup. */
export async function writeInFolder(dataDir: string, name: string, content: Buffer): Promise<void> {
  const path = posix.normalize(name);
  if (!path.startsWith(`${repositories}/`) || path !== name)
    throw refusal(`The backup has a file at ${name}, where none belongs.`, "Use another backup.");
  await writeWhole(join(dataDir, ...path.split("/")), content);
}

async function writeWhole(file: string, content: Buffer | string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.part`, content);
    await rename(`${file}.part`, file);
  } catch (error) {
    throw writeFailure(file, error, "Give a data directory that has room and that this user may write to.");
  }
}

const refusal = (message: string, solution: string): Failure =>
  new Failure({ kind: "conflict", code: "PLATFORM_BACKUP", message, solutions: [solution] });
