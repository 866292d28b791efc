/** Writes files into a workspace on the disk. */
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../../../platform/errors/error-code.ts";
import { yieldToEventLoop, writeSmall } from "../../../platform/lib/files/small-files.ts";
import { isGitFolder, type Tree } from "./tree.ts";
import { builderFailure } from "../../errors.ts";
import { inWorkspace, segmentsOf } from "./workspace-path.ts";

export interface WriteOptions {
  workspace: string;
  /** Folder in the workspace. */
  targetPath: string;
  /** Whether existing files are overwritten; otherwise they stay. */
  replace: boolean;
  signal: AbortSignal;
}

/** Returns how many files it wrote. */
export async function writeTree(
  tree: Pick<Tree, "files" | "folders">,
  options: WriteOptions,
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

export function makeFolder(target: string, path: string): void {
  try {
    mkdirSync(target, { recursive: true });
  } catch (error) {
    if (!["EEXIST", "ENOTDIR"].includes(errorCode(error))) throw error;
    throw fileInTheWay(path);
  }
}

export const folderInTheWay = (path: string) =>
  refuse(`"${path}" is a folder in the workspace and a file in what is written.`);

export const fileInTheWay = (path: string) =>
  refuse(`"${path}" is a file in the workspace and a folder in what is written.`);

const refuse = (message: string) => builderFailure("BUILDER_ACTION_INPUT", { message });
