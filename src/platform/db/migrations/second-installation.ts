/** Finds this product's tables in other schemas of the database before it installs into a new one. */
import type pg from "pg";
import { Failure } from "../../errors/failure.ts";
import type { Connection } from "../database.ts";

/**
 * Refuses to install into an empty schema while another one holds this product's tables: an installation whose schema
 * had another name would silently start with nothing. `newSchema` is the deliberate answer, the schema's own name.
 */
export async function refuseSecondInstallation(
  client: pg.Client,
  { connection, newSchema }: { connection: Connection; newSchema: string | undefined },
): Promise<void> {
  const { schema, dbname } = connection;
  if (newSchema === schema) return;
  const [other, ...more] = await findInstallations(client, schema);
  if (other === undefined) return;
  const others =
    more.length === 0 ? `the schema ${other}` : `each of the schemas ${[other, ...more].join(", ")}`;
  throw new Failure({
    kind: "conflict",
    code: "PLATFORM_SCHEMA_ELSEWHERE",
    message: `The schema ${schema} of the database ${dbname} is empty, while ${others} holds Plinth's tables.`,
    solutions: [
      ...[other, ...more].map((name) => `Set COORDINATOR_DB_SCHEMA=${name} to go on with what is in it.`),
      `Or set COORDINATOR_DB_NEW_SCHEMA=${schema} to install afresh into ${schema}, beside it.`,
    ],
  });
}

/**
 * Schemas with our migration table and the coordinator's. From the catalogue, which every role may read: tables that
 * belong to another role count too.
 */
async function findInstallations(client: pg.Client, own: string): Promise<string[]> {
  const { rows } = await client.query<{ schema: string }>(
    `select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
     where n.nspname <> $1 and c.relkind in ('r', 'p')
       and (c.relname, a.attname) in (('schema_migrations', 'name'), ('schema_migrations', 'checksum'),
         ('execution_plans', 'fence'), ('workers', 'lock_key'))
     group by n.nspname having count(*) = 4 order by n.nspname limit 20`,
    [own],
  );
  return rows.map(({ schema }) => schema);
}
