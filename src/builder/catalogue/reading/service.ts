/** Reads entities as JSON text, in the shapes that clients of such catalogues know. */
import type { Problem } from "../../../platform/errors/failure.ts";
import { pageCursor, readPageCursor } from "../../../platform/lib/page-cursor.ts";
import type { BuilderContext } from "../../context.ts";
import { isMap, type YamlValue } from "../../descriptors/entities/yaml.ts";
import { builderFailure } from "../../errors.ts";
import { checkEntity } from "../entities/check-entity.ts";
import { isUuid } from "../../../platform/lib/ids.ts";
import { normalRef, stringifyRef } from "../entity-ref.ts";
import { parseLocationRef } from "../sources/target.ts";
import { parseFilters, pickFields, queryTexts, type EntityFilter } from "./filter.ts";
import {
  listLimits,
  type ByQueryQuery,
  type ByRefsBody,
  type FacetsQuery,
  type ListQuery,
  type NameParams,
  type ValidateBody,
} from "./schema.ts";
import {
  countEntities,
  countFacet,
  listEntities,
  readEntityText,
  readEntityTextByUid,
  readEntityTexts,
  type EntityListQuery,
  type EntityPage,
  type OrderField,
} from "./store.ts";

export interface EntityListAnswer {
  json: string;
  /** `after` of the next page. */
  next: string | null;
}

/** `GET /entities`. The filters are taken from the URL itself, since a comma in them is no separator of values. */
export async function getEntities(
  ctx: BuilderContext,
  query: ListQuery,
  url: string,
): Promise<EntityListAnswer> {
  const order = orderOf(query.order ?? [], ":", 0);
  const after = query.after === undefined ? null : readPageCursor(query.after, order.length + 1);
  if (query.after !== undefined && after === null)
    throw invalidQuery("after", "It is not where a list ended.");
  const filter = filterOf(url);
  const { texts, last, hasMore } = await listEntities(ctx.builder.database.kysely, {
    ...query,
    filter,
    order,
    from: after && { keys: after, isBackwards: false },
    search: null,
  });
  return { json: listText(texts, query.fields), next: hasMore && last !== null ? pageCursor(last) : null };
}

interface Cursor {
  filter: string[];
  order: OrderField[];
  search: EntityListQuery["search"];
  from: { keys: string[]; isBackwards: boolean };
}

/** `GET /entities/by-query`: with the number of all, and a cursor that holds the whole question. */
export async function queryEntities(ctx: BuilderContext, query: ByQueryQuery, url: string): Promise<string> {
  const db = ctx.builder.database.kysely;
  const term = query.fullTextFilterTerm?.trim() ?? "";
  const asked =
    query.cursor === undefined
      ? {
          filter: queryTexts(url, "filter") ?? [],
          order: orderOf(queryTexts(url, "orderField") ?? [], ",", 1),
          search: term === "" ? null : { term, fields: query.fullTextFilterFields ?? ["metadata.name"] },
          from: null,
        }
      : readCursor(query.cursor);
  const filter = parseFilters(asked.filter);
  if (filter === null) throw invalidQuery("filter", "The filters are not as described, or too many.");
  const { search, order, from } = asked;
  const totalItems = await countEntities(db, { filter, search });
  const offset = from === null ? query.offset : 0;
  const page =
    query.limit === 0
      ? noEntities
      : await listEntities(db, { filter, search, order, from, offset, limit: query.limit });
  const cursorOf = (keys: string[] | null, isBackwards: boolean): string | undefined =>
    keys === null
      ? undefined
      : cursorText({ filter: asked.filter, order: [...order], search, from: { keys, isBackwards } });
  // Where a reader came from there is a page; in the direction of reading only when there are more.
  const hasNext = from?.isBackwards === true || page.hasMore;
  const hasPrevious = from?.isBackwards === true ? page.hasMore : from !== null || offset > 0;
  const pageInfo = {
    nextCursor: cursorOf(hasNext ? page.last : null, false),
    prevCursor: cursorOf(hasPrevious ? page.first : null, true),
  };
  return `{"items":${listText(page.texts, query.fields)},"totalItems":${totalItems},"pageInfo":${JSON.stringify(pageInfo)}}`;
}

const noEntities: EntityPage = { texts: [], first: null, last: null, hasMore: false };

const cursorText = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url");

function readCursor(text: string): Cursor {
  try {
    const cursor: YamlValue = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (isMap(cursor) && isCursor(cursor)) return cursor;
  } catch {
    // Answered below, as any other text that is none.
  }
  throw invalidQuery("cursor", "It is not a cursor of an earlier answer.");
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.every((text) => typeof text === "string" && !text.includes("\0") && text.isWellFormed());

function isCursor(cursor: object): cursor is Cursor {
  const { filter, order, search, from } = cursor as Partial<Record<keyof Cursor, YamlValue>>;
  const isOrder =
    Array.isArray(order) &&
    order.length <= 10 &&
    order.every(
      (each) =>
        isMap(each) &&
        areTexts([each["field"]]) &&
        (each["direction"] === "asc" || each["direction"] === "desc"),
    );
  const isSearch =
    search === null || (isMap(search) && areTexts([search["term"]]) && areTexts(search["fields"]));
  if (!isMap(from) || typeof from["isBackwards"] !== "boolean") return false;
  const { keys } = from;
  return isOrder && isSearch && areTexts(filter) && areTexts(keys) && keys.length === order.length + 1;
}

function filterOf(url: string): EntityFilter {
  const texts = queryTexts(url, "filter");
  const filter = texts && parseFilters(texts);
  if (filter === null) throw invalidQuery("filter", "The filters are not as described, or too many.");
  return filter;
}

/** `asc:field` or `field,asc`: the direction is before or after the separator. */
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

/** The texts as they are, unless only some fields are wanted. */
function listText(texts: readonly string[], fields: readonly string[] | undefined): string {
  return `[${texts.map((text) => partText(text, fields)).join(",")}]`;
}

function partText(text: string, fields: readonly string[] | undefined): string {
  if (fields === undefined || fields.length === 0) return text;
  const entity: object = JSON.parse(text);
  return JSON.stringify(pickFields(entity, fields));
}

/** `POST /entities/by-refs`: as many items as references, null for what is not there. */
export async function getEntitiesByRefs(ctx: BuilderContext, body: ByRefsBody, url: string): Promise<string> {
  const refs = body.entityRefs.map((ref) => normalRef(ref));
  const known = refs.filter((ref) => ref !== null);
  const filter = filterOf(url);
  const texts = await readEntityTexts(ctx.builder.database.kysely, { refs: known, filter });
  const items = refs.map((ref) => {
    const text = ref === null ? undefined : texts.get(ref);
    return text === undefined ? "null" : partText(text, body.fields);
  });
  return `{"items":[${items.join(",")}]}`;
}

export async function getEntityByName(ctx: BuilderContext, params: NameParams): Promise<string> {
  const ref = stringifyRef(params);
  return (await readEntityText(ctx.builder.database.kysely, ref)) ?? notFound(ref);
}

export async function getEntityByUid(ctx: BuilderContext, uid: string): Promise<string> {
  const text = isUuid(uid) ? await readEntityTextByUid(ctx.builder.database.kysely, uid) : null;
  return text ?? notFound(uid);
}

/** Entities here come from their location at once, so an entity is its own only ancestor. */
export async function getAncestry(ctx: BuilderContext, params: NameParams): Promise<string> {
  const text = await getEntityByName(ctx, params);
  return `{"rootEntityRef":${JSON.stringify(stringifyRef(params))},"items":[{"entity":${text},"parentEntityRefs":[]}]}`;
}

export async function getFacets(ctx: BuilderContext, query: FacetsQuery, url: string) {
  const filter = filterOf(url);
  const facets: Record<string, { value: string; count: number }[]> = Object.create(null);
  for (const facet of new Set(query.facet)) {
    facets[facet] = await countFacet(ctx.builder.database.kysely, {
      facet,
      filter,
      limit: listLimits.values,
    });
  }
  return { facets };
}

/** Throws a Failure with all that is wrong with the document. */
export function validateEntity(body: ValidateBody): void {
  const problems: Problem[] = checkEntity(body.entity as YamlValue).map(({ pointer, message }) => ({
    where: `/entity${pointer}`,
    message,
  }));
  if (parseLocationRef(body.location) === null) {
    problems.push({ where: "/location", message: "A location is written type:target." });
  }
  if (problems.length === 0) return;
  throw builderFailure("BUILDER_INVALID_ENTITY", { message: "The document is no sound entity.", problems });
}

const notFound = (ref: string): never => {
  throw builderFailure("BUILDER_ENTITY_NOT_FOUND", { message: `There is no entity ${ref.slice(0, 200)}.` });
};

const invalidQuery = (where: string, message: string) =>
  builderFailure("BUILDER_INVALID_QUERY", {
    message: `The parameter ${where} is not valid.`,
    problems: [{ where, message }],
  });
