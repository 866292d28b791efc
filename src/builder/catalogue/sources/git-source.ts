/** Files of one commit of a repository: of another server, fetched for a while, or of our own, read where it lies. */
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import { openGitObjects, type GitObjects } from "./git-objects.ts";
import { unreadable } from "./refusal.ts";
import { GitFailure, runGit, type GitRun } from "./run-git.ts";
import type { LocationSource } from "./source.ts";
import { folderOf, locationRef } from "./target.ts";

export interface GitTarget {
  repository: string;
  ref: string | null;
  path: string;
}

export interface GitOptions {
  outbound: Outbound;
  /** Folder for repositories while they are read. */
  workFolder: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Everything that a fetched repository may bring: one commit, without its history. */
const maxFetchedBytes = 200 * 1024 * 1024;

/** A repository on this disk. */
export async function openOwnRepository(
  target: GitTarget,
  directory: string,
  options: GitOptions,
): Promise<LocationSource> {
  if (!(await stat(directory).catch(() => null))?.isDirectory()) throw unreadable("/target", noRepository);
  const run = { directory, timeoutMs: options.timeoutMs, signal: options.signal };
  const commit = await findOwnCommit(target.ref, run);
  return sourceOf(target, { commit, open: async () => openGitObjects(commit, run), close: async () => {} });
}

/** Asks the other server for the commit, and fetches it when the first file is wanted. */
export async function openRepository(target: GitTarget, options: GitOptions): Promise<LocationSource> {
  await mkdir(options.workFolder, { recursive: true });
  const directory = await mkdtemp(join(options.workFolder, "git-"));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const settings = await pinnedAddress(target.repository, options.outbound);
    const run: GitRun = { directory, timeoutMs: options.timeoutMs, signal: options.signal, settings };
    await runGit(["init", "--quiet", "--bare", directory], run);
    const { commit, name } = await findRemoteCommit(target, run);
    const open = async (): Promise<GitObjects> => {
      const args = [
        "fetch",
        "--quiet",
        "--depth=1",
        "--no-tags",
        "--no-recurse-submodules",
        "--no-write-fetch-head",
      ];
      await runGit([...args, target.repository, name], { ...run, maxDirectoryBytes: maxFetchedBytes });
      return openGitObjects(commit, run);
    };
    return await sourceOf(target, { commit, open: () => open().catch(explain), close: remove });
  } catch (error) {
    await remove();
    return explain(error);
  }
}

const noRepository = "There is no repository at this address.";

/** The program connects to the address that the policy has seen, whatever the name server says by then. */
async function pinnedAddress(repository: string, outbound: Outbound): Promise<string[]> {
  const [address = ""] = await outbound.resolve(repository).catch((error: unknown) => {
    throw error instanceof OutboundError ? unreadable("/target", error.message) : error;
  });
  const { hostname, port, protocol } = new URL(repository);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (host === address) return [];
  const number = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return [`http.curloptResolve=${host}:${number}:${address.includes(":") ? `[${address}]` : address}`];
}

async function findRemoteCommit(
  { repository, ref }: GitTarget,
  run: GitRun,
): Promise<{ commit: string; name: string }> {
  if (ref !== null && isHash(ref)) return { commit: ref.toLowerCase(), name: ref };
  const wanted = namesOf(ref);
  const output = await runGit(["ls-remote", "--quiet", repository, ...wanted], run);
  const found = new Map(
    output
      .toString("utf8")
      .split("\n")
      .map((line): [string, string] => [
        line.slice(line.indexOf("\t") + 1),
        line.slice(0, line.indexOf("\t")),
      ]),
  );
  const name = wanted.find((each) => found.has(each));
  if (name === undefined) throw noSuchRef(ref);
  // A tag with a message is an object of its own; behind it is the commit.
  const commit = found.get(`${name}^{}`) ?? found.get(name) ?? "";
  if (!isHash(commit)) throw noSuchRef(ref);
  return { commit, name };
}

async function findOwnCommit(ref: string | null, run: GitRun): Promise<string> {
  const names = ref !== null && isHash(ref) ? [ref] : namesOf(ref).filter((name) => !name.endsWith("^{}"));
  for (const name of names) {
    const output = await runGit(["rev-parse", "--verify", "--quiet", `${name}^{commit}`], run).catch(absent);
    const commit = output?.toString("utf8").trim() ?? "";
    if (isHash(commit)) return commit;
  }
  throw noSuchRef(ref);
}

const absent = (error: unknown): null => {
  if (error instanceof GitFailure) return null;
  throw error;
};

const isHash = (text: string): boolean => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(text);

const namesOf = (ref: string | null): string[] =>
  ref === null ? ["HEAD"] : [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`];

const noSuchRef = (ref: string | null) =>
  unreadable(
    "/target",
    ref === null ? "The repository has no commit yet." : `The repository has no branch or tag ${ref}.`,
  );

/** What the program says may hold addresses and paths of ours; only its meaning goes on. */
function explain(error: unknown): never {
  if (!(error instanceof GitFailure)) throw error;
  const said = error.message;
  if (/not found|does not exist|returned error: (?:404|410)/i.test(said))
    throw unreadable("/target", noRepository);
  if (
    /Authentication failed|could not read Username|terminal prompts disabled|returned error: 40[13]/i.test(
      said,
    )
  ) {
    throw unreadable("/target", "The repository asks for credentials; only public repositories can be read.");
  }
  if (/unable to access|Could not resolve|redirect/i.test(said)) {
    throw unreadable("/target", "The server of the repository could not be reached.");
  }
  throw unreadable("/target", "The repository could not be read.");
}

interface OpenRepository {
  commit: string;
  open: () => Promise<GitObjects>;
  close: () => Promise<void>;
}

async function sourceOf(target: GitTarget, { commit, open, close }: OpenRepository): Promise<LocationSource> {
  let opened: Promise<GitObjects> | null = null;
  const objects = (): Promise<GitObjects> => (opened ??= open());
  const fragment = target.ref ?? "";
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
    refOf: (path) => locationRef({ type: "git", target: `${target.repository}#${fragment}:${path}` }),
    close: async () => {
      await opened?.then(
        (repository) => repository.close(),
        () => {},
      );
      await close();
    },
  };
}
