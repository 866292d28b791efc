/** A service whose tables have a schema, migrations and a migration table of their own. */
import { join } from "node:path";

export interface MigratedService {
  /** In its migration table; a schema of another service is refused. */
  name: string;
  /** Folder of its migrations. */
  directory: string;
  /** Key of the advisory lock that a process holds while it migrates. */
  lock: number;
  /** Tables with a column of each, besides the migration table, by which a schema of this service is recognised. */
  marks: readonly (readonly [table: string, column: string])[];
  /** First part of its variables: `COORDINATOR_DB` of COORDINATOR_DB_SCHEMA. */
  variables: string;
  /** Its section of the settings. */
  setting: string;
}

export const migrationsFolder = join(import.meta.dirname, "../../../../migrations");

/** The tables that the areas share; all but governance's. */
export const platformService: MigratedService = {
  name: "plinth",
  directory: migrationsFolder,
  // Shared by a process that takes its worker's lease.
  lock: 0x706c696e,
  marks: [
    ["execution_plans", "fence"],
    ["workers", "lock_key"],
  ],
  variables: "COORDINATOR_DB",
  setting: "database.coordinator",
};
