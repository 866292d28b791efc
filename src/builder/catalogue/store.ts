/** Queries of entities: as JSON text that is sent unchanged, or parsed. */
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Entity } from "../entity.ts";
import type { FieldTest, Predicate } from "./predicate.ts";
import type { EntityFilter, FilterTerm } from "./filter.ts";

/** An entity as it is returned: the stored JSON with the relations that it and other entities declare. */
const shownEntity = sql.raw(`left(e.processed, -1) || ',"relations":' || coalesce((
  select json_agg(json_build_object('type', r.type, 'targetRef', r.target_ref) order by r.type, r.target_ref)
  from (select distinct type, target_ref from catalogue_relations where source_ref = e.ref) r)::text, '[]') || '}'`);

/** JSON text of one entity, by its reference in lower case. */
export async function readEntityText(db: Db, ref: string): Promise<string | null> {
  const { rows } = await sql<{ text: string }>`select ${shownEntity} as text from catalogue_entities e
    where e.ref = ${ref}`.execute(db);
  return rows[0]?.text ?? null;
}

/** The existing ones, in the order of the references. */
export async function readEntities(db: Db, refs: readonly string[]): Promise<Entity[]> {
  const { rows } = await sql<{ text: string }>`select ${shownEntity} as text from catalogue_entities e
    join unnest(${refs}::text[]) with ordinality as wanted(ref, at) on wanted.ref = e.ref
    order by wanted.at`.execute(db);
  return rows.map(({ text }) => {
    const entity: Entity = JSON.parse(text);
    return entity;
  });
}

export async function readEntity(db: Db, ref: string): Promise<Entity | null> {
  const text = await readEntityText(db, ref);
  if (text === null) return null;
  const entity: Entity = JSON.parse(text);
  return entity;
}

/** JSON text of one entity, by its uid. */
export async function readEntityTextByUid(db: Db, uid: string): Promise<string | null> {
  const { rows } = await sql<{ text: string }>`select ${shownEntity} as text from catalogue_entities e
    where e.uid = ${uid}::uuid`.execute(db);
  return rows[0]?.text ?? null;
}

export interface OrderField {
  field: string;
  direction: "asc" | "desc";
}

/** Conditions on entities, all of which must match. */
export interface EntityConditions {
  filter: EntityFilter;
  predicate: Predicate | null;
}

export interface EntityListQuery extends EntityConditions {
  order: readonly OrderField[];
  /** Text that one of the fields must contain. */
  search: { term: string; fields: readonly string[] } | null;
  /** Position of the reader: values of the order fields and the reference of an entity. */
  from: PageStart | null;
  offset: number;
  limit: number;
}

export interface PageStart {
  keys: readonly string[];
  /** Whether the page before the position is requested. */
  isBackwards: boolean;
}

export interface EntityPage {
  /** JSON text of each entity. */
  texts: string[];
  /** Keys of the first and last entity, unless the page is empty. */
  first: string[] | null;
  last: string[] | null;
  /** Whether more entities follow in the direction of reading. */
  hasMore: boolean;
}

/** One page. Entities without an order field come last. */
export async function listEntities(db: Db, query: EntityListQuery): Promise<EntityPage> {
  const { order, offset, limit, from } = query;
  const isBackwards = from?.isBackwards === true;
  const keys = [...order.map(orderKey), sql`e.ref`];
  const directions = [...order.map(({ direction }) => direction), "asc" as const].map((direction) =>
    isBackwards ? opposite[direction] : direction,
  );
  const names = keys.map((_key, index) => sql.raw(`p.k${index}`));
  const columns = keys.map((key, index) => sql`${key} as ${sql.raw(`k${index}`)}`);
  const sorted = sql.join(names.map((name, index) => sql`${name} ${sql.raw(directions[index] ?? "asc")}`));
  // Order keys are looked up once per entity; without them the index on the references gives the order.
  const once = sql.raw(order.length === 0 ? "not materialized" : "materialized");
  const condition = from === null ? sql`true` : isAfter(names, directions, from.keys);
  const { rows } = await sql<{ text: string; key: string[] }>`with keyed as ${once} (
      select e.uid, ${sql.join(columns)} from catalogue_entities e where ${conditionOf(query)})
    select ${shownEntity} as text, array[${sql.join(names)}]::text[] as key
    from (select * from keyed p where ${condition} order by ${sorted} limit ${limit + 1} offset ${offset}) p
    join catalogue_entities e on e.uid = p.uid order by ${sorted}`.execute(db);
  const page = rows.slice(0, limit);
  if (isBackwards) page.reverse();
  return {
    texts: page.map(({ text }) => text),
    first: page[0]?.key ?? null,
    last: page.at(-1)?.key ?? null,
    hasMore: rows.length > limit,
  };
}

const opposite = { asc: "desc", desc: "asc" } as const;

export async function countEntities(
  db: Db,
  query: EntityConditions & Pick<EntityListQuery, "search">,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from catalogue_entities e
    where ${conditionOf(query)}`.execute(db);
  return rows[0]?.count ?? 0;
}

const lastOfAll = "\u{10ffff}";

const orderKey = ({
  field,
  direction,
}: OrderField) => sql`coalesce((select min(v.value) from ${valuesOf(field.toLowerCase())} v
  where v.uid = e.uid), ${direction === "asc" ? lastOfAll : ""}) collate "C"`;

/**
 * A subselect with a row for each value of that field: `uid` of the entity, `value` in lower case, `shown` as it is written. The values
 * of `relations.<type>` are the targets of the entity's relations of this type, also those that another entity declares.
 */
function valuesOf(key: string): Sql {
  const relation = relationOf(key);
  return relation === undefined
    ? sql`(select s.uid, s.value, s.shown from catalogue_search s where s.key = ${key})`
    : sql`(select o.uid, r.target_ref as value, r.target_ref as shown from catalogue_relations r
        join catalogue_entities o on o.ref = r.source_ref where lower(r.type) = ${relation})`;
}

/** The type in `relations.<type>`, in lower case. */
const relationOf = (key: string): string | undefined => /^relations\.(.+)$/.exec(key)?.[1];

/** Compares the keys one after the other, each in its own direction. */
function isAfter(
  keys: readonly Sql[],
  directions: readonly ("asc" | "desc")[],
  after: readonly string[],
): Sql {
  const ways = keys.map((key, index) => {
    const same = keys.slice(0, index).map((each, at) => sql`${each} = ${after[at]}`);
    const beyond =
      directions[index] === "desc" ? sql`${key} < ${after[index]}` : sql`${key} > ${after[index]}`;
    return sql`(${sql.join([...same, beyond], sql` and `)})`;
  });
  return sql`(${sql.join(ways, sql` or `)})`;
}

function conditionOf({ filter, predicate, search }: EntityConditions & Pick<EntityListQuery, "search">): Sql {
  const any = filter.map((terms) => sql`(${sql.join(terms.map(termCondition), sql` and `)})`);
  const byFilter = any.length === 0 ? sql`true` : sql`(${sql.join(any, sql` or `)})`;
  const filtered = predicate === null ? byFilter : sql`${byFilter} and ${predicateCondition(predicate)}`;
  if (search === null) return filtered;
  const pattern = `%${search.term.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const keys = search.fields.map((field) => field.toLowerCase());
  const fields = keys.filter((key) => relationOf(key) === undefined);
  const inFields = sql`exists (select 1 from catalogue_search s where s.uid = e.uid
    and s.key = any(${fields}::text[]) and s.value like ${pattern})`;
  const inRelations = keys
    .filter((key) => relationOf(key) !== undefined)
    .map((key) => sql`e.uid in (select v.uid from ${valuesOf(key)} v where v.value like ${pattern})`);
  return sql`${filtered} and (${sql.join([inFields, ...inRelations], sql` or `)})`;
}

function predicateCondition(predicate: Predicate): Sql {
  if (predicate.is === "not") return sql`(not ${predicateCondition(predicate.of)})`;
  if (predicate.is === "field") return fieldCondition(predicate.key, predicate.test);
  // An empty list of alternatives matches nothing.
  if (predicate.of.length === 0) return sql`false`;
  const separator = predicate.is === "all" ? sql` and ` : sql` or `;
  return sql`(${sql.join(predicate.of.map(predicateCondition), separator)})`;
}

function fieldCondition(key: string, test: FieldTest): Sql {
  if (test.is === "in") return termCondition({ key, values: test.values });
  if (test.is === "exists") {
    const isThere = termCondition({ key, values: null });
    return test.wanted ? isThere : sql`(not ${isThere})`;
  }
  if (test.is === "prefix") {
    const pattern = `${test.prefix.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    return sql`e.uid in (select v.uid from ${valuesOf(key)} v where v.value like ${pattern})`;
  }
  const type = test.type === null ? sql`true` : sql`lower(r.type) = ${test.type}`;
  const target = test.target === null ? sql`true` : sql`r.target_ref = ${test.target}`;
  return sql`e.ref in (select r.source_ref from catalogue_relations r where ${type} and ${target})`;
}

function termCondition({ key, values }: FilterTerm): Sql {
  if (key === "kind" && values !== null) return sql`e.kind = any(${values}::text[])`;
  const relation = relationOf(key);
  if (relation !== undefined) {
    const isOfType = sql`lower(r.type) = ${relation}`;
    return values === null
      ? sql`exists (select 1 from catalogue_relations r where r.source_ref = e.ref and ${isOfType})`
      : sql`e.ref in (select r.source_ref from catalogue_relations r
          where r.target_ref = any(${values}::text[]) and ${isOfType})`;
  }
  const value = values === null ? sql`` : sql`and s.value = any(${values}::text[])`;
  return sql`e.uid in (select s.uid from catalogue_search s where s.key = ${key} ${value})`;
}

export interface Facet {
  value: string;
  count: number;
}

/** Number of entities for each value of a field; the most frequent first. */
export async function countFacet(
  db: Db,
  { facet, limit, ...conditions }: EntityConditions & { facet: string; limit: number },
): Promise<Facet[]> {
  const values = sql`select distinct s.uid, s.shown as value from ${valuesOf(facet.toLowerCase())} s
    where s.shown is not null`;
  const { rows } = await sql<Facet>`select v.value, count(*) as count
    from (${values}) v join catalogue_entities e on e.uid = v.uid
    where ${conditionOf({ ...conditions, search: null })}
    group by v.value order by count desc, v.value limit ${limit}`.execute(db);
  return rows;
}

/** JSON text by reference, of the existing entities that match the filter. */
export async function readEntityTexts(
  db: Db,
  { refs, ...conditions }: EntityConditions & { refs: readonly string[] },
): Promise<Map<string, string>> {
  const { rows } = await sql<{ ref: string; text: string }>`select e.ref, ${shownEntity} as text
    from catalogue_entities e where e.ref = any(${refs}::text[]) and ${conditionOf({ ...conditions, search: null })}`.execute(
    db,
  );
  return new Map(rows.map(({ ref, text }) => [ref, text]));
}

/**
 * Targets of the relations of one type from any of these entities, in lower case; the first ones by name. What an orphan
 * declares does not count: whoever took it out of its file has taken that back.
 */
export async function listTargets(
  db: Db,
  { refs, type, limit }: { refs: readonly string[]; type: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{
    ref: string;
  }>`select distinct lower(r.target_ref) as ref from catalogue_relations r
    join catalogue_entities d on d.uid = r.declared_by and not d.orphan
    where r.source_ref = any(${refs}::text[]) and r.type = ${type} order by ref limit ${limit}`.execute(db);
  return rows.map(({ ref }) => ref);
}

/**
 * The Location entities that name the files of these entities, by the reference of the entity; only those in
 * the catalogue.
 */
export async function readParents(
  db: Db,
  refs: readonly string[],
): Promise<Map<string, { text: string; parents: string[] }>> {
  const { rows } = await sql<{
    ref: string;
    text: string;
    parents: string[];
  }>`select e.ref, ${shownEntity} as text,
      array(select p.ref from catalogue_entities p where p.ref = any(e.parents) order by p.ref) as parents
    from catalogue_entities e where e.ref = any(${refs}::text[]) order by e.ref`.execute(db);
  return new Map(rows.map(({ ref, text, parents }) => [ref, { text, parents }]));
}
