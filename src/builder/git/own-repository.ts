/**
 * Creates a bare repository of this server atomically: it is built in a temporary folder and then renamed to
 * its place, which fails if something exists there. It contains the id of the instantiation that created it,
 * so that an attempt after a crash recognises its own work, and the repository of another task is never
 * changed.
 */
import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../platform/errors/error-code.ts";
import { builderFailure } from "../errors.ts";
import { git, tryGit, removeStale, killTree, spawnGit } from "./run-git.ts";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { BuilderContext } from "../context.ts";

export interface OwnRepository {
  dataDir: string;
  name: string;
  branch: string;
  /** Identifies the work of one step of one instantiation. */
  marker: string;
  description: string;
  parentRef: string | undefined;
  now: () => Date;
  signal: AbortSignal;
}

const stagingFolder = ".making";
/** Unfinished repositories of killed processes are removed after this time. */
const staleMs = 24 * 3_600_000;

/**
 * `fill` makes the commit in the folder that it is given. Returns the commit that is published in the end.
 */
export async function makeOwnRepository(
  repository: OwnRepository,
  fill: (gitDir: string) => Promise<string>,
): Promise<string> {
  const { dataDir, name, branch, marker, signal } = repository;
  if (!isRepositoryName(name)) {
    throw builderFailure("BUILDER_ACTION_INPUT", {
      message: `"${name.slice(0, 100)}" is no name of a repository: letters, digits, dots, hyphens and underscores, 100 at most.`,
    });
  }
  const place = join(repositoriesDir(dataDir), `${name}.git`);
  const parent = join(repositoriesDir(dataDir), stagingFolder);
  await mkdir(parent, { recursive: true });
  await removeStale(parent, repository.now().getTime() - staleMs);
  const gitDir = await mkdtemp(join(parent, "repository-"));
  try {
    const commit = await fill(gitDir);
    await describe(gitDir, repository);
    if (await moved(gitDir, place)) return commit;
    if ((await readMarker(place, signal)) !== marker) {
      throw builderFailure("BUILDER_REPOSITORY_EXISTS", {
        message: `There is a repository "${name}" already.`,
      });
    }
    // An earlier attempt of this step was published; its content may differ from this one.
    await git(["fetch", "-q", "--no-tags", "--", gitDir, `+refs/heads/${branch}:refs/heads/${branch}`], {
      gitDir: place,
      protocols: ["file"],
      signal,
    });
    return commit;
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

async function describe(
  gitDir: string,
  { marker, description, parentRef, signal }: OwnRepository,
): Promise<void> {
  const settings = {
    "plinth.madeby": marker,
    "plinth.description": description,
    "plinth.parent": parentRef ?? "",
  };
  for (const [key, value] of Object.entries(settings))
    if (value !== "") await git(["config", "--local", key, value], { gitDir, signal });
  for (const name of ["plinth-index", "hooks", "description"])
    await rm(join(gitDir, name), { recursive: true, force: true });
}

/** False when something exists at the target. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(errorCode(error))) return false;
    throw error;
  }
}

async function readMarker(gitDir: string, signal: AbortSignal): Promise<string | null> {
  const { code, output } = await tryGit(["config", "--local", "--get", "plinth.madeby"], { gitDir, signal });
  return code === 0 ? output.toString("utf8").replace(/\n$/, "") : null;
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

const isRepositoryName = (name: string): boolean =>
  namePattern.test(name) && !name.includes("..") && !/\.(?:git|lock)$/i.test(name);

export const repositoriesDir = (dataDir: string): string => join(dataDir, "repositories");

/** The folder of a repository, whether it exists or not. Throws 404 for an invalid name. */
export function ownRepositoryDir(dataDir: string, name: string): string {
  if (!isRepositoryName(name)) throw noRepository(name);
  return join(repositoriesDir(dataDir), `${name}.git`);
}

export const noRepository = (name: string) =>
  builderFailure("BUILDER_REPOSITORY_NOT_FOUND", {
    message: `There is no repository "${name.slice(0, 100)}".`,
  });

// Serves the repositories to `git clone` and `git fetch` by the stateless HTTP protocol.

/** A request of a client contains names of commits, never content. */
const maxRequestBytes = 1024 * 1024;
const timeoutMs = 600_000;
/** Concurrent clones in this process. */
const maxParallel = 16;

/** The folder of a repository by the name in an address, `<name>.git`. Rejects with a 404. */
async function openRepository({ builder }: BuilderContext, name: string): Promise<string> {
  const bare = /^(.+)\.git$/.exec(name)?.[1];
  if (bare === undefined) throw noRepository(name);
  const gitDir = ownRepositoryDir(builder.settings.dataDir, bare);
  const stats = await stat(gitDir).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw noRepository(name);
  return gitDir;
}

/** The branches of the repository, and the capabilities of the server. */
export async function advertise(
  ctx: BuilderContext,
  name: string,
  protocol: string | undefined,
): Promise<Buffer> {
  const gitDir = await openRepository(ctx, name);
  const refs = await git(["upload-pack", "--stateless-rpc", "--advertise-refs", gitDir], {
    signal: ctx.signal,
    env: versionOf(protocol),
  });
  const service = "# service=git-upload-pack\n";
  const length = (service.length + 4).toString(16).padStart(4, "0");
  return Buffer.concat([Buffer.from(`${length}${service}0000`), refs]);
}

interface UploadPack {
  output: Readable;
  /** Kills the process when the response is aborted. */
  stop: () => void;
}

const running = { count: 0 };

/**
 * Answers a request for objects with a stream. The whole request is read and checked before it is passed to
 * git.
 */
export async function uploadPack(
  ctx: BuilderContext,
  {
    name,
    protocol,
    body,
    isZipped,
  }: { name: string; protocol: string | undefined; body: Readable; isZipped: boolean },
): Promise<UploadPack> {
  const gitDir = await openRepository(ctx, name);
  const input = await readRequest(body, isZipped);
  if (running.count >= maxParallel) {
    throw builderFailure("BUILDER_BUSY", {
      message: `${maxParallel} clones are under way already.`,
      retryAfterSeconds: 2,
    });
  }
  running.count += 1;
  const child = spawnGit(["upload-pack", "--stateless-rpc", gitDir], { env: versionOf(protocol) });
  const stop = (): void => {
    if (child.exitCode === null && child.signalCode === null) killTree(child);
  };
  const timer = setTimeout(stop, timeoutMs);
  child.on("error", () => {});
  child.on("close", () => {
    running.count -= 1;
    clearTimeout(timer);
  });
  child.stdin.on("error", () => {});
  child.stderr.resume();
  child.stdin.end(input);
  return { output: child.stdout, stop };
}

/**
 * Resolves when everything is sent or the client has disconnected; a disconnect before the first byte emits
 * no later event.
 */
export const sendPack = ({ output, stop }: UploadPack, response: Writable): Promise<void> =>
  pipeline(output, response)
    .catch(() => {})
    .finally(() => {
      // The process counts as running until all its output is consumed.
      output.destroy();
      stop();
    });

async function readRequest(body: Readable, isZipped: boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collect = async (stream: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > maxRequestBytes) throw unreadable(`The request has more than ${maxRequestBytes} bytes.`);
      chunks.push(chunk);
    }
  };
  try {
    await (isZipped ? pipeline(body, createGunzip(), collect) : pipeline(body, collect));
  } catch (error) {
    if (errorCode(error).startsWith("Z_")) throw unreadable("The request is not valid gzip data.");
    throw error;
  }
  const input = Buffer.concat(chunks);
  // Each line of the protocol begins with its length; any other request is not from a git client.
  if (!/^[0-9a-f]{4}/.test(input.toString("latin1", 0, 4)))
    throw unreadable("The body is not a git request.");
  return input;
}

const unreadable = (message: string) => builderFailure("BUILDER_GIT_REQUEST", { message, where: "body" });

/** Clients request a protocol version in a header; only a valid version is passed to git. */
const versionOf = (protocol: string | undefined): Record<string, string> =>
  protocol !== undefined && /^version=[0-2]$/.test(protocol) ? { GIT_PROTOCOL: protocol } : {};
