/**
 * A lock between the processes of one user: a file that exists for as long as one of them works. A file that a killed process has left
 * behind is broken: at once where that process was on this machine, and otherwise when it is older than any work takes.
 */
import { mkdirSync, openSync, closeSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { errorCode } from "../../platform/errors/error-code.ts";
import { newId } from "../../platform/lib/ids.ts";
import { inputFailure } from "../exit-codes.ts";

type Release = () => void;

const limits = {
  /** Work under the lock has ended by then: every call has a limit of its own. */
  workMs: 300_000,
  waitMs: 60_000,
  /** Of changes that wait for nothing. */
  shortWaitMs: 5_000,
  pauseMs: 25,
} as const;

/** Waits until no other process is at this work. */
export async function withLock<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + limits.waitMs;
  let release = tryLock(path);
  while (release === null) {
    if (performance.now() > until) throw stuck(path);
    await wait(limits.pauseMs, undefined, { signal });
    release = tryLock(path);
  }
  try {
    return await work();
  } finally {
    release();
  }
}

/** Blocks the process for the moment that others take. */
export function lockNow(path: string): Release {
  const until = performance.now() + limits.shortWaitMs;
  for (;;) {
    const release = tryLock(path);
    if (release !== null) return release;
    if (performance.now() > until) throw stuck(path);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limits.pauseMs);
  }
}

const stuck = (path: string) =>
  inputFailure("Another command is at work on the contexts for too long.", {
    where: path,
    solutions: ["Try again; if no other command runs, remove the file."],
  });

function tryLock(path: string): Release | null {
  const own = JSON.stringify({ pid: process.pid, host: hostname(), id: newId() });
  if (create(path, own)) return () => removeOwn(path, own);
  const found = read(path);
  if (found !== null && isLeft(path, found)) breakLock(path, found);
  return null;
}

/** False where it is there already. */
function create(path: string, content: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, "wx", 0o600);
    writeSync(file, content);
    closeSync(file);
    return true;
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    throw inputFailure(`The file of contexts cannot be written (${errorCode(cause)}).`, {
      where: path,
      cause,
    });
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function removeOwn(path: string, own: string): void {
  if (read(path) === own) rmSync(path, { force: true });
}

function isLeft(path: string, content: string): boolean {
  try {
    if (Date.now() - statSync(path).mtimeMs > limits.workMs) return true;
    const { pid, host }: { pid?: unknown; host?: unknown } = JSON.parse(content);
    return host === hostname() && typeof pid === "number" && !isRunning(pid);
  } catch {
    // Gone meanwhile, or not yet written.
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

/** Only one process breaks it, and only the file that it has looked at. */
function breakLock(path: string, found: string): void {
  const breaking = `${path}.breaking`;
  try {
    closeSync(openSync(breaking, "wx", 0o600));
  } catch {
    // Another one does, or was killed in the middle of it.
    if (isOld(breaking)) rmSync(breaking, { force: true });
    return;
  }
  try {
    if (read(path) === found) rmSync(path, { force: true });
  } finally {
    rmSync(breaking, { force: true });
  }
}

function isOld(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > limits.workMs;
  } catch {
    return false;
  }
}
