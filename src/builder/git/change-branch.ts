/**
 * Changes files on an existing branch: one commit on top of the commit that the change was made from,
 * published to the branch itself or to a new branch. Commits that were made in between are never overwritten.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BuilderDeps } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { writeCommit, type NewCommit } from "./make-commit.ts";
import { ownRepositoryDir } from "./own-repository.ts";
import { readHeads, openRemote, type Remote } from "./remote.ts";
import { checkRef, fetchRevision } from "./read-repository.ts";
import { git, tryGit, withScratch } from "./run-git.ts";

export interface RepositoryPlace {
  /** Address of the repository. */
  repository: string;
  /** Name of the repository, when it is one of this server. */
  own: string | null;
}

export interface BranchAccess {
  deps: Pick<BuilderDeps, "settings" | "outbound">;
  signal: AbortSignal;
  now: () => Date;
}

/** A repository in which a commit can be made and published. */
export interface OpenBranch {
  gitDir: string;
  /** The requested branch, or the default branch. */
  branch: string;
  /** The branch's commit; the objects of that commit are in `gitDir`. */
  head: string;
  /** Commit of another branch; null when there is no such branch. */
  headOf: (branch: string) => Promise<string | null>;
  /**
   * Moves a branch from one commit to another, or creates it. False when it was at another commit by then.
   */
  move: (branch: string, change: { from: string | null; to: string }) => Promise<boolean>;
  /** Deletes a branch that is at that commit; a branch that is missing or has moved is left unchanged. */
  drop: (branch: string, commit: string) => Promise<void>;
}

/**
 * Opens a repository at a branch for the duration of the work. A tag or a commit is refused: it cannot
 * advance.
 */
export async function withBranch<T>(
  place: RepositoryPlace & { ref: string | null },
  access: BranchAccess,
  work: (open: OpenBranch) => Promise<T>,
): Promise<T> {
  if (place.ref !== null) checkRef(place.ref);
  if (place.own !== null) return work(await openOwn(place.own, place.ref, access));
  const { deps, now } = access;
  const remote = await openRemote(place.repository, { deps, namedBy: "locations" });
  return withScratch({ dataDir: deps.settings.dataDir, now }, async (gitDir) =>
    work(await openRemoteBranch(remote, { ref: place.ref, gitDir }, access)),
  );
}

/** The commit of a branch, without fetching objects. */
export async function readBranchHead(
  place: RepositoryPlace & { ref: string | null },
  { deps, signal }: Omit<BranchAccess, "now">,
): Promise<{ branch: string; head: string }> {
  if (place.ref !== null) checkRef(place.ref);
  if (place.own !== null) return findOwnHead(place.own, place.ref, { deps, signal });
  const remote = await openRemote(place.repository, { deps, namedBy: "locations" });
  return findRemoteHead(remote, place.ref, { timeoutMs: deps.settings.git.timeoutMs, signal });
}

async function findOwnHead(
  name: string,
  ref: string | null,
  { deps, signal }: Omit<BranchAccess, "now">,
): Promise<{ branch: string; head: string }> {
  const gitDir = ownRepositoryDir(deps.settings.dataDir, name);
  const branch = ref === null || ref === "HEAD" ? await defaultBranchOf(gitDir, signal) : ref;
  const head = await commitOf(gitDir, branch, signal);
  if (head === null) throw noBranch(branch);
  return { branch, head };
}

async function openOwn(name: string, ref: string | null, access: BranchAccess): Promise<OpenBranch> {
  const { deps, signal } = access;
  const gitDir = ownRepositoryDir(deps.settings.dataDir, name);
  const { branch, head } = await findOwnHead(name, ref, access);
  return {
    gitDir,
    branch,
    head,
    headOf: (other) => commitOf(gitDir, other, signal),
    async move(other, { from, to }) {
      checkRef(other);
      // Git compares and updates atomically; zeros mean that the branch must not exist.
      const args = ["update-ref", `refs/heads/${other}`, to, from ?? "0".repeat(to.length)];
      const { code } = await tryGit(args, { gitDir, signal });
      return code === 0 || (await commitOf(gitDir, other, signal)) === to;
    },
    async drop(other, commit) {
      checkRef(other);
      await tryGit(["update-ref", "-d", `refs/heads/${other}`, commit], { gitDir, signal });
    },
  };
}

async function defaultBranchOf(gitDir: string, signal: AbortSignal): Promise<string> {
  const { code, output } = await tryGit(["symbolic-ref", "-q", "--short", "HEAD"], { gitDir, signal });
  if (code !== 0) throw noBranch("HEAD");
  return output.toString("utf8").trim();
}

async function commitOf(gitDir: string, branch: string, signal: AbortSignal): Promise<string | null> {
  checkRef(branch);
  const args = ["rev-parse", "--verify", "-q", "--end-of-options", `refs/heads/${branch}^{commit}`];
  const { code, output } = await tryGit(args, { gitDir, signal });
  return code === 0 ? output.toString("utf8").trim() : null;
}

async function openRemoteBranch(
  remote: Remote,
  { ref, gitDir }: { ref: string | null; gitDir: string },
  { deps, signal }: BranchAccess,
): Promise<OpenBranch> {
  const { timeoutMs } = deps.settings.git;
  const { branch } = await findRemoteHead(remote, ref, { timeoutMs, signal });
  await fetchRevision(remote, { ref: `refs/heads/${branch}`, gitDir, signal });
  // Use the fetched commit: the branch may have moved since it was resolved.
  const head = (await git(["rev-parse", "FETCH_HEAD"], { gitDir, signal })).toString("utf8").trim();
  const heads = (): Promise<Map<string, string>> => readHeads(remote, { gitDir, timeoutMs, signal });
  const push = (target: string): Promise<Buffer> =>
    remote.run((url) => ["push", "-q", "--porcelain", "--", url, target], { gitDir, timeoutMs, signal });
  return {
    gitDir,
    branch,
    head,
    headOf: async (other) => (await heads()).get(`refs/heads/${other}`) ?? null,
    async move(other, { from, to }) {
      checkRef(other);
      const place = `refs/heads/${other}`;
      const before = (await heads()).get(place) ?? null;
      if (before === to) return true;
      if (before !== from) return false;
      try {
        // Without force: the remote accepts only a fast-forward.
        await push(`${to}:${place}`);
        return true;
      } catch (error) {
        const now = (await heads()).get(place) ?? null;
        if (now === to) return true;
        if (now !== from) return false;
        throw error;
      }
    },
    async drop(other, commit) {
      checkRef(other);
      if ((await heads()).get(`refs/heads/${other}`) === commit) await push(`:refs/heads/${other}`);
    },
  };
}

async function findRemoteHead(
  remote: Remote,
  ref: string | null,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<{ branch: string; head: string }> {
  const wanted = ref === null || ref === "HEAD" ? "HEAD" : `refs/heads/${ref}`;
  const output = await remote.run((url) => ["ls-remote", "-q", "--symref", "--", url, wanted], options);
  const lines = output.toString("utf8").split("\n");
  const symbolic = lines.flatMap((line) => /^ref: refs\/heads\/(.+)\tHEAD$/.exec(line)?.[1] ?? [])[0];
  const branch = wanted === "HEAD" ? symbolic : (ref ?? undefined);
  const head = lines.flatMap((line) => (line.endsWith(`\t${wanted}`) ? [line.split("\t")[0] ?? ""] : []));
  const commit = head.find((text) => /^[0-9a-f]{40,64}$/.test(text));
  if (branch === undefined || commit === undefined) throw noBranch(ref ?? "HEAD");
  return { branch, head: commit };
}

const noBranch = (name: string) =>
  builderFailure("BUILDER_NOT_EDITABLE", {
    message: `The repository has no branch "${name.slice(0, 100)}" that a change could be made on.`,
  });

export interface FileChange {
  /** In the repository. */
  path: string;
  content: Buffer;
}

/** Makes a commit on top of `head` in which these files have these contents. */
export async function commitFiles(
  { gitDir, head }: Pick<OpenBranch, "gitDir" | "head">,
  files: readonly FileChange[],
  commit: Omit<NewCommit, "tree" | "parents">,
): Promise<string> {
  const { signal } = commit;
  // Several tasks may work on a repository of this server, so each uses its own index file.
  const folder = await mkdtemp(join(gitDir, "plinth-index-"));
  try {
    const options = { gitDir, env: { GIT_INDEX_FILE: join(folder, "index") }, signal };
    await git(["read-tree", head], options);
    const lines: Buffer[] = [];
    for (const { path, content } of files) {
      const id = await git(["hash-object", "-w", "--stdin"], { gitDir, signal, input: content });
      const mode = await modeOf(gitDir, { head, path, signal });
      lines.push(Buffer.from(`${mode} ${id.toString("utf8").trim()}\t${path}\0`));
    }
    await git(["update-index", "-z", "--index-info"], { ...options, input: Buffer.concat(lines) });
    const tree = (await git(["write-tree"], options)).toString("utf8").trim();
    return await writeCommit(gitDir, { ...commit, tree, parents: [head] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function modeOf(
  gitDir: string,
  { head, path, signal }: { head: string; path: string; signal: AbortSignal },
): Promise<string> {
  const { output } = await tryGit(["ls-tree", "-z", "--full-tree", head, "--", path], {
    gitDir,
    signal,
    env: { GIT_LITERAL_PATHSPECS: "1" },
  });
  return output.toString("utf8").startsWith("100755") ? "100755" : "100644";
}

/** The change as a patch for users. */
export async function patchOf(
  gitDir: string,
  { from, to, signal }: { from: string; to: string; signal: AbortSignal },
): Promise<string> {
  const args = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", from, to];
  return (await git(args, { gitDir, signal })).toString("utf8");
}
