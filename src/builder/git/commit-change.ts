/** A commit on top of a remote branch: new, changed and removed files. */
import { join } from "node:path";
import { builderFailure } from "../errors.ts";
import { authorship, writeFolderTree, type Authorship } from "./make-commit.ts";
import { checkRef, fetchRevision } from "./read-repository.ts";
import type { Remote } from "./remote.ts";
import { git } from "./run-git.ts";

export interface ChangeOptions {
  remote: Remote;
  /** Branch that it is made on top of. */
  base: string;
  /** Absolute; its files replace those of the base. */
  folder: string;
  /** Target folder in the repository; empty for its root. */
  prefix: string;
  /** Paths of removed files in the repository. */
  remove: readonly string[];
  message: string;
  author: Authorship;
  signal: AbortSignal;
}

/** Fills `gitDir`, which must be empty, and returns the id of the commit. Rejects when nothing changes. */
export async function commitChange(gitDir: string, options: ChangeOptions): Promise<string> {
  const { remote, base, folder, prefix, remove, signal } = options;
  checkRef(base);
  const { commit } = await fetchRevision(remote, { ref: `refs/heads/${base}`, gitDir, signal });
  const run = async (args: readonly string[], more: { input?: string; env?: Record<string, string> } = {}) =>
    (await git(args, { gitDir, signal, ...more })).toString("utf8");
  const parent = (await run(["rev-parse", `${commit}^{commit}`])).trim();
  const files = await writeFolderTree(gitDir, { folder, signal });
  const env = { GIT_INDEX_FILE: join(gitDir, "plinth-change-index") };
  await run(["read-tree", parent], { env });
  const listed = await run(["ls-tree", "-r", "-z", "--full-tree", files]);
  const under = prefix === "" ? "" : `${prefix}/`;
  const changed = listed
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => line.replace("\t", `\t${under}`));
  const gone = remove.map((path) => `0 ${"0".repeat(40)}\t${path}`);
  // Removals first: a file that is both removed and added is there in the end.
  const input = [...gone, ...changed].map((line) => `${line}\0`).join("");
  await run(["update-index", "--replace", "-z", "--index-info"], { env, input });
  const tree = (await run(["write-tree"], { env })).trim();
  if (tree === (await run(["rev-parse", `${parent}^{tree}`])).trim()) {
    throw builderFailure("BUILDER_ACTION_INPUT", {
      message: `The branch ${base} has all of it already, so there is nothing to propose.`,
    });
  }
  const hash = await run(["commit-tree", tree, "-p", parent, "-F", "-"], {
    input: `${options.message.trim()}\n`,
    env: authorship(options.author),
  });
  return hash.trim();
}
