/** The databases of an installation: which service each belongs to and how it is reached. */
import type { Connection } from "../../platform/db/database.ts";
import { tablesOf } from "../../platform/db/migrations/own-tables.ts";
import type { Migration } from "../../platform/db/migrations/read-migrations.ts";
import type { MigratedService } from "../../platform/db/migrations/service.ts";

export interface ServiceDatabase {
  service: MigratedService;
  connection: Connection;
}

/** The tables that a schema with these migrations has of its own. */
export const ownTables = (migrations: readonly Migration[], applied: ReadonlySet<string>): Set<string> =>
  tablesOf(migrations.filter(({ name }) => applied.has(name)).map(({ text }) => text));
