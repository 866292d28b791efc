/** What there is in a database of the older release, or of this one, that an upgrade has to know. Changes nothing. */
import type pg from "pg";
import { connectTo } from "../../platform/db/database.ts";
import { readColumns, refuseForeignTable } from "../../platform/db/migrations/migration-table.ts";
import { readMigrations } from "../../platform/db/migrations/read-migrations.ts";
import { findInstallations } from "../../platform/db/migrations/second-installation.ts";
import { Failure } from "../../platform/errors/failure.ts";
import type { AccessFacts, AccessToSync, DatabaseFacts, UnresolvedAccess } from "./facts.ts";
import { ownTables, type ServiceDatabase } from "./service-database.ts";

/** The migration that moved access to consumable parts. */
const movedBy = "0018_consumable.sql";

export async function readFacts(database: ServiceDatabase): Promise<DatabaseFacts> {
  const { connection, service } = database;
  const migrations = await readMigrations(service.directory);
  const facts: DatabaseFacts = {
    service: service.name,
    variables: service.variables,
    dbname: connection.dbname,
    schema: connection.schema,
    state: "missing",
    elsewhere: [],
    refusal: null,
    applied: [],
    open: migrations.map(({ name }) => name),
    changed: [],
    unknown: [],
    others: [],
    access: null,
    catalogue: null,
  };
  const client = await openReadOnly(database);
  if (client === null) return facts;
  try {
    const columns = await readColumns(client, connection.schema);
    if (columns === null) {
      const elsewhere = await findInstallations(client, connection.schema, service);
      return {
        ...facts,
        elsewhere,
        state: elsewhere.length > 0 ? "elsewhere" : "missing",
        others: await readOthers(client, connection.schema, new Set()),
      };
    }
    const refusal = await refuseForeignTable(client, {
      connection,
      service,
      columns,
      first: migrations[0]?.name ?? "",
    }).then(() => null, messageOf);
    if (refusal !== null) return { ...facts, state: "foreign", refusal };
    const { rows: applied } = await client.query<{ name: string; checksum: string }>(
      "select name, checksum from schema_migrations order by name",
    );
    const names = new Set(applied.map(({ name }) => name));
    const textOf = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
    const isPlatform = service.name === "plinth";
    return {
      ...facts,
      state: "ours",
      applied,
      open: migrations.flatMap(({ name }) => (names.has(name) ? [] : [name])),
      changed: applied.flatMap(({ name, checksum }) =>
        textOf.has(name) && textOf.get(name) !== checksum ? [name] : [],
      ),
      unknown: applied.flatMap(({ name }) => (textOf.has(name) ? [] : [name])),
      others: await readOthers(client, connection.schema, ownTables(migrations, names)),
      ...(isPlatform && {
        access: await readAccess(client, names),
        catalogue: names.has("0008_catalogue.sql") ? await readCatalogue(client) : null,
      }),
    };
  } finally {
    await client.end();
  }
}

/** Null where there is no such database. */
async function openReadOnly({ connection }: ServiceDatabase): Promise<pg.Client | null> {
  try {
    const client = await connectTo(connection, { applicationName: "plinth upgrade" });
    await client.query("begin isolation level repeatable read read only");
    return client;
  } catch (error) {
    if ((error as { code?: string }).code === "3D000") return null;
    throw error;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  throw error;
}

async function readOthers(client: pg.Client, schema: string, own: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relname = any($2::text[])
     order by c.relname limit 100`,
    [schema, [...own]],
  );
  return rows.map(({ name }) => name);
}

async function readCatalogue(client: pg.Client): Promise<DatabaseFacts["catalogue"]> {
  const { rows } = await client.query<{ hasTaxonomy: boolean; hasAccessTemplates: boolean }>(
    `select exists (select 1 from catalogue_entities where kind = 'taxonomy') as "hasTaxonomy",
       exists (select 1 from catalogue_entities where kind = 'accesscontrolrequesttemplate') as "hasAccessTemplates"`,
  );
  return rows[0] ?? null;
}

async function readAccess(client: pg.Client, applied: ReadonlySet<string>): Promise<AccessFacts | null> {
  if (!applied.has("0005_task_kinds.sql")) return null;
  if (!applied.has(movedBy)) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*) as count from acls a left join unit_components c on c.unit_key = a.unit_key
         and c.environment = a.environment and c.component_key = a.component_key
       where not coalesce(
         case lower(btrim(c.descriptor ->> 'consumable')) when 'true' then true when 'false' then false end,
         lower(btrim(c.descriptor ->> 'kind')) = 'outputport', false)`,
    );
    return { toMove: rows[0]?.count ?? 0, unresolved: null, toSync: [] };
  }
  const { rows: unresolved } = await client.query<UnresolvedAccess>(
    `select environment, component_id as "componentId", count(*)::int as identities
     from acls_unresolved group by 1, 2 order by 1, 2`,
  );
  return { toMove: null, unresolved, toSync: await readAccessToSync(client) };
}

/**
 * Components whose access the migration changed, as its audit rows say. One that was changed since by an access request has
 * the whole set of identities from that.
 */
async function readAccessToSync(client: pg.Client): Promise<AccessToSync[]> {
  const { rows } = await client.query<AccessToSync>(
    `select u.unit_id as "unitId", c.environment, c.component_id as "componentId",
       coalesce((select json_agg(a.identity order by a.identity) from acls a where a.unit_key = c.unit_key
         and a.environment = c.environment and a.component_key = c.component_key), '[]') as identities,
       (select count(*)::int from acl_requests r join execution_plans p on p.id = r.plan_id
         where r.unit_key = c.unit_key and r.environment = c.environment and r.component_key = c.component_key
           and r.request_id like 'upgrade-2.2.0:%' and p.status in ('FAILED', 'TERMINATED')) as failed
     from unit_components c join units u on u.unit_key = c.unit_key and u.environment = c.environment
     where c.status = 'DEPLOYED'
       and exists (select 1 from audit e where e.request_id = 'upgrade' and e.detail ->> 'upgrade' = 'consumable'
         and e.subject = 'component:' || c.component_id || '@' || c.environment)
       -- What has no consumable part is decided by people first.
       and not exists (select 1 from acls_unresolved n where n.unit_key = c.unit_key
         and n.environment = c.environment and n.component_key = c.component_key)
       and not exists (select 1 from acl_requests r join execution_plans p on p.id = r.plan_id
         where r.unit_key = c.unit_key and r.environment = c.environment and r.component_key = c.component_key
           and p.status not in ('FAILED', 'TERMINATED')
           and r.created_at > (select applied_at from schema_migrations where name = $1))
     order by 1, 2, 3`,
    [movedBy],
  );
  return rows;
}
