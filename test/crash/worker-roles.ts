/** A database role for each worker process: a claim says by its session's role which process made it. */
import type { Connection, Db } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";

export interface WorkerRoles {
  /** A role of its own, with the rights of the owner, and the settings of a process that connects as it. */
  next(): Promise<{ role: string; variables: Record<string, string> }>;
  /** Once no process uses them. */
  drop(): Promise<void>;
}

export function createWorkerRoles(db: Db, { dbname, user, password }: Connection): WorkerRoles {
  const owner = quoted(user);
  const made: string[] = [];
  return {
    async next() {
      // Roles belong to the server, which other databases share.
      const role = `${dbname}_${made.length}`;
      made.push(role);
      await sql`create role ${sql.raw(quoted(role))} login password ${sql.lit(password)} in role ${sql.raw(owner)}`.execute(
        db,
      );
      await sql`alter role ${sql.raw(quoted(role))} set role = ${sql.raw(owner)}`.execute(db);
      return { role, variables: { COORDINATOR_DB_USERNAME: role } };
    },
    async drop() {
      for (const role of made) await sql`drop role if exists ${sql.raw(quoted(role))}`.execute(db);
    },
  };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
