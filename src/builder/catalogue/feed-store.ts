/** All entities with their versions, for those who maintain an index of them. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { readTableMark } from "../../platform/db/table-mark.ts";

/** Entities beyond this number are omitted, in the order of their references. */
const maxEntities = 100_000;

export interface EntityFeed {
  mark(): Promise<string>;
  versions(): Promise<ReadonlyMap<string, string>>;
  read(refs: readonly string[]): Promise<{ key: string; value: Record<string, unknown> }[]>;
}

/** Keys are references in lower case. */
export const entityFeed = (db: Db): EntityFeed => ({
  mark: () => readTableMark(db, ["catalogue_entities"]),
  async versions() {
    const { rows } = await sql<{ ref: string; hash: string }>`select ref, hash from catalogue_entities
      order by ref limit ${maxEntities}`.execute(db);
    return new Map(rows.map(({ ref, hash }) => [ref, hash]));
  },
  async read(refs) {
    const { rows } = await sql<{ ref: string; text: string }>`select ref, processed as text
      from catalogue_entities where ref = any(${[...refs]}::text[])`.execute(db);
    return rows.map(({ ref, text }) => ({ key: ref, value: JSON.parse(text) as Record<string, unknown> }));
  },
});
