/** Reads a list page by page. The lists of the server are paged in four ways, each with a reader of the next page here. */
import { isRecord } from "../../platform/lib/is-record.ts";
import { callServer, type Server } from "../client/http.ts";

export type Query = Record<string, string | undefined>;

/** What a query needs for the page after this one; null after the last. */
export type NextPage<T> = (page: {
  items: readonly T[];
  pagination: Record<string, unknown>;
  offset: number;
}) => Query | null;

/** The server's own largest pages are no smaller. */
const pageSize = 100;

/** What `--limit` may be at most. */
export const maxLimit = 10_000;

const byCursor =
  (name: "cursor" | "after"): NextPage<unknown> =>
  ({ pagination }) =>
    typeof pagination["next"] === "string" ? { [name]: pagination["next"] } : null;

const byOffset: NextPage<unknown> = ({ items, pagination, offset }) =>
  items.length > 0 && offset < Number(pagination["total"] ?? 0) ? { offset: String(offset) } : null;

/** Pages of operations end between two start times; the list ends with an empty page. */
const byStartTime: NextPage<unknown> = ({ items, pagination }) => {
  const { minStartTime } = pagination;
  return items.length > 0 && typeof minStartTime === "string" ? { "start-time-before": minStartTime } : null;
};

/** The whole list is one answer. */
const once: NextPage<unknown> = () => null;

export const paging = {
  cursor: byCursor("cursor"),
  after: byCursor("after"),
  offset: byOffset,
  startTime: byStartTime,
  once,
};

/** What an area that is away could not list. */
interface Unavailable {
  kind: string;
  reason: string;
}

export interface Listed<T> {
  items: T[];
  /** Whether the server has more than were asked for. */
  hasMore: boolean;
  unavailable?: Unavailable[];
}

interface ListPage<T> {
  data: T[];
  meta?: { pagination?: unknown; unavailable?: Unavailable[] };
}

/** Entities in one page; the catalogue has none larger than 5,000. */
const entityPageSize = 500;

/** At most `limit` entries of a list of the catalogue, whose answers do not say where the next page begins. */
export async function readEntities<T>(
  read: (page: { limit: string; offset: string }) => Promise<T[]>,
  limit: number,
): Promise<Listed<T>> {
  const items: T[] = [];
  for (let isLast = false; !isLast && items.length <= limit;) {
    const size = Math.min(entityPageSize, limit + 1 - items.length);
    const page = await read({ limit: String(size), offset: String(items.length) });
    items.push(...page);
    isLast = page.length < size;
  }
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}

/** At most `limit` entries of several lists together, the oldest first. */
export function mergeLists<T extends { since: string }>(
  lists: readonly Listed<T>[],
  limit: number,
): Listed<T> {
  const items = lists
    .flatMap((list) => list.items)
    .sort((a, b) => (a.since === b.since ? 0 : a.since < b.since ? -1 : 1));
  return {
    items: items.slice(0, limit),
    hasMore: items.length > limit || lists.some(({ hasMore }) => hasMore),
    unavailable: lists.flatMap(({ unavailable = [] }) => unavailable),
  };
}

/** At most `limit` entries of a list `{data, meta: {pagination}}`. */
export async function readList<T>(
  server: Server,
  { path, query, limit, next }: { path: string; query: Query; limit: number; next: NextPage<unknown> },
): Promise<Listed<T>> {
  const items: T[] = [];
  const unavailable = new Map<string, Unavailable>();
  // One more than wanted says whether there are more.
  for (let more: Query | null = {}; more !== null && items.length <= limit;) {
    const size = next === once ? {} : { limit: String(Math.min(pageSize, limit + 1 - items.length)) };
    const asked: Query = { ...query, ...size, ...more };
    const { body } = await callServer<ListPage<T>>(server, {
      method: "GET",
      path,
      query: asked,
    });
    for (const item of body.data) items.push(item);
    for (const each of body.meta?.unavailable ?? []) unavailable.set(each.kind, each);
    const pagination = isRecord(body.meta?.pagination) ? body.meta.pagination : {};
    more = next({ items: body.data, pagination, offset: items.length });
  }
  return {
    items: items.slice(0, limit),
    hasMore: items.length > limit,
    unavailable: [...unavailable.values()],
  };
}
