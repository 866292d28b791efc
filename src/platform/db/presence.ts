/**
 * What each connected process says of itself, as session locks on its listener's connection: it costs nothing while nothing
 * changes, and is gone the moment the process is. A process that is just replacing its connection is missing for a moment.
 */
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { Database, Db } from "./database.ts";
import { sql } from "./sql.ts";

/** First half of the two-part advisory locks; the second one is made of the text and the schema. */
const lockClass = 0x504e;

/** What every process says that says anything. */
const here = "here";

/** Replaces what this process says. Resolves when others can see it. */
export const say = (database: Database, texts: readonly string[]): Promise<void> =>
  database.listener.hold({
    name: `plinth ${hostname().slice(0, 40)} ${process.pid}`,
    locks: [here, ...texts].map((text) => [lockClass, lockOf(database, text)]),
  });

/** A process that is connected. */
export interface Present {
  /** Its host and process id. */
  name: string;
  /** Whether it is this one. */
  isOwn: boolean;
  /** Which of the texts it says. */
  says: string[];
}

/** All that say anything, with which of the texts they say. */
export async function whoSays(database: Database, db: Db, texts: readonly string[]): Promise<Present[]> {
  const ids = new Map(texts.map((text) => [lockOf(database, text), text]));
  const { rows } = await sql<{ pid: number; name: string | null; locks: number[] }>`select l.pid,
      max(a.application_name) as name, array_agg(l.objid::int) as locks
    from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.objsubid = 2
      and l.database = (select oid from pg_database where datname = current_database())
      and l.classid = ${sql.lit(lockClass)}::oid
    group by l.pid having bool_or(l.objid = ${lockOf(database, here)}::oid) order by l.pid`.execute(db);
  const own = database.listener.processId();
  return rows.map(({ pid, name, locks }) => ({
    name: (name ?? "").replace(/^plinth /, "") || `connection ${pid}`,
    isOwn: pid === own,
    says: locks.flatMap((lock) => ids.get(lock) ?? []),
  }));
}

/** Installations in other schemas of the database have locks of their own. */
const lockOf = ({ connection: { schema } }: Database, text: string): number =>
  createHash("sha256").update(`${schema} ${text}`).digest().readUInt32BE() >>> 1;
