/** Brings the branch of a repository here to a remote. */
import { builderFailure } from "../errors.ts";
import { gitFailure, tryGit, type GitOptions } from "./run-git.ts";

export interface PushOptions {
  url: string;
  gitDir: string;
  branch: string;
  commit: string;
  remote: GitOptions;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Pushes to a remote that has no branches yet, or has this very commit from an earlier attempt. Whatever else is there
 * is somebody else's: Failure BUILDER_REPOSITORY_EXISTS, and nothing is changed.
 */
export async function pushFirst(options: PushOptions): Promise<void> {
  const { url, gitDir, branch, commit, remote, timeoutMs, signal } = options;
  const heads = await readHeads(url, { ...remote, gitDir, timeoutMs, signal });
  if (heads.get(`refs/heads/${branch}`) === commit) return;
  if (heads.size > 0) {
    throw builderFailure("BUILDER_REPOSITORY_EXISTS", {
      message: "The repository has branches already; nothing was pushed to it.",
    });
  }
  const ref = `refs/heads/${branch}`;
  const { code, words } = await tryGit(["push", "-q", "--porcelain", "--", url, `${ref}:${ref}`], {
    ...remote,
    gitDir,
    timeoutMs,
    signal,
  });
  if (code !== 0) throw gitFailure("push", words);
}

/** Branches of a remote with their commits. */
export async function readHeads(url: string, options: GitOptions): Promise<Map<string, string>> {
  const { code, output, words } = await tryGit(["ls-remote", "-q", "--heads", "--", url], options);
  if (code !== 0) throw gitFailure("ls-remote", words);
  return new Map(
    output
      .toString("utf8")
      .split("\n")
      .flatMap((line) => {
        const [commit = "", ref] = line.split("\t");
        return ref === undefined ? [] : [[ref, commit] as const];
      }),
  );
}
