/** Finds units, plans and adapters by what is typed of their names. */
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { wordsIn } from "../../platform/db/word-search.ts";

/** Of more rows that fit only these are compared. */
const maxCompared = 2_000;

export interface FoundUnit {
  unitKey: string;
  unitId: string;
  name: string | null;
  kind: string | null;
  domain: string | null;
  environments: string[];
}

interface WordQuery {
  /** As typed, in lower case. */
  typed: string;
  words: Sql;
  limit: number;
}

const unitWords = wordsIn("unit_id || ' ' || coalesce(name, '')");
const isTyped = (typed: string): Sql<boolean> =>
  sql<boolean>`(unit_key = ${typed} or lower(name) = ${typed})`;
const compared = sql.raw("select unit_key, unit_id, name, kind, domain, environment from units");

/** Those that are named exactly so are read apart, because they may not be among the ones that are compared. */
export const unitSearch = ({ typed, words, limit }: WordQuery): Sql<FoundUnit> =>
  sql<FoundUnit>`select unit_key as "unitKey", max(unit_id) as "unitId", max(name) as name, max(kind) as kind, max(domain) as domain,
      array_agg(environment order by environment) as environments
    from ((${compared} where ${isTyped(typed)} limit ${maxCompared})
      union (${compared} where ${unitWords} @@ ${words} limit ${maxCompared})) found
    group by unit_key
    order by bool_or${isTyped(typed)} desc, min(length(coalesce(name, unit_id))), unit_key
    limit ${limit}`;

export async function findUnits(db: Db, query: WordQuery): Promise<FoundUnit[]> {
  const { rows } = await unitSearch(query).execute(db);
  return rows;
}

export interface FoundPlan {
  id: string;
  unitId: string | null;
  environment: string;
  action: string;
  status: string;
  createdAt: Date;
}

export const planSearch = ({ beginning, limit }: { beginning: string; limit: number }): Sql<FoundPlan> =>
  sql<FoundPlan>`select id, unit_id as "unitId", environment, action, status, created_at as "createdAt"
    from execution_plans where id ~>=~ ${beginning} and id ~<~ ${`${beginning}\u{10ffff}`}
    order by id using ~<~ limit ${limit}`;

/** By the beginning of their token. */
export async function findPlans(db: Db, query: { beginning: string; limit: number }): Promise<FoundPlan[]> {
  const { rows } = await planSearch(query).execute(db);
  return rows;
}

export interface FoundAdapter {
  id: string;
  name: string;
  version: string;
  environments: string[];
}

const adapterWords = wordsIn("a.id || ' ' || a.name");

/** There are so few of them that they need no index. */
export async function findAdapters(db: Db, { typed, words, limit }: WordQuery): Promise<FoundAdapter[]> {
  const { rows } = await sql<FoundAdapter>`select a.id, a.name, a.version,
      array(select d.environment from adapter_deployments d where d.adapter_id = a.id order by d.environment) as environments
    from tech_adapters a where ${adapterWords} @@ ${words}
    order by (lower(a.id) = ${typed} or lower(a.name) = ${typed}) desc, length(a.name), a.id limit ${limit}`.execute(
    db,
  );
  return rows;
}
