/**
 * Runs git as a child process with a deadline, limited output, and none of the machine's or user's
 * configuration. Hooks, helpers, prompts and all transports except the allowed ones are disabled, because the
 * repositories are untrusted.
 */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { devNull } from "node:os";
import type { Readable, Writable } from "node:stream";
import { builderFailure } from "../errors.ts";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../platform/lib/files/make-folder.ts";

export interface GitOptions {
  /** Folder of the repository. */
  gitDir?: string;
  cwd?: string;
  /** Git configuration of this call, passed by the environment, so that process lists do not show it. */
  config?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  input?: string | Buffer;
  /** Allowed transports; none by default. */
  protocols?: readonly ("http" | "https" | "file")[];
  timeoutMs?: number;
  /** Makes the error of a call that exceeds its time; default: the Failure BUILDER_GIT_FAILED. */
  onTimeout?: (why: string) => unknown;
  maxOutputBytes?: number;
  /** Largest file that it may write, which limits what a remote can send. */
  maxFileBytes?: number;
  signal?: AbortSignal;
}

export interface GitAnswer {
  code: number;
  output: Buffer;
  /** The last lines of its error output. */
  words: string;
}

const defaultTimeoutMs = 60_000;
const defaultOutputBytes = 16 * 1024 * 1024;
const maxWords = 8_192;

/** The output of a call that must succeed; a Failure BUILDER_GIT_FAILED otherwise. */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const { code, output, words } = await tryGit(args, options);
  if (code === 0) return output;
  throw gitFailure(args[0] ?? "", words);
}

export const gitFailure = (command: string, words: string, hint: string | null = null) =>
  builderFailure("BUILDER_GIT_FAILED", {
    message: `git ${command} failed: ${lastWords(words)}${hint === null ? "" : `. ${hint}`}`,
  });

/** Like `git`, but returns the exit code. Rejects when the process is stopped, or cannot be started. */
export function tryGit(args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  const { timeoutMs = defaultTimeoutMs, maxOutputBytes = defaultOutputBytes, signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<GitAnswer>();
  if (signal?.aborted === true) return Promise.reject(abortReason(signal));
  const child = spawnGit(args, options);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let words = "";
  let stopped: unknown;
  const stop = (reason: unknown): void => {
    stopped ??= reason;
    killTree(child);
  };
  const command = args.find((arg) => !arg.startsWith("-")) ?? "";
  const onTimeout = options.onTimeout ?? ((why: string) => gitFailure(command, why));
  const timer = setTimeout(() => stop(onTimeout(`no end within ${timeoutMs} ms`)), timeoutMs);
  const onAbort = (): void => stop(abortReason(signal));
  signal?.addEventListener("abort", onAbort, { once: true });
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxOutputBytes) stop(gitFailure(command, `more than ${maxOutputBytes} bytes of output`));
    else chunks.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString("utf8")).slice(-maxWords);
  });
  // A process that has exited does not read on; its exit code says how it ended.
  child.stdin.on("error", () => {});
  child.on("error", (error) => {
    stopped ??= builderFailure("BUILDER_GIT_FAILED", {
      message: "The git program cannot be started; it must be installed where the server runs.",
      cause: error,
    });
  });
  child.on("close", (code) => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    if (stopped === undefined) resolve({ code: code ?? 1, output: Buffer.concat(chunks), words });
    else reject(stopped);
  });
  child.stdin.end(options.input);
  return promise;
}

export type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts the process; the caller reads its output, limits its time and stops it with `killTree`. */
export function spawnGit(args: readonly string[], options: GitOptions): GitProcess {
  const command = [...(options.gitDir === undefined ? [] : [`--git-dir=${options.gitDir}`]), ...args];
  const spawnOptions = {
    cwd: options.cwd ?? options.gitDir ?? "/",
    env: environmentOf(options),
    // Its own process group, so that its transport processes end with it.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  } satisfies Parameters<typeof spawn>[2];
  const { maxFileBytes } = options;
  if (maxFileBytes === undefined) return spawn("git", command, spawnOptions);
  // The shell sets the limit, in blocks of 512 bytes; the arguments are not interpreted by the shell.
  const limited = ["-c", 'ulimit -f "$1" && shift && exec git "$@"', "git"];
  const blocks = String(Math.ceil(maxFileBytes / 512));
  return spawn("/bin/sh", [...limited, blocks, ...command], spawnOptions);
}

export function killTree(child: { pid?: number | undefined }): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}

const fixedConfig = {
  "core.hooksPath": devNull,
  "core.fsmonitor": "false",
  "core.autocrlf": "false",
  "core.symlinks": "true",
  "credential.helper": "",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "http.followRedirects": "false",
  "http.lowSpeedLimit": "1",
  "http.lowSpeedTime": "30",
  "fetch.unpackLimit": "1",
  "fetch.recurseSubmodules": "false",
  "advice.detachedHead": "false",
};

function environmentOf({ config, env, protocols = [] }: GitOptions): Record<string, string> {
  const settings = Object.entries({ ...fixedConfig, ...config });
  return {
    PATH: "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin",
    HOME: "/nonexistent",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "true",
    GIT_ALLOW_PROTOCOL: protocols.length === 0 ? "none" : protocols.join(":"),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...env,
  };
}

const abortReason = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new Error("stopped");

/** The last lines of output, without local paths and without the user names of URLs. */
function lastWords(words: string): string {
  const lines = words
    // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]+/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("hint:"));
  const text = lines.slice(-3).join(" ");
  const shown = text.replaceAll(/\/\/[^/@\s]*@/g, "//").replaceAll(/'\/[^']*'/g, "the repository");
  return shown === "" ? "it gave no reason" : shown.slice(0, 500);
}

/** Folders of killed processes are removed after this time. */
const staleMs = 24 * 3_600_000;

/** Runs the work with a new folder below the data directory, which is removed afterwards. */
export async function withScratch<T>(
  { dataDir, now }: { dataDir: string; now: () => Date },
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const parent = join(dataDir, "scratch");
  await makeFolder(parent);
  await removeStale(parent, now().getTime() - staleMs);
  const folder = await mkdtemp(join(parent, "work-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what is in the folder and was last changed before then. */
export async function removeStale(parent: string, before: number): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const age = await stat(path).catch(() => undefined);
    if (age !== undefined && age.mtimeMs < before) await rm(path, { recursive: true, force: true });
  }
}
