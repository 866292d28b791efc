/** What a long run takes: memory and open files of its processes, rows and bytes of the tables. */
import { readdir, readFile } from "node:fs/promises";
import type { Db } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";

export interface Sample {
  atMs: number;
  /** By what is measured: `memory of the server` (MB), `files of the worker`, `rows of plan_tasks`, `MB of plan_tasks`. */
  values: ReadonlyMap<string, number>;
}

/** Null for a process that has ended. */
export async function readProcess(pid: number): Promise<{ memoryMb: number; files: number } | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const files = await readdir(`/proc/${pid}/fd`);
    return { memoryMb: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024, files: files.length };
  } catch {
    return null;
  }
}

/** The tables of all schemas but the database's own, those of the job queue among them. */
export async function readTables(db: Db): Promise<{ name: string; rows: number; bytes: number }[]> {
  const { rows: tables } = await sql<{
    schema: string;
    name: string;
    bytes: number;
  }>`select n.nspname as schema,
      c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`.execute(db);
  const counted: { name: string; rows: number; bytes: number }[] = [];
  for (const { schema, name, bytes } of tables) {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from ${sql.ref(`${schema}.${name}`)}`.execute(db);
    counted.push({ name, rows: rows[0]?.n ?? 0, bytes });
  }
  return counted;
}
