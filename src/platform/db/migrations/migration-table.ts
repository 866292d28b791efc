/** The table that says which migrations a schema has, which service they belong to and which programs it takes. */
import type pg from "pg";
import { Failure } from "../../errors/failure.ts";
import type { Connection } from "../database.ts";
import { productVersion, shownNumber, type Migration } from "./read-migrations.ts";

/** The name of this service in its migration table; other services with tables of this form have other names. */
export const ownService = "plinth";

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

export async function recordApplied(client: pg.Client, migration: Migration): Promise<void> {
  const { name, checksum, compatibleFrom } = migration;
  await client.query(
    "insert into schema_migrations (name, checksum, service, compatible_from, program) values ($1, $2, $3, $4, $5)",
    [name, checksum, ownService, compatibleFrom, await productVersion()],
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
export async function prepareTable(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists schema_migrations
       (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  );
  await client.query(
    `alter table schema_migrations add column if not exists service text not null default '${ownService}',
       add column if not exists compatible_from int, add column if not exists program text`,
  );
  await client.query(
    `update schema_migrations set compatible_from = left(name, 4)::int
     where compatible_from is null and name ~ '^[0-9]{4}_'`,
  );
}

/** Refuses a table that is not of this form, or has migrations of a service that is not this one. */
export async function refuseForeignTable(
  client: pg.Client,
  { connection, columns, first }: { connection: Connection; columns: readonly string[]; first: string },
): Promise<void> {
  if (!["name", "checksum", "applied_at"].every((each) => columns.includes(each)))
    throw foreign(connection, "another product");
  if (columns.includes("service")) {
    const { rows } = await client.query<{ service: string }>(
      "select distinct service from schema_migrations where service <> $1",
      [ownService],
    );
    if (rows[0]) throw foreign(connection, `the service ${rows[0].service}`);
    return;
  }
  const { rows } = await client.query<{ name: string }>("select name from schema_migrations");
  if (rows.length > 0 && !rows.some(({ name }) => name === first))
    throw foreign(connection, "another service");
}

/** Refuses what this program must not run on: another service's schema, or one that asks for a newer program. */
export async function refuseUnfitSchema(
  applied: Applied,
  { connection, newest }: { connection: Connection; newest: number },
): Promise<void> {
  let asks: AppliedMigration | undefined;
  for (const each of applied.values()) {
    if (each.service !== ownService) throw foreign(connection, `the service ${each.service}`);
    if ((each.compatibleFrom ?? 0) > Math.max(newest, asks?.compatibleFrom ?? 0)) asks = each;
  }
  if (asks) throw await tooOld(asks, { connection, newest });
}

function foreign({ schema, dbname }: Connection, owner: string): Failure {
  return new Failure({
    kind: "conflict",
    code: "PLATFORM_SCHEMA_FOREIGN",
    message: `The schema ${schema} of the database ${dbname} belongs to ${owner}: its schema_migrations says so.`,
    solutions: ["Set COORDINATOR_DB_SCHEMA (database.coordinator.schema) to a schema of Plinth's own."],
  });
}

interface Situation {
  connection: Connection;
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
