/** Files of one commit: of a remote repository, fetched temporarily, or of one of our own, read in place. */
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../../platform/errors/failure.ts";
import type { BuilderDeps } from "../../context.ts";
import { ownRepositoryDir } from "../../git/own-repository.ts";
import { checkRef, fetchRevision } from "../../git/read-repository.ts";
import { openRemote, type Remote } from "../../git/remote.ts";
import { tryGit, type GitOptions } from "../../git/run-git.ts";
import { openGitObjects, type GitObjects } from "./git-objects.ts";
import { unreadable, type LocationSource } from "./source.ts";
import { addressInRepository, folderOf, locationRef, type GitTarget } from "./target.ts";

export interface GitSourceOptions {
  deps: Pick<BuilderDeps, "settings" | "outbound">;
  timeoutMs: number;
  signal: AbortSignal;
}

/** An error of the git program while reading the repository becomes a problem of the target. */
export async function openGitSource(target: GitTarget, options: GitSourceOptions): Promise<LocationSource> {
  try {
    if (target.ref !== null) checkRef(target.ref);
    return await (target.own === null
      ? openRemoteRepository(target, options)
      : openOwn(target, target.own, options));
  } catch (error) {
    throw aboutTarget(error);
  }
}

const aboutTarget = (error: unknown): unknown =>
  error instanceof Failure && error.code !== "BUILDER_INVALID_LOCATION"
    ? unreadable("/target", error.message)
    : error;

async function openOwn(target: GitTarget, name: string, options: GitSourceOptions): Promise<LocationSource> {
  const { deps, timeoutMs, signal } = options;
  const gitDir = ownRepositoryDir(deps.settings.dataDir, name);
  if (!(await stat(gitDir).catch(() => null))?.isDirectory()) {
    throw unreadable("/target", `There is no repository ${name} on this server.`);
  }
  const run = { gitDir, timeoutMs, signal };
  const commit = await findOwnCommit(target.ref, run);
  return sourceOf(target, { commit, open: async () => openGitObjects(commit, run), close: async () => {} });
}

/** Resolves the commit on the remote, and fetches it when the first file is requested. */
async function openRemoteRepository(target: GitTarget, options: GitSourceOptions): Promise<LocationSource> {
  const { deps, timeoutMs, signal } = options;
  const { settings } = deps;
  const remote = await openRemote(target.repository, { deps, namedBy: "locations" });
  const { commit, name } = await findRemoteCommit(target, remote, { timeoutMs, signal });
  const parent = join(settings.dataDir, "scratch");
  await mkdir(parent, { recursive: true });
  const gitDir = await mkdtemp(join(parent, "work-"));
  const open = async (): Promise<GitObjects> => {
    await fetchRevision(remote, { ref: name, gitDir, signal });
    return openGitObjects("FETCH_HEAD", { gitDir, timeoutMs, signal });
  };
  const close = (): Promise<void> => rm(gitDir, { recursive: true, force: true });
  return sourceOf(target, { commit, open, close });
}

/**
 * Returns the full ref name: git would resolve a short name by other rules at the fetch, tags before
 * branches.
 */
async function findRemoteCommit(
  { ref }: GitTarget,
  remote: Remote,
  options: GitOptions,
): Promise<{ commit: string; name: string }> {
  if (ref !== null && isHash(ref)) return { commit: ref.toLowerCase(), name: ref.toLowerCase() };
  const output = await remote.run((url) => ["ls-remote", "-q", "--", url, ...namesOf(ref)], options);
  const lines = output.toString("utf8").split("\n");
  for (const name of namesOf(ref)) {
    const line = lines.find((each) => each.endsWith(`\t${name}`));
    if (line !== undefined) return { commit: line.slice(0, line.indexOf("\t")), name };
  }
  throw noSuchRef(ref);
}

async function findOwnCommit(ref: string | null, run: GitOptions): Promise<string> {
  for (const name of ref !== null && isHash(ref) ? [ref] : namesOf(ref)) {
    const args = ["rev-parse", "--verify", "-q", "--end-of-options", `${name}^{commit}`];
    const { code, output } = await tryGit(args, run);
    if (code === 0) return output.toString("utf8").trim();
  }
  throw noSuchRef(ref);
}

const isHash = (text: string): boolean => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(text);

const namesOf = (ref: string | null): string[] =>
  ref === null || ref === "HEAD" ? ["HEAD"] : [`refs/heads/${ref}`, `refs/tags/${ref}`];

const noSuchRef = (ref: string | null) =>
  unreadable(
    "/target",
    ref === null ? "The repository has no commit yet." : `The repository has no branch or tag ${ref}.`,
  );

interface OpenRepository {
  commit: string;
  open: () => Promise<GitObjects>;
  close: () => Promise<void>;
}

function sourceOf(target: GitTarget, { commit, open, close }: OpenRepository): LocationSource {
  let opened: Promise<GitObjects> | null = null;
  const objects = (): Promise<GitObjects> =>
    (opened ??= open().catch((error: unknown) => {
      throw aboutTarget(error);
    }));
  const isDirectory = async (): Promise<boolean> => {
    const type = await (await objects()).typeOf(target.path);
    if (type === "none") throw unreadable("/target", `The repository has no ${target.path} there.`);
    return type === "folder";
  };
  return {
    version: commit,
    entry: target.path,
    isDirectory,
    read: async (path, maxBytes) => (await objects()).read(path, maxBytes),
    list: async () => (await objects()).list((await isDirectory()) ? target.path : folderOf(target.path)),
    refOf: (path) => locationRef({ type: "url", target: addressInRepository(target, path) }),
    async close() {
      await opened?.then(
        (repository) => repository.close(),
        () => {},
      );
      await close();
    },
  };
}
