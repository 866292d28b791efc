/** Runs the `git` program as a stranger's data deserves: no configuration, no hooks, few protocols, all with an end. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { unreadable } from "./refusal.ts";

export interface GitRun {
  /** A repository's folder, which is also the home of the program. */
  directory: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** More configuration: `http.curloptResolve=…`. */
  settings?: readonly string[];
  maxOutputBytes?: number;
  /** The folder may grow up to here while the program runs. */
  maxDirectoryBytes?: number;
}

const safeSettings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "credential.helper=",
  "fetch.fsckObjects=true",
  "gc.auto=0",
  "http.followRedirects=false",
  "protocol.allow=never",
  "protocol.http.allow=always",
  "protocol.https.allow=always",
  "safe.directory=*",
  "submodule.recurse=false",
];

/** Starts the program in a process group of its own, so that what it starts ends with it. */
export function spawnGit(args: readonly string[], run: GitRun): ChildProcessWithoutNullStreams {
  const settings = [...safeSettings, ...(run.settings ?? [])].flatMap((setting) => ["-c", setting]);
  return spawn("git", [...settings, "--git-dir", run.directory, ...args], {
    cwd: run.directory,
    detached: true,
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: run.directory,
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
      GIT_ASKPASS: "/bin/false",
      GIT_ALLOW_PROTOCOL: "http:https",
      GIT_NO_LAZY_FETCH: "1",
      GIT_OPTIONAL_LOCKS: "0",
    },
  });
}

export const stopGit = ({ pid }: { pid?: number | undefined }): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
};

export class GitFailure extends Error {}

const usualOutputBytes = 8 * 1024 * 1024;
const watchEveryMs = 250;

/** Its output. Throws a Failure when there is no such program or a limit is met, a GitFailure when it says no. */
export async function runGit(args: readonly string[], run: GitRun): Promise<Buffer> {
  run.signal.throwIfAborted();
  const child = spawnGit(args, run);
  const { maxOutputBytes = usualOutputBytes } = run;
  const output: Buffer[] = [];
  let size = 0;
  let said = "";
  let stopped: string | null = null;
  const stop = (why: string): void => {
    stopped ??= why;
    stopGit(child);
  };
  const onAbort = (): void => stop("The reading was given up.");
  const timer = setTimeout(
    () => stop(`The repository was not read within ${run.timeoutMs} ms.`),
    run.timeoutMs,
  );
  const watch = watchSize(run, stop);
  run.signal.addEventListener("abort", onAbort, { once: true });
  child.stdin.on("error", () => {});
  child.stdin.end();
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxOutputBytes) stop("The repository has more files than can be listed.");
    else output.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (said.length < 4_000) said += chunk.toString("utf8");
  });
  try {
    const code = await ended(child);
    if (stopped !== null) throw unreadable("/target", stopped);
    if (code !== 0) throw new GitFailure(said.slice(0, 4_000));
    return Buffer.concat(output);
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    run.signal.removeEventListener("abort", onAbort);
  }
}

export const ended = (child: ChildProcessWithoutNullStreams): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ENOENT" ? noProgram() : error),
    );
    child.once("close", (code) => resolve(code));
  });

const noProgram = () =>
  unreadable(
    "/target",
    "The git program is not installed where this server runs, so git locations cannot be read.",
    "Install git on the machine, or use a file or url location.",
  );

function watchSize(run: GitRun, stop: (why: string) => void): NodeJS.Timeout | undefined {
  const { maxDirectoryBytes } = run;
  if (maxDirectoryBytes === undefined) return undefined;
  const look = async (): Promise<void> => {
    const size = await directorySize(run.directory);
    if (size > maxDirectoryBytes) stop(`The repository is larger than ${maxDirectoryBytes} bytes.`);
  };
  return setInterval(() => void look().catch(() => {}), watchEveryMs);
}

async function directorySize(directory: string): Promise<number> {
  let size = 0;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    size += found?.size ?? 0;
  }
  return size;
}
