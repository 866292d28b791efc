/** Reads the tables of the services as they are at one moment, while programs work with them. */
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { readApplied } from "../db/migrations/migration-table.ts";
import { tablesOf } from "../db/migrations/own-tables.ts";
import { readMigrations } from "../db/migrations/read-migrations.ts";
import { errorCode } from "../errors/error-code.ts";
import { Failure } from "../errors/failure.ts";
import { connectFor, withPlainFaults, type BackedUpService, type ServiceManifest } from "./service.ts";
import { columnList, quoted, readSequences, readTables } from "./tables.ts";

export interface DumpEntry {
  name: string;
  content: Buffer;
}

/** Bytes of one entry; more of a table makes more entries. */
const partBytes = 4 * 1024 * 1024;

/** Entries of all services; their manifests are pushed once all of their entries have been read. */
export async function* dumpServices(
  services: readonly BackedUpService[],
  manifests: ServiceManifest[],
): AsyncGenerator<DumpEntry> {
  const clients: pg.Client[] = [];
  try {
    const snapshots = new Map<string, string>();
    for (const service of services) {
      const client = await withPlainFaults(service, () => connect(service));
      clients.push(client);
      await withPlainFaults(service, () => beginAt(client, snapshots, databaseOf(service)));
    }
    for (const [index, service] of services.entries())
      manifests.push(yield* plainly(service, dumpService(clients[index]!, service)));
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

const connect = (service: BackedUpService): Promise<pg.Client> =>
  connectFor(service, "plinth backup").catch((error: unknown) => {
    const isMissing = errorCode(error) === "3D000";
    throw isMissing ? nothingThere(service.service.name, service.connection.schema) : error;
  });

/** The same entries, with faults as `withPlainFaults` has them. */
async function* plainly<T>(
  service: BackedUpService,
  entries: AsyncGenerator<DumpEntry, T>,
): AsyncGenerator<DumpEntry, T> {
  try {
    for (;;) {
      const next = await withPlainFaults(service, () => entries.next());
      if (next.done === true) return next.value;
      yield next.value;
    }
  } finally {
    await entries.return(undefined as T);
  }
}

const databaseOf = ({ connection: { host, port, dbname } }: BackedUpService): string =>
  `${host}:${port}/${dbname}`;

/** Services of one database are read at the same moment; of two databases at nearly the same. */
async function beginAt(client: pg.Client, snapshots: Map<string, string>, database: string): Promise<void> {
  await client.query("begin isolation level repeatable read read only");
  const known = snapshots.get(database);
  if (known !== undefined) {
    await client.query(`set transaction snapshot '${known.replaceAll("'", "''")}'`);
    return;
  }
  const { rows } = await client.query<{ id: string }>("select pg_export_snapshot() as id");
  snapshots.set(database, rows[0]!.id);
}

async function* dumpService(
  client: pg.Client,
  { service, connection }: BackedUpService,
): AsyncGenerator<DumpEntry, ServiceManifest> {
  const applied = await readApplied(client).catch((error: { code?: string }) => {
    if (error.code === "42P01") throw nothingThere(service.name, connection.schema);
    throw error;
  });
  const tables: ServiceManifest["tables"] = [];
  const migrations = await readMigrations(service.directory);
  const texts = migrations.filter(({ name }) => applied.has(name)).map(({ text }) => text);
  const own = tablesOf(texts);
  for (const table of await readTables(client, connection.schema)) {
    // Tables of others may stand in the schema; a restore makes only those of the migrations.
    if (!own.has(table.name)) continue;
    const copy = client.query(
      copyTo(`copy (select ${columnList(table)} from ${quoted(table.name)}) to stdout`),
    );
    let part = 0;
    for await (const content of wholeRows(copy as AsyncIterable<Buffer>))
      yield { name: `${service.name}/${table.name}/${String(part++).padStart(6, "0")}`, content };
    tables.push({ ...table, rows: copy.rowCount });
  }
  return {
    name: service.name,
    migration: [...applied.keys()].toSorted().at(-1) ?? "",
    tables,
    sequences: await readSequences(client, connection.schema, texts),
  };
}

const nothingThere = (service: string, schema: string): Failure =>
  new Failure({
    kind: "not_found",
    code: "PLATFORM_BACKUP",
    message: `The schema ${schema} has no tables of ${service}.`,
    solutions: ["Give the configuration of the installation, as `plinth start` has it."],
  });

const newline = 0x0a;

/** Parts that end with a row: each is loaded by a statement of its own. Line breaks within values are escaped. */
async function* wholeRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < partBytes) continue;
    const all = Buffer.concat(held);
    const end = all.lastIndexOf(newline) + 1;
    if (end > 0) yield all.subarray(0, end);
    held = [all.subarray(end)];
    bytes = all.length - end;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
