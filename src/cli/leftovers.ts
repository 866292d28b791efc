/** Kills what an orderly stop had no time to end. Everything here is synchronous. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorCode } from "../platform/errors/error-code.ts";

/**
 * Sends SIGQUIT to every descendant process, such as programs that are creating or starting a database, of
 * which no handle exists. PostgreSQL takes SIGQUIT as an immediate shutdown and recovers at its next start.
 */
export function killDescendants(): void {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8", timeout: 2_000 });
  for (const pid of descendantsOf(process.pid, stdout ?? "")) signal(pid, "SIGQUIT");
}

/** From lines of `pid ppid`; children before their parents, so that none is left without one. */
export function descendantsOf(root: number, table: string): number[] {
  const children = new Map<number, number[]>();
  for (const line of table.split("\n")) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    if (pid && parent) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  const open = [...(children.get(root) ?? [])];
  for (let pid = open.shift(); pid !== undefined; pid = open.shift()) {
    found.push(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return found.toReversed();
}

/**
 * Removes this process from the users of the data directory and sends SIGQUIT to its embedded PostgreSQL,
 * unless another process uses it too. A started server is not a descendant of this process.
 */
export function killPostgres(dataDir: string): void {
  const root = resolve(dataDir);
  try {
    rmSync(join(root, "postgres.users", String(process.pid)), { force: true });
    const users = readdirSync(join(root, "postgres.users")).map(Number);
    if (users.some((pid) => pid !== process.pid && signal(pid, 0))) return;
    const [pid] = readFileSync(join(root, "postgres", "postmaster.pid"), "utf8")
      .split("\n")
      .map(Number);
    if (pid !== undefined && pid > 1) signal(pid, "SIGQUIT");
  } catch {
    // No directory or no file: there is no server.
  }
}

/** Whether the process existed. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
