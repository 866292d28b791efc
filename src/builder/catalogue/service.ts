/** Reads entities as JSON text, in the formats that clients of the Backstage catalogue expect. */
import type { Problem } from "../../platform/errors/failure.ts";
import { pageCursor, readPageCursor } from "../../platform/lib/page-cursor.ts";
import type { BuilderContext } from "../context.ts";
import type { YamlMap, YamlValue } from "./entities/yaml.ts";
import { builderFailure } from "../errors.ts";
import { checkEntity } from "./entities/check-entity.ts";
import { isUuid } from "../../platform/lib/ids.ts";
import { normalRef, stringifyRef } from "../entity.ts";
import { parsePredicate, type Predicate } from "./predicate.ts";
import { parseLocationRef } from "./sources/target.ts";
import { parseFilters, pickFields, queryTexts, type EntityFilter } from "./filter.ts";
import {
  listLimits,
  type ByQueryQuery,
  type ByRefsBody,
  type FacetsBody,
  type FacetsQuery,
  type ListQuery,
  type NameParams,
  type PredicateQueryBody,
  type ValidateBody,
} from "./schema.ts";
import {
  countEntities,
  countFacet,
  listEntities,
  readEntityText,
  readEntityTextByUid,
  readEntityTexts,
  readParents,
  type EntityConditions,
  type EntityListQuery,
  type EntityPage,
  type Facet,
  type OrderField,
} from "./store.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export interface EntityListAnswer {
  json: string;
  /** `after` of the next page. */
  next: string | null;
  /** Instead of `json`: the text of a list that is too long to send at once. */
  pieces: AsyncIterable<string> | null;
}

/**
 * `GET /entities`. The filters are read from the raw URL, because a comma in them does not separate values.
 * Without a limit it returns all entities; those after the first batch are streamed.
 */
export async function getEntities(
  ctx: BuilderContext,
  query: ListQuery,
  url: string,
): Promise<EntityListAnswer> {
  const order = orderOf(query.order ?? [], ":", 0);
  const after = query.after === undefined ? null : readPageCursor(query.after, order.length + 1);
  if (query.after !== undefined && after === null)
    throw invalidQuery("after", "It is not where a list ended.");
  const db = ctx.builder.database.db;
  const isAll = query.limit === undefined;
  const wanted = { filter: filterOf(url), predicate: null, order, search: null };
  const page = (from: readonly string[] | null, offset: number): Promise<EntityPage> =>
    listEntities(db, {
      ...wanted,
      from: from && { keys: from, isBackwards: false },
      offset,
      limit: query.limit ?? piece,
    });
  const first = await page(after, query.offset);
  const next = first.hasMore ? first.last : null;
  if (!isAll || next === null) {
    return { json: listText(first.texts, query.fields), next: next && pageCursor(next), pieces: null };
  }
  const { fields } = query;
  async function* pieces(): AsyncGenerator<string> {
    yield `[${joined(first.texts, fields)}`;
    let from: readonly string[] | null = next;
    while (from !== null) {
      ctx.signal.throwIfAborted();
      const { texts, last, hasMore } = await page(from, 0);
      if (texts.length > 0) yield `,${joined(texts, fields)}`;
      from = hasMore ? last : null;
    }
    yield "]";
  }
  return { json: "", next: null, pieces: pieces() };
}

/** Entities per batch when all are listed: large enough for few statements, small enough for the memory. */
const piece = 500;

interface Cursor {
  filter: string[];
  /** The query as given in the request; clients recognise by this field which operation a cursor belongs to. */
  query?: YamlMap;
  order: OrderField[];
  search: EntityListQuery["search"];
  from: { keys: string[]; isBackwards: boolean };
}

/** A list request; the first page has no position to continue from. */
type EntityQuery = Omit<Cursor, "from"> & { from: Cursor["from"] | null };

/** `GET /entities/by-query`: with the total number, and a cursor that contains the whole request. */
export async function queryEntities(ctx: BuilderContext, query: ByQueryQuery, url: string): Promise<string> {
  const term = query.fullTextFilterTerm?.trim() ?? "";
  const asked: EntityQuery =
    query.cursor === undefined
      ? {
          filter: queryTexts(url, "filter") ?? [],
          order: orderOf(queryTexts(url, "orderField") ?? [], ",", 1),
          search: term === "" ? null : { term, fields: query.fullTextFilterFields ?? ["metadata.name"] },
          from: null,
        }
      : readCursor(query.cursor);
  return answerQuery(ctx, asked, query);
}

/** `POST /entities/by-query`: the same with a predicate. */
export async function queryByPredicate(ctx: BuilderContext, body: PredicateQueryBody): Promise<string> {
  const { cursor, query, orderBy = [], fullTextFilter, ...page } = body;
  const term = fullTextFilter?.term?.trim() ?? "";
  const asked: EntityQuery =
    cursor === undefined
      ? {
          filter: [],
          // oxlint-disable-next-line no-unsafe-type-assertion -- it was parsed from JSON
          query: (query ?? {}) as YamlMap,
          order: orderBy.map(({ field, order }) => ({ field, direction: order })),
          search: term === "" ? null : { term, fields: fullTextFilter?.fields ?? ["metadata.name"] },
          from: null,
        }
      : readCursor(cursor);
  return answerQuery(ctx, asked, page);
}

interface WantedPage {
  limit: number;
  offset: number;
  fields?: string[];
  totalItems?: string;
}

async function answerQuery(ctx: BuilderContext, asked: EntityQuery, query: WantedPage): Promise<string> {
  const db = ctx.builder.database.db;
  const filter = parseFilters(asked.filter);
  if (filter === null) throw invalidQuery("filter", "The filters are not as described, or too many.");
  const predicate = predicateOf(asked.query);
  const { search, order, from } = asked;
  const totalItems =
    query.totalItems === "exclude" ? 0 : await countEntities(db, { filter, predicate, search });
  const offset = from === null ? query.offset : 0;
  const page =
    query.limit === 0
      ? noEntities
      : await listEntities(db, { filter, predicate, search, order, from, offset, limit: query.limit });
  const cursorOf = (keys: string[] | null, isBackwards: boolean): string | undefined =>
    keys === null ? undefined : cursorText({ ...asked, from: { keys, isBackwards } });
  // A reader who came from somewhere has a page there; in the reading direction there is one only when more
  // entities follow.
  const hasNext = from?.isBackwards === true || page.hasMore;
  const hasPrevious = from?.isBackwards === true ? page.hasMore : from !== null || offset > 0;
  const pageInfo = {
    nextCursor: cursorOf(hasNext ? page.last : null, false),
    prevCursor: cursorOf(hasPrevious ? page.first : null, true),
  };
  return `{"items":${listText(page.texts, query.fields)},"totalItems":${totalItems},"pageInfo":${JSON.stringify(pageInfo)}}`;
}

const noEntities: EntityPage = { texts: [], first: null, last: null, hasMore: false };

/** Cursors with a predicate are plain base64, because clients decode them and support only that alphabet. */
const cursorText = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify(cursor)).toString(cursor.query === undefined ? "base64url" : "base64");

/** Throws a Failure with all problems of the predicate. */
function predicateOf(query: unknown): Predicate | null {
  if (query === undefined) return null;
  const parsed = parsePredicate(query, "/query");
  if ("predicate" in parsed) return parsed.predicate;
  throw builderFailure("BUILDER_INVALID_QUERY", {
    message: "The query is not valid.",
    problems: parsed.problems,
  });
}

function readCursor(text: string): Cursor {
  try {
    const cursor: YamlValue = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (isRecord(cursor) && isCursor(cursor)) return cursor;
  } catch {
    // Reported below, like any other text that is not a cursor.
  }
  throw invalidQuery("cursor", "It is not a cursor of an earlier answer.");
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.every((text) => typeof text === "string" && !text.includes("\0") && text.isWellFormed());

function isCursor(cursor: object): cursor is Cursor {
  const { filter, query, order, search, from } = cursor as Partial<Record<keyof Cursor, YamlValue>>;
  const isOrder =
    Array.isArray(order) &&
    order.length <= 10 &&
    order.every(
      (each) =>
        isRecord(each) &&
        areTexts([each["field"]]) &&
        (each["direction"] === "asc" || each["direction"] === "desc"),
    );
  const isSearch =
    search === null || (isRecord(search) && areTexts([search["term"]]) && areTexts(search["fields"]));
  if (!isRecord(from) || typeof from["isBackwards"] !== "boolean") return false;
  if (query !== undefined && !isRecord(query)) return false;
  const { keys } = from;
  return isOrder && isSearch && areTexts(filter) && areTexts(keys) && keys.length === order.length + 1;
}

function filterOf(url: string): EntityFilter {
  const texts = queryTexts(url, "filter");
  const filter = texts && parseFilters(texts);
  if (filter === null) throw invalidQuery("filter", "The filters are not as described, or too many.");
  return filter;
}

/** `asc:field` or `field,asc`: the direction precedes or follows the separator. */
function orderOf(texts: readonly string[], separator: ":" | ",", directionAt: 0 | 1): OrderField[] {
  return texts.map((text) => {
    const cut = directionAt === 0 ? text.indexOf(separator) : text.lastIndexOf(separator);
    const parts = cut === -1 ? [text, "asc"] : [text.slice(0, cut), text.slice(cut + 1)];
    const [field, direction] = directionAt === 0 && cut !== -1 ? [parts[1], parts[0]] : parts;
    if (
      (direction !== "asc" && direction !== "desc") ||
      field === undefined ||
      field === "" ||
      field.includes("\0")
    ) {
      throw invalidQuery(
        directionAt === 0 ? "order" : "orderField",
        "It needs a field and one of asc and desc.",
      );
    }
    return { field, direction };
  });
}

/** Joins the stored texts unchanged, unless only some fields are requested. */
const listText = (texts: readonly string[], fields: readonly string[] | undefined): string =>
  `[${joined(texts, fields)}]`;

const joined = (texts: readonly string[], fields: readonly string[] | undefined): string =>
  texts.map((text) => partText(text, fields)).join(",");

function partText(text: string, fields: readonly string[] | undefined): string {
  if (fields === undefined || fields.length === 0) return text;
  const entity: object = JSON.parse(text);
  return JSON.stringify(pickFields(entity, fields));
}

/** `POST /entities/by-refs`: one item for each reference, null for an entity that does not exist. */
export async function getEntitiesByRefs(ctx: BuilderContext, body: ByRefsBody, url: string): Promise<string> {
  const refs = body.entityRefs.map((ref) => normalRef(ref));
  const known = refs.filter((ref) => ref !== null);
  const wanted = { refs: known, filter: filterOf(url), predicate: predicateOf(body.query) };
  const texts = await readEntityTexts(ctx.builder.database.db, wanted);
  const items = refs.map((ref) => {
    const text = ref === null ? undefined : texts.get(ref);
    return text === undefined ? "null" : partText(text, body.fields);
  });
  return `{"items":[${items.join(",")}]}`;
}

export async function getEntityByName(ctx: BuilderContext, params: NameParams): Promise<string> {
  const ref = stringifyRef(params);
  return (await readEntityText(ctx.builder.database.db, ref)) ?? notFound(ref);
}

export async function getEntityByUid(ctx: BuilderContext, uid: string): Promise<string> {
  const text = isUuid(uid) ? await readEntityTextByUid(ctx.builder.database.db, uid) : null;
  return text ?? notFound(uid);
}

/** Maximum number of entities of one ancestry; circular references between Locations count once. */
const maxAncestors = 200;

/** The entity, and the Location entities through which its file was found, up to the registered target. */
export async function getAncestry(ctx: BuilderContext, params: NameParams): Promise<string> {
  const root = stringifyRef(params);
  const found = new Map<string, { text: string; parents: string[] }>();
  let level = [root];
  while (level.length > 0 && found.size < maxAncestors) {
    const read = await readParents(ctx.builder.database.db, level);
    for (const [ref, ancestor] of read) found.set(ref, ancestor);
    level = [...new Set([...read.values()].flatMap(({ parents }) => parents))]
      .filter((ref) => !found.has(ref))
      .slice(0, maxAncestors - found.size);
  }
  if (!found.has(root)) return notFound(root);
  const items = [...found.values()].map(
    ({ text, parents }) => `{"entity":${text},"parentEntityRefs":${JSON.stringify(parents)}}`,
  );
  return `{"rootEntityRef":${JSON.stringify(root)},"items":[${items.join(",")}]}`;
}

export const getFacets = (ctx: BuilderContext, query: FacetsQuery, url: string) =>
  countFacets(ctx, { wanted: query.facet, where: "facet" }, { filter: filterOf(url), predicate: null });

export const queryFacets = (ctx: BuilderContext, { facets, query }: FacetsBody) =>
  countFacets(ctx, { wanted: facets, where: "facets" }, { filter: [], predicate: predicateOf(query) });

const tooManyValues = `The fields have more than ${listLimits.values} values together; count fewer fields, or fewer entities.`;

async function countFacets(
  ctx: BuilderContext,
  { wanted, where }: { wanted: readonly string[]; where: "facet" | "facets" },
  conditions: EntityConditions,
) {
  const facets: Record<string, Facet[]> = Object.create(null);
  let left: number = listLimits.values;
  for (const facet of new Set(wanted)) {
    const values = await countFacet(ctx.builder.database.db, { facet, ...conditions, limit: left + 1 });
    left -= values.length;
    // Clients take a list for the whole one, so it is never cut.
    if (left < 0) throw invalidQuery(where, tooManyValues);
    facets[facet] = values;
  }
  return { facets };
}

/** Throws a Failure with all problems of the document. */
export function validateEntity(body: ValidateBody): void {
  const problems: Problem[] = checkEntity(body.entity as YamlValue).map(({ pointer, message }) => ({
    where: `/entity${pointer}`,
    message,
  }));
  if (parseLocationRef(body.location) === null) {
    problems.push({ where: "/location", message: "A location is written type:target." });
  }
  if (problems.length === 0) return;
  throw builderFailure("BUILDER_INVALID_ENTITY", {
    message: "The document is not a valid entity.",
    problems,
  });
}

const notFound = (ref: string): never => {
  throw builderFailure("BUILDER_ENTITY_NOT_FOUND", { message: `There is no entity ${ref.slice(0, 200)}.` });
};

const invalidQuery = (where: string, message: string) =>
  builderFailure("BUILDER_INVALID_QUERY", {
    message: `The parameter ${where} is not valid.`,
    problems: [{ where, message }],
  });
