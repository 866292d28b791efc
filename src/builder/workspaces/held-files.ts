/** Pure: the files of a workspace as long as they are held in memory. They obey the rules that a disk has. */
import { dirname, join } from "node:path/posix";
import { isGitFolder, type Tree, type TreeFile } from "../git/tree.ts";
import { segmentsOf } from "./workspace-path.ts";
import { fileInTheWay, folderInTheWay } from "./write-tree.ts";

/** By path; null for a folder. */
export type HeldFiles = Map<string, TreeFile | null>;

export interface HoldOptions {
  targetPath: string;
  replace: boolean;
}

/** Adds files and folders and answers how many files it wrote; throws a Failure as soon as one does not fit. */
export function holdTree(
  held: HeldFiles,
  tree: Pick<Tree, "files" | "folders">,
  { targetPath, replace }: HoldOptions,
): number {
  const base = segmentsOf(targetPath).join("/");
  const place = (path: string): string => join(base, ...segmentsOf(path));
  holdFolder(held, base);
  for (const folder of tree.folders) holdFolder(held, place(folder));
  let written = 0;
  for (const file of tree.files) {
    const path = place(file.path);
    if (isGitFolder(path)) continue;
    holdFolder(held, dirname(path));
    const present = path === "." ? null : held.get(path);
    if (present === null) throw folderInTheWay(path);
    if (present !== undefined && !replace) continue;
    held.set(path, { ...file, path });
    written += 1;
  }
  return written;
}

/** Makes a folder and those above it; a file in the way of any of them is told of the folder that was wanted. */
function holdFolder(held: HeldFiles, path: string, wanted = path): void {
  if (path === "." || path === "" || held.get(path) === null) return;
  holdFolder(held, dirname(path), wanted);
  if (held.has(path)) throw fileInTheWay(wanted);
  held.set(path, null);
}

/** As a tree whose entries come in the order of their paths. */
export function treeOf(held: HeldFiles): Pick<Tree, "files" | "folders"> {
  const tree: Pick<Tree, "files" | "folders"> = { files: [], folders: [] };
  for (const [path, file] of held) {
    if (file === null) tree.folders.push(path);
    else tree.files.push(file);
  }
  tree.folders.sort();
  tree.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return tree;
}
