/** What can befall the database server while it is up: each as an administrator, an operator or a failover brings it about. */
import { chown, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { freeze, kill, restart, startServer, stopServer, type Fault } from "../database-faults.ts";
import { between, type Random } from "../../crash/random.ts";
import { productUser, type OwnCluster } from "./own-cluster.ts";

export function serverFaults(cluster: OwnCluster, random: Random): Fault[] {
  return [
    readOnly(cluster),
    readOnlyForNewSessions(cluster),
    terminated(cluster),
    limited(cluster, random),
    closed(cluster),
    full(cluster),
    standby(cluster),
    locked(cluster),
    freeze(cluster.server),
    restart(cluster.server),
    kill(cluster.server),
  ];
}

const statement = (cluster: OwnCluster, text: string): Promise<unknown> =>
  cluster.asAdministrator((client) => client.query(text));

const terminateAll = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${productUser}'`;

/** For all sessions at once, those that are open too. */
const readOnly = (cluster: OwnCluster): Fault => ({
  name: "read-only",
  begin: () => setting(cluster, "set default_transaction_read_only = on"),
  end: () => setting(cluster, "reset default_transaction_read_only"),
});

/** As after a failover by hand: the sessions are lost as well. */
const readOnlyForNewSessions = (cluster: OwnCluster): Fault => ({
  name: "read-only anew",
  async begin() {
    await setting(cluster, "set default_transaction_read_only = on");
    await statement(cluster, terminateAll);
  },
  end: () => setting(cluster, "reset default_transaction_read_only"),
});

async function setting(cluster: OwnCluster, change: string): Promise<void> {
  await cluster.asAdministrator(async (client) => {
    await client.query(`alter system ${change}`);
    await client.query("select pg_reload_conf()");
  });
}

/** Every session of the product, again and again until it is over. */
function terminated(cluster: OwnCluster): Fault {
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> | null = null;
  return {
    name: "terminated",
    async begin() {
      await statement(cluster, terminateAll);
      timer = setInterval(() => {
        // One that does not succeed is followed by the next.
        last = statement(cluster, terminateAll).catch(() => undefined);
      }, 700);
    },
    async end() {
      clearInterval(timer);
      await last;
    },
  };
}

/** A limit of the role that is below what a process wants. */
const limited = (cluster: OwnCluster, random: Random): Fault => ({
  name: "out of connections",
  async begin() {
    await statement(
      cluster,
      `alter role ${productUser} connection limit ${Math.floor(between(random, 0, 10))}`,
    );
    await statement(cluster, terminateAll);
  },
  end: async () => void (await statement(cluster, `alter role ${productUser} connection limit -1`)),
});

const closed = (cluster: OwnCluster): Fault => ({
  name: "closed",
  async begin() {
    await statement(cluster, `alter database ${cluster.connection.dbname} allow_connections false`);
    await statement(cluster, terminateAll);
  },
  end: async () =>
    void (await statement(cluster, `alter database ${cluster.connection.dbname} allow_connections true`)),
});

/** The disk of the tables is full. Where none could be mounted, triggers raise what a full one makes the server say. */
function full(cluster: OwnCluster): Fault {
  const { disk } = cluster;
  if (disk) return { name: "full", begin: () => disk.fill(), end: () => disk.free() };
  return {
    name: "full",
    begin: () =>
      everyTable(
        cluster,
        (table) => `create or replace trigger full_disk before insert or update
      on ${table} for each statement execute function cgp.full_disk()`,
      ),
    end: () => everyTable(cluster, (table) => `drop trigger if exists full_disk on ${table}`),
  };
}

const raiseFull = `create or replace function cgp.full_disk() returns trigger language plpgsql as $$ begin
  raise exception 'could not extend file: No space left on device' using errcode = '53100';
end $$`;

async function everyTable(cluster: OwnCluster, change: (table: string) => string): Promise<void> {
  const client = new pg.Client({ ...cluster.connection, database: cluster.connection.dbname });
  await client.connect();
  try {
    await client.query(raiseFull);
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname like 'cgp%'`,
    );
    for (const { name } of rows) await client.query(change(name));
  } finally {
    await client.end();
  }
}

/** A failover: what answers is a standby that can only be read, until it is promoted. */
const standby = (cluster: OwnCluster): Fault => ({
  name: "standby",
  async begin() {
    await stopServer(cluster.server, "SIGINT");
    const files = join(cluster.server.dataDir, "postgres");
    const { uid, gid } = await stat(files);
    await writeFile(join(files, "standby.signal"), "");
    await chown(join(files, "standby.signal"), uid, gid);
    await startServer(cluster.server);
  },
  end: async () => void (await statement(cluster, "select pg_promote(true, 30)")),
});

/** Somebody changes the schema: the table that every start and every worker needs can't even be read. */
function locked(cluster: OwnCluster): Fault {
  let holder: pg.Client | null = null;
  return {
    name: "locked",
    async begin() {
      holder = new pg.Client({ ...cluster.connection, database: cluster.connection.dbname });
      holder.on("error", () => {});
      await holder.connect();
      await holder.query("begin");
      await holder.query("lock table cgp.execution_plans in access exclusive mode");
    },
    async end() {
      await holder?.end();
    },
  };
}
