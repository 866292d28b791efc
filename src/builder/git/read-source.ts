/** Reads the files at an address: a folder, a repository, a file or an archive. */
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../platform/errors/failure.ts";
import { yieldToEventLoop, readSmall } from "../../platform/lib/files/small-files.ts";
import { redactUrl } from "../../platform/outbound/redact.ts";
import type { BuilderDeps } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { hostKindOf, tokenForPage } from "./integrations.ts";
import { fetchRevision, readTree, checkRef } from "./read-repository.ts";
import { readHttp } from "./read-http.ts";
import { openRemote } from "./remote.ts";
import { ownRepositoryDir } from "./own-repository.ts";
import { withScratch } from "./run-git.ts";
import { resolveSource, type Source } from "./source-url.ts";
import { createTreeBuilder, isGitFolder, type Tree } from "./tree.ts";

export interface ReadSourceOptions {
  deps: Pick<BuilderDeps, "settings" | "outbound">;
  baseUrl: string;
  /** Sent instead of the configured token, which only repositories get. */
  token?: string | undefined;
  signal: AbortSignal;
  now: () => Date;
}

/**
 * The files of a folder, a repository or an unpacked archive; a single file comes under its own name. Rejects
 * with a Failure that names the address.
 */
export async function readSource(address: string, options: ReadSourceOptions): Promise<Tree> {
  const { deps, baseUrl } = options;
  const { settings } = deps;
  const found = resolveSource(address, {
    baseUrl,
    ownUrl: settings.baseUrl,
    hostKind: (host) => hostKindOf(settings.integrations, host),
  });
  if (!found.ok) throw builderFailure("BUILDER_ACTION_INPUT", { message: found.message });
  try {
    return await read(found.source, options);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "BUILDER_FETCH_FAILED") throw error;
    const message = `"${shownAddress(address)}" cannot be fetched: ${error.message}`;
    throw builderFailure("BUILDER_FETCH_FAILED", { message, cause: error });
  }
}

/** An address for messages, without its query, which may contain a key. */
export const shownAddress = (address: string): string =>
  (/^https?:/i.test(address) ? redactUrl(address) : address).slice(0, 200);

async function read(source: Source, options: ReadSourceOptions): Promise<Tree> {
  const { deps, token, signal, now } = options;
  const { settings, outbound } = deps;
  if (source.kind === "folder") return readFolder(source.root, source.path, signal);
  if (source.kind === "own") {
    const gitDir = ownRepositoryDir(settings.dataDir, source.name);
    if (source.ref !== null) checkRef(source.ref);
    return readTree({ gitDir, commit: source.ref ?? "HEAD" }, { path: source.path, signal });
  }
  if (source.kind === "http") {
    const choice = tokenForPage(settings.integrations, new URL(source.url), token);
    return readHttp(source.url, { outbound: outbound.templates, ...choice, signal });
  }
  const remote = await openRemote(source.remote, { deps, namedBy: "templates", token });
  return withScratch({ dataDir: settings.dataDir, now }, async (gitDir) => {
    const revision = await fetchRevision(remote, { ref: source.ref, gitDir, signal });
    return readTree(revision, { path: source.path, signal });
  });
}

/** Files on our own disk, below the template's folder; symbolic links must not lead out of it. */
async function readFolder(root: string, path: string, signal: AbortSignal): Promise<Tree> {
  const { tree, reserve } = createTreeBuilder();
  const start = join(root, path);
  const realRoot = realPathOf(root);
  const realStart = realPathOf(start);
  if (realRoot === null || realStart === null) throw missing("it is not there.");
  if (realStart !== realRoot && !realStart.startsWith(`${realRoot.replace(/\/$/, "")}/`))
    throw missing("a link leads out of the template's folder.");
  const add = async (at: string, name: string): Promise<void> => {
    await yieldToEventLoop();
    signal.throwIfAborted();
    const stats = lstatSync(at);
    if (stats.isFile()) {
      reserve(name, stats.size);
      const isExecutable = (stats.mode & 0o100) !== 0;
      tree.files.push({ path: name, content: await readSmall(at, stats.size), isExecutable });
    } else if (stats.isDirectory()) {
      if (name !== "") {
        reserve(name, 0);
        tree.folders.push(name);
      }
      for (const child of readdirSync(at).sort()) {
        const below = name === "" ? child : `${name}/${child}`;
        if (!isGitFolder(below)) await add(join(at, child), below);
      }
    } else tree.skipped.push(name);
  };
  const isFile = lstatSync(realStart).isFile();
  await add(realStart, isFile ? (path.split("/").at(-1) ?? "") : "");
  return tree;
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

const missing = (message: string) => builderFailure("BUILDER_FETCH_FAILED", { message });
