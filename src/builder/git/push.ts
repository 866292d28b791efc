/** Pushes a branch of a local repository to a remote. */
import { builderFailure } from "../errors.ts";
import type { Remote } from "./remote.ts";
import type { GitOptions } from "./run-git.ts";

export interface PushOptions {
  gitDir: string;
  branch: string;
  commit: string;
  remote: Remote;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Pushes to a remote that has no branches yet, or that has this very commit from an earlier attempt.
 * Otherwise the repository belongs to someone else: throws the Failure BUILDER_REPOSITORY_EXISTS, and nothing
 * is changed.
 */
export async function pushFirst(options: PushOptions): Promise<void> {
  const { gitDir, branch, commit, remote, timeoutMs, signal } = options;
  const heads = await readHeads(remote, { gitDir, timeoutMs, signal });
  if (heads.get(`refs/heads/${branch}`) === commit) return;
  if (heads.size > 0) {
    throw builderFailure("BUILDER_REPOSITORY_EXISTS", {
      message: "The repository has branches already; nothing was pushed to it.",
    });
  }
  const ref = `refs/heads/${branch}`;
  const push = (url: string): string[] => ["push", "-q", "--porcelain", "--", url, `${ref}:${ref}`];
  await remote.run(push, { gitDir, timeoutMs, signal });
}

/**
 * Pushes a commit as a new branch. When the remote already has the branch at a commit other than `known`, it
 * belongs to someone else: throws the Failure BUILDER_BRANCH_EXISTS, unless it may be replaced.
 */
export async function pushBranch(
  options: PushOptions & { mayReplace: boolean; known: string | null },
): Promise<void> {
  const { gitDir, branch, commit, remote, timeoutMs, signal, mayReplace, known } = options;
  const ref = `refs/heads/${branch}`;
  const there = (await readHeads(remote, { gitDir, timeoutMs, signal })).get(ref);
  if (there === commit) return;
  if (there !== undefined && there !== known && !mayReplace) {
    throw builderFailure("BUILDER_BRANCH_EXISTS", {
      message: `The repository has a branch ${branch} already; nothing was pushed to it.`,
    });
  }
  // Replaces only the commit that was just read.
  const lease = `--force-with-lease=${ref}:${there ?? ""}`;
  const push = (url: string): string[] => ["push", "-q", "--porcelain", lease, "--", url, `${commit}:${ref}`];
  await remote.run(push, { gitDir, timeoutMs, signal });
}

/** Branches of a remote with their commits. */
export async function readHeads(remote: Remote, options: GitOptions): Promise<Map<string, string>> {
  const output = await remote.run((url) => ["ls-remote", "-q", "--heads", "--", url], options);
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
