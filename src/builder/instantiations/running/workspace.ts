/**
 * The files of a task. While they are few and nothing needs them on disk they are in memory, because most
 * tasks write a handful of files that are packed, published or discarded a moment later, and the disk is
 * slow. The first request for the folder writes them there, and from then on they stay on disk.
 */
import { basename, dirname, join } from "node:path/posix";
import type { Workspace, WriteOptions } from "../../actions/action.ts";
import { type Tree, isGitFolder, type TreeFile, segmentsOf, inWorkspace } from "../../git/tree.ts";
import { removeFolder, yieldToEventLoop, writeSmall } from "../../../platform/lib/files/small-files.ts";
import {
  checkSize,
  fingerprintOf,
  listWorkspace,
  packFiles,
  packFolder,
  restoreWorkspace,
  type LookAtFile,
  type WorkspaceLimits,
} from "./pack.ts";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { errorCode } from "../../../platform/errors/error-code.ts";
import { builderFailure } from "../../errors.ts";

export interface TaskWorkspace extends Workspace {
  /**
   * A snapshot of all files. Each is passed to `look` first, which may refuse it by throwing. Null when nothing has changed since
   * the last snapshot.
   */
  snapshot(look: LookAtFile): Promise<Snapshot | null>;
  /** Replaces the files by those of an archive. */
  restore(archive: Buffer): Promise<void>;
  /** Deletes the files; nothing can be written after that. */
  remove(): Promise<void>;
}

/**
 * The files of a workspace at a point in time. Files in memory are packed only when `archive` is called, because most snapshots are
 * never stored.
 */
export interface Snapshot {
  archive(): Promise<Buffer>;
}

/** Larger workspaces are written to disk. */
const maxMemoryBytes = 4 * 1024 * 1024;
const maxMemoryEntries = 1_000;

const bytesOf = (files: Iterable<{ content: Buffer } | null>): number => {
  let total = 0;
  for (const file of files) total += file?.content.length ?? 0;
  return total;
};

/** For a folder that does not exist yet. */
export function createWorkspace(root: string, limits: WorkspaceLimits): TaskWorkspace {
  /** Null when the files are on the disk. */
  let held: MemoryFiles | null = new Map();
  let isRemoved = false;
  let hasChanged = false;
  /** Of the files of the last archive; null when they were in memory. */
  let fingerprint: string | null = fingerprintOf([]);

  const mustExist = (): void => {
    if (isRemoved) throw new Error("the workspace of a task that has ended is asked for");
  };
  const isSmall = (files: MemoryFiles, tree: Pick<Tree, "files" | "folders">): boolean =>
    files.size + tree.files.length + tree.folders.length <= maxMemoryEntries &&
    bytesOf(files.values()) + bytesOf(tree.files) <= maxMemoryBytes;
  let moving: Promise<void> | null = null;
  const move = async (files: MemoryFiles): Promise<void> => {
    makeFolder(root, "");
    const signal = new AbortController().signal;
    await writeTree(treeOf(files), { workspace: root, targetPath: "", replace: true, signal });
    if (!hasChanged) fingerprint = fingerprintOf(await listWorkspace(root, limits));
    held = null;
  };
  const folder = async (): Promise<string> => {
    mustExist();
    if (held !== null) await (moving ??= move(held).finally(() => (moving = null)));
    return root;
  };

  return {
    folder,
    async write(tree, options) {
      mustExist();
      options.signal.throwIfAborted();
      await moving;
      if (held === null || !isSmall(held, tree))
        return writeTree(tree, { ...options, workspace: await folder() });
      hasChanged = true;
      return addTree(held, tree, options);
    },
    async snapshot(look) {
      if (held !== null) {
        if (!hasChanged) return null;
        hasChanged = false;
        fingerprint = null;
        checkSize({ files: held.size, bytes: bytesOf(held.values()) }, limits);
        const tree = treeOf(held);
        for (const { path, content } of tree.files) look(path, content);
        return { archive: () => packFiles(tree) };
      }
      const files = await listWorkspace(root, limits);
      const now = fingerprintOf(files);
      if (now === fingerprint) return null;
      const archive = await packFolder(root, files, look);
      fingerprint = now;
      return { archive: async () => archive };
    },
    async restore(archive) {
      held = null;
      await restoreWorkspace(root, archive);
      fingerprint = fingerprintOf(await listWorkspace(root, limits));
    },
    async remove() {
      isRemoved = true;
      const wasHeld = held !== null;
      held = null;
      if (!wasHeld) await removeFolder(root);
    },
  };
}

/** By path; null for a folder. */
type MemoryFiles = Map<string, TreeFile | null>;

interface AddOptions {
  targetPath: string;
  replace: boolean;
}

/**
 * Adds files and folders and returns the number of files written; throws a Failure for the first entry that
 * does not fit.
 */
function addTree(
  held: MemoryFiles,
  tree: Pick<Tree, "files" | "folders">,
  { targetPath, replace }: AddOptions,
): number {
  const base = segmentsOf(targetPath).join("/");
  const place = (path: string): string => join(base, ...segmentsOf(path));
  addFolder(held, base);
  for (const folder of tree.folders) addFolder(held, place(folder));
  let written = 0;
  for (const file of tree.files) {
    const path = place(file.path);
    if (isGitFolder(path)) continue;
    addFolder(held, dirname(path));
    const present = path === "." ? null : held.get(path);
    if (present === null) throw folderInTheWay(path);
    if (present !== undefined && !replace) continue;
    held.set(path, { ...file, path });
    written += 1;
  }
  return written;
}

/** Adds a folder and its parents; an error for a file in the way names the folder that was requested. */
function addFolder(held: MemoryFiles, path: string, wanted = path): void {
  if (path === "." || path === "" || held.get(path) === null) return;
  addFolder(held, dirname(path), wanted);
  if (held.has(path)) throw fileInTheWay(wanted);
  held.set(path, null);
}

/** As a tree whose entries are ordered by path. */
function treeOf(held: MemoryFiles): Pick<Tree, "files" | "folders"> {
  const tree: Pick<Tree, "files" | "folders"> = { files: [], folders: [] };
  for (const [path, file] of held) {
    if (file === null) tree.folders.push(path);
    else tree.files.push(file);
  }
  tree.folders.sort();
  tree.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return tree;
}

/** Returns how many files it wrote. */
export async function writeTree(
  tree: Pick<Tree, "files" | "folders">,
  options: WriteOptions & { workspace: string },
): Promise<number> {
  const { workspace, targetPath, replace, signal } = options;
  const base = segmentsOf(targetPath).join("/");
  const place = (path: string): string => join(base, ...segmentsOf(path));
  /** Caches checked folders; only this step writes to the workspace. */
  const folders = new Map<string, string>();
  const enter = (path: string): string => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const target = inWorkspace(workspace, path);
    makeFolder(target, path);
    folders.set(path, target);
    return target;
  };
  enter(base);
  for (const folder of tree.folders) {
    await yieldToEventLoop();
    enter(place(folder));
  }
  let written = 0;
  for (const { path, content, isExecutable } of tree.files) {
    await yieldToEventLoop();
    signal.throwIfAborted();
    const relative = place(path);
    if (isGitFolder(relative)) continue;
    const folder = enter(dirname(relative) === "." ? "" : dirname(relative));
    const target = join(folder, basename(relative));
    const present = lstatSync(target, { throwIfNoEntry: false });
    // Refuses a symbolic link.
    if (present !== undefined) inWorkspace(workspace, relative);
    if (present?.isDirectory() === true) throw folderInTheWay(relative);
    if (present !== undefined && !replace) continue;
    await writeSmall(target, content);
    if (isExecutable || present !== undefined) chmodSync(target, isExecutable ? 0o755 : 0o644);
    written += 1;
  }
  return written;
}

function makeFolder(target: string, path: string): void {
  try {
    mkdirSync(target, { recursive: true });
  } catch (error) {
    if (!["EEXIST", "ENOTDIR"].includes(errorCode(error))) throw error;
    throw fileInTheWay(path);
  }
}

const folderInTheWay = (path: string) =>
  refuse(`"${path}" is a folder in the workspace and a file in what is written.`);

const fileInTheWay = (path: string) =>
  refuse(`"${path}" is a file in the workspace and a folder in what is written.`);

const refuse = (message: string) => builderFailure("BUILDER_ACTION_INPUT", { message });
