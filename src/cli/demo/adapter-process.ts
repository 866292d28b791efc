/** A tech adapter in a process of its own, as it would run anywhere else. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Failure } from "../../platform/errors/failure.ts";

export type AdapterName = "postgres" | "mock";

export interface AdapterProcess {
  name: AdapterName;
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface AdapterOptions {
  name: AdapterName;
  env: Record<string, string | undefined>;
  /** Receives its standard error. */
  logFile: string;
  signal: AbortSignal;
  /** Called as soon as the process runs, so that it can be ended at any moment. */
  onStart: (stop: () => Promise<void>, kill: () => void) => void;
}

const startTimeoutMs = 20_000;
const stopTimeoutMs = 3_000;

export async function startAdapter(options: AdapterOptions): Promise<AdapterProcess> {
  const { name, env, logFile, signal, onStart } = options;
  const main = fileURLToPath(new URL(`../../adapters/${name}/main.ts`, import.meta.url));
  const log = openSync(logFile, "a", 0o600);
  const child = spawn(process.execPath, [main, "--port", "0"], { env, stdio: ["ignore", "pipe", log] });
  closeSync(log);
  const stop = (): Promise<void> => stopProcess(child);
  onStart(stop, () => child.kill("SIGKILL"));
  const url = await listeningUrl(child, signal).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new Failure({
      kind: "unavailable",
      code: "CLI_DEMO",
      message: `The ${name} adapter did not start: ${cause instanceof Error ? cause.message : "no reason is known"}.`,
      problems: lastLines(logFile).map((message) => ({ where: "", message })),
      cause,
    });
  });
  return { name, url, pid: child.pid ?? 0, stop };
}

/** An adapter prints one JSON line as soon as it listens. */
async function listeningUrl(child: ChildProcess, interrupt: AbortSignal): Promise<string> {
  const signal = AbortSignal.any([interrupt, AbortSignal.timeout(startTimeoutMs)]);
  const lines = createInterface({ input: child.stdout! });
  const firstLine = once(lines, "line", { signal }).then(([line]) => String(line));
  const ended = once(child, "exit", { signal }).then(([code]) => {
    throw new Error(`it ended with the exit code ${String(code)}`);
  });
  // When one of the two has decided, a later rejection of the other must not end the process.
  ended.catch(() => undefined);
  const line = await Promise.race([firstLine, ended]);
  const answer = JSON.parse(line) as { listening?: unknown };
  if (typeof answer.listening !== "string") throw new Error("it did not say where it listens");
  return answer.listening;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await Promise.race([ended, wait(stopTimeoutMs, undefined, { ref: false })]);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await ended;
}

function lastLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").trim().split("\n").slice(-5);
  } catch {
    return [];
  }
}
