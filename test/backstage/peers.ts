/** Starts Backstage's scaffolder backend in a process of its own, over a database of its own in a PostgreSQL that runs. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connectTo, type Connection } from "../../src/platform/db/database.ts";
import { freePort } from "../support/http-peer.ts";

export const releases = ["current", "nunjucks"] as const;

/** `current` is the newest release; `nunjucks` the last one that renders with that engine itself. */
export type Release = (typeof releases)[number];

export interface Peer {
  url: string;
  pid: number;
  database: Connection;
  close(): Promise<void>;
}

export interface PeerOptions {
  release: Release;
  /** A PostgreSQL; the database itself is made. */
  connection: Connection;
  /** What its catalogue knows. */
  entities: object[];
  /** Tasks at a time. */
  parallel?: number;
}

const folderOf = (release: Release): string => join(import.meta.dirname, release);

/** Where the installed client of the scaffolder's interface lies. */
export const clientPath = join(
  folderOf("current"),
  "node_modules/@backstage/plugin-scaffolder-common/dist/index.cjs.js",
);

/** And that of the catalogue's. */
export const catalogClientPath = join(
  folderOf("current"),
  "node_modules/@backstage/catalog-client/dist/index.cjs.js",
);

export async function startPeer(options: PeerOptions): Promise<Peer> {
  const { release, connection, entities, parallel = 10 } = options;
  const folder = folderOf(release);
  if (!existsSync(join(folder, "node_modules")))
    throw new Error(`Install it first: npm ci --prefix test/backstage/${release}`);
  const database = { ...connection, dbname: `backstage_${release}` };
  await makeDatabase(connection, database.dbname);
  const port = await freePort();
  const { host, user, password } = connection;
  const given = {
    port,
    database: { host, port: connection.port, user, password, database: database.dbname },
    entities,
    parallel,
  };
  const program = join(import.meta.dirname, "backend.mjs");
  const child = fork(program, [folder, JSON.stringify(given)], { execArgv: ["--no-node-snapshot"] });
  await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error("The backend ended before it was up."))),
  ]);
  return {
    url: `http://127.0.0.1:${port}/api/scaffolder`,
    pid: child.pid ?? 0,
    database,
    close: () => endOf(child),
  };
}

async function makeDatabase(connection: Connection, name: string): Promise<void> {
  const client = await connectTo({ ...connection, dbname: "postgres" });
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.disconnect();
  await gone;
}
