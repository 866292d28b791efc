/** Finds this product's tables in other schemas of the database before it installs into a new one. */
import type pg from "pg";
import { Failure } from "../../errors/failure.ts";
import type { OwnedSchema } from "./migration-table.ts";
import type { MigratedService } from "./service.ts";

/**
 * Refuses to install into an empty schema while another one holds this product's tables: an installation whose schema
 * had another name would silently start with nothing. `newSchema` is the deliberate answer, the schema's own name.
 */
export async function refuseSecondInstallation(
  client: pg.Client,
  { connection, newSchema, service }: OwnedSchema & { newSchema: string | undefined },
): Promise<void> {
  const { schema, dbname } = connection;
  if (newSchema === schema) return;
  const [other, ...more] = await findInstallations(client, schema, service);
  if (other === undefined) return;
  const others =
    more.length === 0 ? `the schema ${other}` : `each of the schemas ${[other, ...more].join(", ")}`;
  throw new Failure({
    kind: "conflict",
    code: "PLATFORM_SCHEMA_ELSEWHERE",
    message: `The schema ${schema} of the database ${dbname} is empty, while ${others} holds Plinth's tables.`,
    solutions: [
      ...[other, ...more].map(
        (name) => `Set ${service.variables}_SCHEMA=${name} to go on with what is in it.`,
      ),
      `Or set ${service.variables}_NEW_SCHEMA=${schema} to install afresh into ${schema}, beside it.`,
    ],
  });
}

/**
 * Schemas with a migration table and the other tables of the service. From the catalogue, which every role may read: tables that
 * belong to another role count too.
 */
export async function findInstallations(
  client: pg.Client,
  own: string,
  { marks }: MigratedService,
): Promise<string[]> {
  const wanted = [["schema_migrations", "name"], ["schema_migrations", "checksum"], ...marks];
  const { rows } = await client.query<{ schema: string }>(
    `select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
     where n.nspname <> $1 and c.relkind in ('r', 'p')
       and (c.relname, a.attname) in (select * from unnest($2::text[], $3::text[]))
     group by n.nspname having count(*) = $4 order by n.nspname limit 20`,
    [own, wanted.map(([table]) => table), wanted.map(([, column]) => column), wanted.length],
  );
  return rows.map(({ schema }) => schema);
}
