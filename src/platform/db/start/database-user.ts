/**
 * PostgreSQL refuses to run as root. When we are root (a container, a CI machine) its commands run as
 * `postgres` or `nobody`. That user may not be able to walk down to our files (a clone below /root). Then
 * it gets the one capability to pass directories, for the data; and since PostgreSQL asks access(2),
 * which ignores that capability, the programs are copied to a place that only root can write.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../errors/failure.ts";

export interface DatabaseUser {
  /** Null when we are not root: then we run it as ourselves. */
  uid: number | null;
  gid: number;
  /** True when the user needs to pass directories that are closed to it. */
  passDirectories: boolean;
}

export interface Finished {
  code: number;
  output: string;
}

const programHome = "/var/lib/plinth";

export async function pickDatabaseUser(dataDir: string): Promise<DatabaseUser> {
  if (process.getuid?.() !== 0) return { uid: null, gid: 0, passDirectories: false };
  const entries = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  const entry = ["postgres", "nobody"].map((name) => entries.find((e) => e[0] === name)).find(Boolean);
  if (!entry) throw noUser("there is neither a user postgres nor a user nobody");
  const user = { uid: Number(entry[2]), gid: Number(entry[3]), passDirectories: false };
  if (canReach(user, dataDir)) return user;
  const withPass = { ...user, passDirectories: true };
  if (canReach(withPass, dataDir)) return withPass;
  throw noUser(`the user ${entry[0]} can't reach ${dataDir}`);
}

/** Where the user can run the programs of `nativeDir` from: there, or a copy made once per version. */
export async function reachablePrograms(
  user: DatabaseUser,
  nativeDir: string,
  version: string,
): Promise<string> {
  if (user.uid === null || canReach({ ...user, passDirectories: false }, join(nativeDir, "bin")))
    return nativeDir;
  const home = join(programHome, `postgres-${version}`);
  if (existsSync(home)) return home;
  const fresh = `${home}.${process.pid}`;
  await mkdir(programHome, { recursive: true, mode: 0o755 });
  await cp(nativeDir, fresh, { recursive: true, verbatimSymlinks: true });
  // Of two that copy at the same time one wins; the other's copy is the same and goes away.
  await rename(fresh, home).catch(() => rm(fresh, { recursive: true, force: true }));
  return home;
}

function canReach(user: DatabaseUser, path: string): boolean {
  const [command, args] = commandLine(user, "ls", ["-d", `${path}/.`]);
  const credentials = user.passDirectories ? {} : { uid: user.uid ?? 0, gid: user.gid };
  return spawnSync(command, args, { ...credentials, cwd: "/", stdio: "ignore" }).status === 0;
}

/**
 * Runs a command to its end and returns its exit code with both outputs. Never throws for a bad exit. The signal ends the
 * command, which clears away what it has begun.
 */
export function runAsDatabaseUser(
  user: DatabaseUser,
  command: string,
  args: string[],
  signal?: AbortSignal,
): Promise<Finished> {
  const [file, line] = commandLine(user, command, args);
  const credentials = user.uid === null || user.passDirectories ? {} : { uid: user.uid, gid: user.gid };
  return new Promise((done) => {
    // The server inherits no pipe of ours (pg_ctl writes its log to a file), so 'close' comes at once.
    const child = spawn(file, line, { ...credentials, cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString("utf8")).slice(-8192);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const end = (): void => void child.kill("SIGTERM");
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
    child.on("exit", () => signal?.removeEventListener("abort", end));
    child.on("error", (error) => done({ code: 127, output: error.message }));
    child.on("exit", (code) => setTimeout(() => done({ code: code ?? 1, output }), 5));
  });
}

function commandLine(user: DatabaseUser, command: string, args: string[]): [string, string[]] {
  if (!user.passDirectories) return [command, args];
  const capabilities = "+dac_override,+dac_read_search";
  return [
    "setpriv",
    [
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      "--clear-groups",
      `--inh-caps=${capabilities}`,
      `--ambient-caps=${capabilities}`,
      command,
      ...args,
    ],
  ];
}

function noUser(why: string): Failure {
  return new Failure({
    kind: "unavailable",
    code: "PLATFORM_EMBEDDED_DATABASE",
    message: `The embedded PostgreSQL can't run as root, and ${why}.`,
    solutions: ["Run as another user, or point PLATFORM_DB_HOST at a PostgreSQL 15 or newer."],
  });
}
