/**
 * Starts a module process for one piece of work and exchanges messages with it. It inherits no environment
 * and no open files; its memory, time and output are limited. When the work is cancelled, it is killed
 * together with every process it started.
 */
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { builderFailure } from "../../errors.ts";
import { killTree } from "../../git/run-git.ts";
import type { FromModule, ToModule } from "./messages.ts";

export interface ModuleWork {
  first: ToModule;
  /** Folders that a confined process may write to. */
  writable: readonly string[];
  temporary: string;
  isConfined: boolean;
  maxMemoryMb: number;
  timeoutMs: number;
  signal: AbortSignal;
  /** True for the message that ends the work. */
  onMessage: (message: FromModule, send: (message: ToModule) => void) => boolean;
  /** A line that it wrote to its standard output or error. */
  onLine: (line: string) => void;
}

/** How long a module may take to stop after a cancel message. */
const cancelGraceMs = 2_000;
const maxLines = 2_000;
const maxLineLength = 2_000;

/**
 * Settles when the process has exited. Rejects with a Failure when it exited without a final message, or was
 * stopped.
 */
export function runModuleProcess(work: ModuleWork): Promise<void> {
  const { signal, timeoutMs } = work;
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = start(work);
  let hasEnded = false;
  let refusal: unknown;
  const stop = (reason: unknown): void => {
    refusal ??= reason;
    killTree(child);
  };
  const send = (message: ToModule): void => {
    if (child.connected) child.send(message, () => {});
  };
  const timer = setTimeout(() => stop(failure(`it took longer than ${timeoutMs} ms`)), timeoutMs);
  let grace: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    refusal ??= signal.reason;
    send({ kind: "cancel", reason: "cancelled" });
    grace = setTimeout(() => stop(signal.reason), cancelGraceMs);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  child.on("message", (message: FromModule) => {
    try {
      // A module can write to the channel itself: an unknown message throws here and ends the process.
      hasEnded = work.onMessage(message, send) || hasEnded;
    } catch (error) {
      stop(error);
    }
  });
  child.on("error", (error) =>
    stop(
      builderFailure("BUILDER_ACTION_FAILED", {
        message: "The process of the module cannot be started.",
        cause: error,
      }),
    ),
  );
  child.on("close", (code, killedBy) => {
    clearTimeout(timer);
    clearTimeout(grace);
    signal.removeEventListener("abort", onAbort);
    // Kill every process that it started too.
    killTree(child);
    if (refusal !== undefined) reject(refusal);
    else if (hasEnded) resolve();
    else
      reject(
        failure(
          killedBy === "SIGABRT" ? "it ran out of memory" : `its process ended with ${killedBy ?? code}`,
        ),
      );
  });
  send(work.first);
  return promise;
}

export const failure = (why: string) =>
  builderFailure("BUILDER_ACTION_FAILED", { message: `The module's action failed: ${why}.` });

function start({ writable, temporary, isConfined, maxMemoryMb, onLine }: ModuleWork): ChildProcess {
  const child = fork(fileURLToPath(new URL("./module-process.ts", import.meta.url)), [], {
    cwd: temporary,
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: temporary,
      TMPDIR: temporary,
      NODE_ENV: "production",
      LANG: "C.UTF-8",
    },
    execArgv: [
      `--max-old-space-size=${maxMemoryMb}`,
      "--disable-warning=ExperimentalWarning",
      "--disable-warning=SecurityWarning",
      ...(isConfined
        ? [
            "--permission",
            "--allow-worker",
            "--allow-fs-read=*",
            ...writable.map((path) => `--allow-fs-write=${path}`),
          ]
        : []),
    ],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Its own process group, so that processes it starts can be killed with it.
    detached: true,
  });
  let lines = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8");
    stream?.on("data", (text: string) => {
      for (const line of text.split("\n")) {
        if (line.trim() === "" || lines++ >= maxLines) continue;
        onLine(line.slice(0, maxLineLength));
      }
    });
  }
  return child;
}
