/** Two PostgreSQLs: a primary, and a standby that has every commit before it is answered. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { connectTo, type Connection } from "../../src/platform/db/database.ts";
import { startEmbedded } from "../../src/platform/db/start/embedded.ts";
import { killMachine, stopServer, type OwnServer } from "../faults/database-faults.ts";
import { eventually } from "../support/eventually.ts";
import { copyServer } from "./copy-server.ts";

export interface Pair {
  home: string;
  /** Changes places with the other at each promotion. */
  primary: Node;
  standby: Node;
  /** Of the administrator of both. */
  user: string;
  password: string;
}

export interface Node extends OwnServer {
  name: string;
  port: number;
  isUp: boolean;
}

const host = "127.0.0.1";
const productRole = "product";
const dbname = "promotion";
/** The kernel keeps what a killed server has written; what is tried here is not the loss of power. */
const fixed = { fsync: "off", max_connections: "120", wal_receiver_status_interval: "1" };

export async function startPair(): Promise<Pair> {
  const home = await mkdtemp(join(tmpdir(), "plinth-promotion-"));
  const node = (name: string): Node => ({
    name,
    dataDir: join(home, name),
    settings: { ...fixed },
    port: 0,
    isUp: false,
  });
  const pair: Pair = { home, primary: node("a"), standby: node("b"), user: "", password: "" };
  try {
    const { user, password } = await startNode(pair.primary);
    Object.assign(pair, { user, password });
    await asAdministrator(pair, pair.primary, async (client) => {
      await client.query(`create role ${productRole} login password '${password}'`);
      await client.query(`create database ${dbname} owner ${productRole}`);
    });
    await follow(pair);
    return pair;
  } catch (error) {
    await closePair(pair);
    throw error;
  }
}

/** On the port that it had before. */
async function startNode(node: Node): Promise<{ user: string; password: string }> {
  const { port, user, password } = await startEmbedded(node);
  node.isUp = true;
  if (node.port > 0) return { user, password };
  node.port = port;
  node.settings["port"] = String(port);
  return { user, password };
}

/** To the database of the product, as its role, which has no privileges. */
export const connectionTo = ({ password }: Pair, { port }: Node): Connection => ({
  host,
  port,
  user: productRole,
  password,
  dbname,
  schema: "cgp",
});

export async function asAdministrator<T>(
  { user, password }: Pair,
  { port }: Node,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectTo({ host, port, user, password, dbname: "postgres", schema: "public" });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The standby takes the primary's place; whoever stops the primary does so before. */
export async function promote(pair: Pair): Promise<void> {
  const { primary, standby } = pair;
  await asAdministrator(pair, standby, (client) => client.query("select pg_promote(true, 30)"));
  Object.assign(pair, { primary: standby, standby: primary });
}

export async function stopPrimary({ primary }: Pair, how: "machine" | "orderly"): Promise<void> {
  await (how === "machine" ? killMachine(primary) : stopServer(primary, "SIGINT"));
  primary.isUp = false;
}

/** The server that was left behind is made anew, follows the primary, and has every commit from now on. */
export async function follow(pair: Pair): Promise<void> {
  const { primary, standby, user, password } = pair;
  const primaryConninfo = `host=${host} port=${primary.port} user=${user} password=${password}`;
  await asAdministrator(pair, primary, async (client) => {
    await copyServer({ client, from: primary.dataDir, to: standby.dataDir, primaryConninfo });
  });
  await startNode(standby);
  await asAdministrator(pair, primary, async (client) => {
    await client.query("alter system set synchronous_standby_names = '*'");
    await client.query("select pg_reload_conf()");
    await eventually("a standby that has every commit", async () => {
      const { rows } = await client.query("select from pg_stat_replication where sync_state = 'sync'");
      return rows.length === 1;
    });
  });
}

export async function closePair(pair: Pair): Promise<void> {
  for (const node of [pair.standby, pair.primary])
    if (node.isUp) await killMachine(node).catch(() => undefined);
  await rm(pair.home, { recursive: true, force: true });
}
