/** Serves the bare repositories of this server to `git clone` and `git fetch`, by the protocol's stateless form. */
import { stat } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { noRepository, ownRepositoryDir } from "../git/own-repositories.ts";
import { git, killTree, spawnGit } from "../git/run-git.ts";
import type { BuilderContext } from "../context.ts";
import { builderFailure } from "../errors.ts";

/** What a client may ask in one request: names of commits, never content. */
const maxRequestBytes = 1024 * 1024;
const timeoutMs = 600_000;
/** Clones that this process serves at a time. */
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

/** The branches that there are, and what the server can do. */
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
  /** Ends the program when the answer is cut off. */
  stop: () => void;
}

const running = { count: 0 };

/** Answers a request for objects with a stream. The request is read whole, within its limit, before git sees it. */
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

/** Until all is sent, or the client has gone; where it went before there was anything to send, nothing tells so later. */
export const sendPack = ({ output, stop }: UploadPack, response: Writable): Promise<void> =>
  pipeline(output, response)
    .catch(() => {})
    .finally(() => {
      // The program counts as running until nothing of its output is left.
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
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
      throw unreadable("The request is not valid gzip data.");
    throw error;
  }
  const input = Buffer.concat(chunks);
  // The protocol's lines begin with their length; what begins otherwise is no request of a git program.
  if (!/^[0-9a-f]{4}/.test(input.toString("latin1", 0, 4)))
    throw unreadable("The body is no request of git.");
  return input;
}

const unreadable = (message: string) =>
  builderFailure("BUILDER_GIT_REQUEST", { message, problems: [{ where: "body", message }] });

/** Clients ask for a version of the protocol in a header; only what is one goes on to git. */
const versionOf = (protocol: string | undefined): Record<string, string> =>
  protocol !== undefined && /^version=[0-2]$/.test(protocol) ? { GIT_PROTOCOL: protocol } : {};
