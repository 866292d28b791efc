/** The table that says which migrations a schema has, which service they belong to and which programs it takes. */
import type pg from "pg";
import { Failure } from "../../errors/failure.ts";
import type { Connection } from "../database.ts";
import { productVersion, shownNumber, type Migration } from "./read-migrations.ts";
import { platformService, type MigratedService } from "./service.ts";

export interface AppliedMigration {
  name: string;
  checksum: string;
  service: string;
  /** As in `Migration`. Null when an older program applied it, which did not write the column. */
  compatibleFrom: number | null;
  /** Version of the product that applied it. */
  program: string | null;
}

export type Applied = ReadonlyMap<string, AppliedMigration>;

type Queries = Pick<pg.Client, "query"> | Pick<pg.Pool, "query">;

/** Reads the table in the schema of the connection. Rejects with the database's error where there is no such table. */
export async function readApplied(db: Queries): Promise<Applied> {
  const { rows } = await db.query<AppliedMigration>(
    `select name, checksum, service, compatible_from as "compatibleFrom", program from schema_migrations`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** The oldest program that the schema takes at this moment. */
export async function readOldestProgram(db: Queries): Promise<number> {
  const { rows } = await db.query<{ oldest: number | null }>(
    "select max(compatible_from) as oldest from schema_migrations",
  );
  return rows[0]?.oldest ?? 0;
}

export async function recordApplied(
  client: pg.Client,
  migration: Migration,
  service: MigratedService,
): Promise<void> {
  const { name, checksum, compatibleFrom } = migration;
  await client.query(
    "insert into schema_migrations (name, checksum, service, compatible_from, program) values ($1, $2, $3, $4, $5)",
    [name, checksum, service.name, compatibleFrom, await productVersion()],
  );
}

/** Columns of the table in the schema; null where there is none. */
export async function readColumns(client: pg.Client, schema: string): Promise<string[] | null> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where n.nspname = $1 and c.relname = 'schema_migrations' and a.attnum > 0 and not a.attisdropped`,
    [schema],
  );
  return rows.length === 0 ? null : rows.map(({ name }) => name);
}

/**
 * Makes the table, or brings one up to date that was made before tables named their service. The oldest program for
 * what was applied before is the one that applied it: nobody had thought about others.
 */
export async function prepareTable(client: pg.Client, service: MigratedService): Promise<void> {
  await client.query(
    `create table if not exists schema_migrations
       (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  );
  await client.query(
    `alter table schema_migrations add column if not exists service text not null default '${service.name}',
       add column if not exists compatible_from int, add column if not exists program text`,
  );
  await client.query(
    `update schema_migrations set compatible_from = left(name, 4)::int
     where compatible_from is null and name ~ '^[0-9]{4}_'`,
  );
}

export interface OwnedSchema {
  connection: Connection;
  service: MigratedService;
}

/** Refuses a table that is not of this form, or has migrations of a service that is not this one. */
export async function refuseForeignTable(
  client: pg.Client,
  { columns, first, ...schema }: OwnedSchema & { columns: readonly string[]; first: string },
): Promise<void> {
  if (!["name", "checksum", "applied_at"].every((each) => columns.includes(each)))
    throw foreign(schema, "another product");
  if (columns.includes("service")) {
    const { rows } = await client.query<{ service: string }>(
      "select distinct service from schema_migrations where service <> $1",
      [schema.service.name],
    );
    if (rows[0]) throw foreign(schema, `the service ${rows[0].service}`);
    return;
  }
  const { rows } = await client.query<{ name: string }>("select name from schema_migrations");
  if (rows.length > 0 && !rows.some(({ name }) => name === first)) throw foreign(schema, "another service");
}

/** Refuses what this program must not run on: another service's schema, or one that asks for a newer program. */
export async function refuseUnfitSchema(applied: Applied, situation: Situation): Promise<void> {
  const { service, newest } = situation;
  let asks: AppliedMigration | undefined;
  for (const each of applied.values()) {
    if (each.service !== service.name) throw foreign(situation, `the service ${each.service}`);
    if ((each.compatibleFrom ?? 0) > Math.max(newest, asks?.compatibleFrom ?? 0)) asks = each;
  }
  if (asks) throw await tooOld(asks, situation);
}

function foreign({ connection: { schema, dbname }, service }: OwnedSchema, owner: string): Failure {
  return new Failure({
    kind: "conflict",
    code: "PLATFORM_SCHEMA_FOREIGN",
    message: `The schema ${schema} of the database ${dbname} belongs to ${owner}: its schema_migrations says so.`,
    solutions: [
      `Set ${service.variables}_SCHEMA (${service.setting}.schema) to a schema of ${ownerOf(service)} own.`,
    ],
  });
}

/** As a genitive. */
const ownerOf = (service: MigratedService): string =>
  service === platformService ? "Plinth's" : `Plinth's ${service.name}'s`;

interface Situation extends OwnedSchema {
  /** Number of the newest migration that this program knows. */
  newest: number;
}

async function tooOld(asks: AppliedMigration, { connection, newest }: Situation): Promise<Failure> {
  const oldest = `schema version ${shownNumber(asks.compatibleFrom ?? 0)}`;
  const by = asks.program === null ? "" : `, which Plinth ${asks.program} applied`;
  const either = asks.program === null ? "a program" : `Plinth ${asks.program}, or any program`;
  return new Failure({
    kind: "conflict",
    code: "PLATFORM_PROGRAM_TOO_OLD",
    message:
      `${await thisProgram(newest)}; the schema ${connection.schema} of the database ${connection.dbname} ` +
      `takes programs that know ${oldest} or newer, because of its migration ${asks.name}${by}.`,
    solutions: [
      `Start ${either} that knows ${oldest}.`,
      "To go back to this program, restore the backup that was taken before that migration.",
    ],
  });
}

/** The failure of a process that runs while a newer one is about to change the schema, or has changed it. */
export const superseded = (required: number, newest: number): Failure =>
  new Failure({
    kind: "conflict",
    code: "PLATFORM_PROGRAM_TOO_OLD",
    message:
      `This program knows schema version ${shownNumber(newest)}; a newer program brings the database to a schema that ` +
      `takes programs that know ${shownNumber(required)} or newer. Plans are handed over, and this process ends.`,
    solutions: ["Start the newer program in its place."],
  });

async function thisProgram(newest: number): Promise<string> {
  const version = await productVersion();
  return `This program, Plinth ${version ?? "of unknown version"}, knows schema version ${shownNumber(newest)}`;
}
