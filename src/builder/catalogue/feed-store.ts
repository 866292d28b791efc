/** All entities with their versions, for those who maintain an index of them. */
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { wordsIn } from "../../platform/db/word-search.ts";

/** Entities beyond this number are omitted, in the order of their references. */
const maxEntities = 100_000;

export interface EntityFeed {
  /** In which the records are. */
  tables: readonly string[];
  versions(): Promise<ReadonlyMap<string, string>>;
  read(refs: readonly string[]): Promise<{ key: string; value: Record<string, unknown> }[]>;
}

export interface FoundEntity {
  ref: string;
  kind: string;
  name: string | null;
  title: string | null;
  type: string | null;
}

export interface EntityWords {
  /** As typed, in lower case. */
  typed: string;
  words: Sql;
  /** Templates alone, or everything else. */
  templates: boolean;
  limit: number;
}

const words = wordsIn("value");
/** Of more values that fit only these are compared. */
const maxCompared = 2_000;
/** What people never look for: where entities were read from. */
const ofKind = (templates: boolean): Sql =>
  sql.raw(templates ? "e.kind = 'template'" : "e.kind not in ('template', 'location')");
const shownAs = (key: string): Sql =>
  sql.raw(`(select min(s.shown) from catalogue_search s where s.uid = e.uid and s.key = '${key}')`);

const compared = sql.raw(
  `select uid, value from catalogue_search where key in ('metadata.name', 'metadata.title')`,
);

/** Those that are named exactly so are read apart, because they may not be among the ones that are compared. */
export const entitySearch = ({ typed, words: query, templates, limit }: EntityWords): Sql<FoundEntity> =>
  sql<FoundEntity>`with found as materialized (
      select s.uid, bool_or(s.value = ${typed}) as is_same, min(length(s.value)) as size
      from ((${compared} and value = ${typed} limit ${maxCompared})
        union (${compared} and ${words} @@ ${query} limit ${maxCompared})) s
      group by s.uid),
    best as (select e.uid, e.ref, e.kind, f.is_same, f.size from found f join catalogue_entities e on e.uid = f.uid
      where ${ofKind(templates)} order by f.is_same desc, f.size, e.ref limit ${limit})
    select e.ref, e.kind, ${shownAs("metadata.name")} as name, ${shownAs("metadata.title")} as title,
      ${shownAs("spec.type")} as type
    from best e order by e.is_same desc, e.size, e.ref`;

/** By the beginnings of words of their name or title. */
export async function findEntities(db: Db, query: EntityWords): Promise<FoundEntity[]> {
  const { rows } = await entitySearch(query).execute(db);
  return rows;
}

/** Keys are references in lower case. */
export const entityFeed = (db: Db): EntityFeed => ({
  tables: ["catalogue_entities"],
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
