/**
 * The PostgreSQL of one run. The product reaches it as a user without privileges, so that limits of connections hold for it,
 * and its tables are on a file system of their own where the machine allows it, so that a disk can be full.
 */
import { spawnSync } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, rm, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { connectTo, openDatabase, type Connection } from "../../../src/platform/db/database.ts";
import { startEmbedded } from "../../../src/platform/db/start/embedded.ts";
import { migrate } from "../../../src/platform/db/migrations/migrate.ts";
import { silentLogger } from "../../../src/platform/lib/logger.ts";
import type { OwnServer } from "../database-faults.ts";

export interface OwnCluster {
  server: OwnServer;
  /** Connection for the product, without the fault proxy between. */
  connection: Connection;
  /** Work of the administrator, on a connection of its own. */
  asAdministrator<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** The tables' file system; null where this user may not mount one. */
  disk: Disk | null;
  close(): Promise<void>;
}

export interface Disk {
  /** From now on no table can grow. */
  fill(): Promise<void>;
  free(): Promise<void>;
}

export const productUser = "product";
const databaseName = "faults";

export async function startCluster(): Promise<OwnCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), "plinth-faults-db-"));
  // A server that does not run as this user looks for the tables by their whole path.
  await chmod(dataDir, 0o755);
  // The kernel keeps what a killed server has written; what is tried here is not the loss of power.
  const fixed = { fsync: "off", full_page_writes: "off", max_connections: "100" };
  const started = await startEmbedded({ dataDir, settings: fixed });
  const { host, port } = started;
  const administrator = { ...started, dbname: "postgres", schema: "public" };
  const asAdministrator: OwnCluster["asAdministrator"] = async (work) => {
    const client = await connectTo(administrator, { applicationName: "administrator" });
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const diskPath = join(dataDir, "disk");
  const isMounted = await mountDisk(diskPath, join(dataDir, "postgres"));
  const close = async (): Promise<void> => {
    await started.stop();
    if (isMounted) spawnSync("umount", ["--lazy", diskPath]);
    await rm(dataDir, { recursive: true, force: true });
  };
  const connection: Connection = {
    host,
    port,
    user: productUser,
    password: started.password,
    dbname: databaseName,
    schema: "cgp",
  };
  try {
    await asAdministrator(async (client) => {
      const onDisk = isMounted ? "tablespace disk" : "";
      if (isMounted) await client.query(`create tablespace disk location '${join(diskPath, "tables")}'`);
      await client.query(`create role ${productUser} login password '${started.password}'`);
      await client.query(`create database ${databaseName} owner ${productUser} ${onDisk}`);
    });
    await migrateAll(connection);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    server: { dataDir, settings: { ...fixed, port: String(port) } },
    connection,
    asAdministrator,
    disk: isMounted ? diskAt(diskPath) : null,
    close,
  };
}

async function migrateAll(connection: Connection): Promise<void> {
  const database = openDatabase({ connection, log: silentLogger, poolSize: 2 });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}

const diskBytes = 4 * 2 ** 30;

/** A small file system in memory, owned by whoever owns the cluster. */
async function mountDisk(path: string, clusterPath: string): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  await mkdir(path);
  const done = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${diskBytes}`, "tmpfs", path]);
  if (done.status !== 0) return false;
  const tables = join(path, "tables");
  await mkdir(tables);
  const { uid, gid } = await stat(clusterPath);
  await chown(tables, uid, gid);
  await chmod(tables, 0o700);
  return true;
}

/** The file system is made as small as what is on it. */
function diskAt(path: string): Disk {
  /** Null when it was done, else why not. */
  const resize = (bytes: number): string | null => {
    const done = spawnSync("mount", ["-o", `remount,size=${bytes}`, path], { encoding: "utf8" });
    return done.status === 0 ? null : done.stderr;
  };
  return {
    async fill() {
      // What is written between the two calls makes the size too small, and the kernel refuses it.
      for (let tries = 1; ; tries++) {
        const { blocks, bfree, bsize } = await statfs(path);
        const fault = resize((blocks - bfree + 4 * tries) * bsize);
        if (fault === null) return;
        if (tries === 20) throw new Error(`The disk could not be resized: ${fault}`);
      }
    },
    async free() {
      const fault = resize(diskBytes);
      if (fault !== null) throw new Error(`The disk could not be resized: ${fault}`);
    },
  };
}
