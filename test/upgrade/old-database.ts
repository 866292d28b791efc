/** The database of an installation of release 2.1.0: its schema, what the demo left in it, and what was allowed then. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import { openDatabase, type Connection, type Database } from "../../src/platform/db/database.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { migrateToBefore } from "../acl/migrated.ts";

export const fixtures = join(import.meta.dirname, "fixtures");
export const fixtureFile = join(fixtures, "database.json");

/** As COPY writes them, each table behind those that it refers to. */
export type OldRows = { table: string; columns: string[]; rows: string[] }[];

/** A component with subcomponents, of which two are consumable, and one without any. */
export const parents = {
  unitId: "urn:dmb:dp:sales:orders:0",
  environment: "development",
  parent: "urn:dmb:cmp:sales:orders:0:storage",
  parts: ["urn:dmb:cmp:sales:orders:0:storage:view", "urn:dmb:cmp:sales:orders:0:storage:export"],
  alone: "urn:dmb:cmp:sales:orders:0:job",
};

/** Fills an empty database. `withParents` adds access of before, some of it to what is not consumable. */
export async function fillOldDatabase(database: Database, { withParents = true } = {}): Promise<void> {
  await migrateToBefore(database, /^0016/);
  const tables = JSON.parse(await readFile(fixtureFile, "utf8")) as OldRows;
  const client = await database.connect();
  try {
    await client.query("begin");
    for (const { table, columns, rows } of tables) {
      await client.query(`delete from ${table}`);
      const bytes = Buffer.from(`${rows.join("\n")}\n`);
      await pipeline(
        Readable.from([bytes]),
        client.query(copyFrom(`copy ${table} (${columns.join(", ")}) from stdin`)),
      );
    }
    await client.query(
      `select setval(format('cgp.%I', sequencename)::regclass, 1000000) from pg_sequences where schemaname = 'cgp'`,
    );
    if (withParents) for (const statement of parentRows()) await client.query(statement);
    // Of somebody else, in the same schema.
    await client.query("create table reporting_export (id int primary key, note text)");
    await client.query("insert into reporting_export values (1, 'not ours')");
    await client.query("commit");
  } finally {
    await client.end();
  }
}

/** What the layer tracked in a database that an earlier build of this release has made: all migrations but the newest one. */
export const trackedBefore = [
  { name: "marketplace", tables: [{ schema: "data_layer", name: "products" }] },
  { name: "cgp", tables: [] },
];

export async function fillTrackedDatabase(database: Database): Promise<void> {
  await migrateToBefore(database, /^0036/);
  await database.pool.query(
    `insert into cgp.data_layer_metadata (revision, hash, sources, updated_at, updated_by)
     values (7, 'tracked', $1, now(), 'service:default/plinth')`,
    [JSON.stringify(trackedBefore)],
  );
}

/** In capital letters where ids were written so: keys are in lower case. */
function parentRows(): string[] {
  const { unitId, environment, parent, parts, alone } = parents;
  const part = (id: string): object => ({ id, name: id.split(":").at(-1), kind: "outputport" });
  const component = (id: string, parentId: string | null, descriptor: object): string =>
    `insert into unit_components (unit_key, environment, component_key, component_id, parent_key, status,
       infrastructure_template_id, descriptor, hash, plan_id)
     values ('${unitId}', '${environment}', '${id}', '${id}', ${parentId === null ? "null" : `'${parentId}'`}, 'DEPLOYED',
       ${parentId === null ? "'urn:dmb:itm:mock:1'" : "null"}, '${JSON.stringify(descriptor)}', '', 'before')`;
  const access = (id: string, identity: string, at: string): string =>
    `insert into acls (unit_key, environment, component_key, component_id, identity, request_id, granted_at)
     values ('${unitId}', '${environment}', '${id}', '${id}', '${identity}', 'before', '${at}')`;
  const storage = {
    id: parent,
    name: "storage",
    kind: "storage",
    infrastructureTemplateId: "urn:dmb:itm:mock:1",
    components: parts.map(part),
  };
  const job = { id: alone, name: "job", kind: "workload", infrastructureTemplateId: "urn:dmb:itm:mock:1" };
  const descriptor = { id: unitId, name: "orders", version: "0.1", environment, components: [storage, job] };
  return [
    `insert into units (unit_key, environment, unit_id, descriptor, descriptor_version, last_plan_id, last_plan_status)
     values ('${unitId}', '${environment}', '${unitId}', '${JSON.stringify(descriptor)}', '0', 'before', 'COMPLETED')`,
    `insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator, request,
       descriptor_version, traceparent, deadline_at, started_at, stopped_at)
     values ('before', 'PROVISIONING', '${unitId}', '${unitId}', '${environment}', 'PROVISION', 'COMPLETED',
       'user:default/ada', '${JSON.stringify({ descriptor, operations: [], removeData: false, enrichment: {} })}', '0',
       '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01', now(), now(), now())`,
    component(parent, null, storage),
    ...parts.map((id) => component(id, parent, part(id))),
    component(alone, null, job),
    access(parent, "user:ada", "2026-03-01T00:00:00Z"),
    access(parent, "group:sales", "2026-04-01T00:00:00Z"),
    access(parts[0]!, "user:ada", "2026-05-01T00:00:00Z"),
    access(parts[1]!, "user:grace", "2026-05-01T00:00:00Z"),
    access(alone, "user:linus", "2026-06-01T00:00:00Z"),
  ];
}

/** Fills the database of the connection, for programs outside the tests. */
export async function fillConnection(
  connection: Connection,
  fill: (database: Database) => Promise<void>,
): Promise<void> {
  const database = openDatabase({ connection, log: silentLogger });
  try {
    await fill(database);
  } finally {
    await database.close();
  }
}
