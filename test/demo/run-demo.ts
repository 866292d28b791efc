/** The demo as somebody runs it after cloning: a process of its own, real adapters, a real PostgreSQL. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect } from "vitest";

const root = join(import.meta.dirname, "../..");
export const isLinux = process.platform === "linux";

/** The demo makes its directory in here, so that whatever is left behind can be told from others' processes. */
let home = "";

/** Gives each test of the file a directory of its own. */
export function useHome(): () => string {
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "plinth-e2e-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  return () => home;
}

export function startDemo(program: string, ...args: string[]) {
  const child = spawn(process.execPath, [resolve(root, program), "demo", ...args], {
    cwd: home,
    env: { ...process.env, TMPDIR: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += String(chunk)));
  child.stderr.on("data", (chunk: Buffer) => (err += String(chunk)));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, out, err }));
  const said = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(out)) {
      if (child.exitCode !== null)
        throw new Error(`It ended without saying ${String(pattern)}:\n${out}\n${err}`);
      await wait(20);
    }
  };
  return { child, ended, said };
}

/** Processes whose command line or environment names the directory: its PostgreSQL and both adapters. */
export function processesIn(directory: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const [command, environment] = ["cmdline", "environ"].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, "utf8"),
      );
      return `${command}${environment}`.includes(directory)
        ? [`${pid} ${command!.replaceAll("\0", " ")}`]
        : [];
    } catch {
      return [];
    }
  });
}

export async function expectNothingLeft(): Promise<void> {
  expect(readdirSync(home)).toEqual([]);
  // PostgreSQL removes its lock file, which says that it has stopped, some moments before its process is gone.
  if (isLinux) await expect.poll(() => processesIn(home)).toEqual([]);
}
