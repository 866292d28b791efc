/** Pure: the files of a workspace while they are in memory, with the same rules as on disk. */
import { dirname, join } from "node:path/posix";
import { isGitFolder, type Tree, type TreeFile } from "../git/tree.ts";
import { segmentsOf } from "./workspace-path.ts";
import { fileInTheWay, folderInTheWay } from "./write-tree.ts";

/** By path; null for a folder. */
export type MemoryFiles = Map<string, TreeFile | null>;

export interface AddOptions {
  targetPath: string;
  replace: boolean;
}

/**
 * Adds files and folders and returns the number of files written; throws a Failure for the first entry that
 * does not fit.
 */
export function addTree(
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
export function treeOf(held: MemoryFiles): Pick<Tree, "files" | "folders"> {
  const tree: Pick<Tree, "files" | "folders"> = { files: [], folders: [] };
  for (const [path, file] of held) {
    if (file === null) tree.folders.push(path);
    else tree.files.push(file);
  }
  tree.folders.sort();
  tree.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return tree;
}
