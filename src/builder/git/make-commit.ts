/** Makes a bare repository with one commit from a folder of the workspace. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { builderFailure } from "../errors.ts";
import { checkRef, fetchRevision } from "./read-repository.ts";
import { git } from "./run-git.ts";
import type { Remote } from "./remote.ts";

export interface CommitOptions {
  /** Absolute; files matched by its .gitignore are excluded. */
  folder: string;
  /** Target folder in the repository; empty for its root. */
  prefix: string;
  branch: string;
  message: string;
  author: { name: string; email: string };
  /** Date of author and committer; the same content at the same date gives the same commit. */
  date: Date;
  signal: AbortSignal;
}

/** Fills `gitDir`, which must not exist or be empty, and returns the id of the commit. */
export async function makeCommit(gitDir: string, options: CommitOptions): Promise<string> {
  const { folder, prefix, branch, signal } = options;
  checkRef(branch);
  await checkFolder(folder);
  await git(["init", "-q", "--bare", `--initial-branch=${branch}`, gitDir], { signal });
  let tree = await writeFolderTree(gitDir, { folder, signal });
  for (const segment of prefix
    .split("/")
    .filter((part) => part !== "")
    .toReversed()) {
    const input = `040000 tree ${tree}\t${segment}\0`;
    tree = (await git(["mktree", "-z"], { gitDir, input, signal })).toString("utf8").trim();
  }
  const hash = await writeCommit(gitDir, { ...options, tree, parents: [] });
  await git(["update-ref", `refs/heads/${branch}`, hash], { gitDir, signal });
  return hash;
}

export interface NewCommit extends Pick<CommitOptions, "message" | "author" | "date" | "signal"> {
  /** Id of the tree. */
  tree: string;
  parents: readonly string[];
}

/** Writes a commit and returns its id; no branch points to it yet. */
export async function writeCommit(gitDir: string, options: NewCommit): Promise<string> {
  const { tree, parents, message, author, signal } = options;
  const before = parents.flatMap((parent) => ["-p", parent]);
  const commit = await git(["commit-tree", tree, ...before, "-F", "-"], {
    gitDir,
    signal,
    input: `${message.trim()}\n`,
    env: authorship({ ...author, date: options.date }),
  });
  return commit.toString("utf8").trim();
}

export interface Authorship {
  name: string;
  email: string;
  /** Date of author and committer; the same content at the same date gives the same commit. */
  date: Date;
}

/** For the environment of git. */
export function authorship(author: Authorship): Record<string, string> {
  const date = `${Math.floor(author.date.getTime() / 1_000)} +0000`;
  const name = withoutMarks(author.name);
  const email = withoutMarks(author.email);
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}

async function checkFolder(folder: string): Promise<void> {
  const stats = await lstat(folder).catch(() => undefined);
  if (stats?.isDirectory() !== true)
    throw builderFailure("BUILDER_ACTION_INPUT", {
      message: "There is no such folder in the workspace to publish.",
    });
}

/** The id of the tree of a folder's files; an empty folder is refused. */
export async function writeFolderTree(
  gitDir: string,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<string> {
  await checkFolder(folder);
  const index = { GIT_INDEX_FILE: join(gitDir, "plinth-index") };
  await git([`--work-tree=${folder}`, "add", "--all", "--", "."], {
    gitDir,
    cwd: folder,
    env: index,
    signal,
  });
  const tree = (await git(["write-tree"], { gitDir, env: index, signal })).toString("utf8").trim();
  const entries = await git(["ls-tree", tree], { gitDir, signal });
  if (entries.length === 0)
    throw builderFailure("BUILDER_ACTION_INPUT", {
      message: "There are no files in the workspace to publish.",
    });
  return tree;
}

/** Removes the characters that end a name or address in a commit. */
const withoutMarks = (text: string): string => {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  const clean = text.replaceAll(/[\u0000-\u001f<>]/g, " ").trim();
  return clean === "" ? "unknown" : clean;
};

interface ChangeOptions {
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
