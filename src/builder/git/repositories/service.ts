/**
 * Serves the bare repositories of this server to `git clone` and `git fetch` by the stateless HTTP protocol.
 */
import { stat } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { errorCode } from "../../../platform/errors/error-code.ts";
import { noRepository, ownRepositoryDir } from "./own-repository.ts";
import { git, killTree, spawnGit } from "../run-git.ts";
import type { BuilderContext } from "../../context.ts";
import { builderFailure } from "../../errors.ts";

/** A request of a client contains names of commits, never content. */
const maxRequestBytes = 1024 * 1024;
const timeoutMs = 600_000;
/** Concurrent clones in this process. */
const maxParallel = 16;

/** The folder of a repository by the name in an address, `<name>.git`. Rejects with a 404. */
export async function openRepository({ builder }: BuilderContext, name: string): Promise<string> {
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

export interface UploadPack {
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
