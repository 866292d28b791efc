/** Writes fetched files into the workspace. */
import { chmod, lstat, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isGitFolder, type Tree } from "../../git/tree.ts";
import { builderFailure } from "../../errors.ts";
import { inWorkspace, segmentsOf } from "../workspace-path.ts";

export interface WriteOptions {
  workspace: string;
  /** Folder in the workspace. */
  targetPath: string;
  /** Whether files that are there are written over; otherwise they stay. */
  replace: boolean;
  signal: AbortSignal;
}

/** Answers how many files it wrote. */
export async function writeTree(
  tree: Pick<Tree, "files" | "folders">,
  options: WriteOptions,
): Promise<number> {
  const { workspace, targetPath, replace, signal } = options;
  const base = segmentsOf(targetPath).join("/");
  const place = (path: string): string => join(base, ...segmentsOf(path));
  /** Where folders lie that have been looked at; this is the only one at work in the workspace. */
  const folders = new Map<string, string>();
  const enter = async (path: string): Promise<string> => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const target = await inWorkspace(workspace, path);
    await mkdir(target, { recursive: true }).catch(refuseFile(path));
    folders.set(path, target);
    return target;
  };
  await enter(base);
  for (const folder of tree.folders) await enter(place(folder));
  let written = 0;
  for (const { path, content, isExecutable } of tree.files) {
    signal.throwIfAborted();
    const relative = place(path);
    if (isGitFolder(relative)) continue;
    const folder = await enter(dirname(relative) === "." ? "" : dirname(relative));
    const target = join(folder, basename(relative));
    const present = await lstat(target).catch(() => undefined);
    // Says no to a link.
    if (present !== undefined) await inWorkspace(workspace, relative);
    if (present?.isDirectory() === true)
      throw refuse(`"${relative}" is a folder in the workspace and a file in what is fetched.`);
    if (present !== undefined && !replace) continue;
    await writeFile(target, content);
    if (isExecutable || present !== undefined) await chmod(target, isExecutable ? 0o755 : 0o644);
    written += 1;
  }
  return written;
}

const refuseFile = (path: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== "EEXIST" && error.code !== "ENOTDIR") throw error;
  throw refuse(`"${path}" is a file in the workspace and a folder in what is fetched.`);
};

const refuse = (message: string) => builderFailure("BUILDER_ACTION_INPUT", { message });
