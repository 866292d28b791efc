/** Locations that match a predicate, in pages. */
import type { YamlValue } from "../entities/yaml.ts";
import type { BuilderContext } from "../../context.ts";
import { builderFailure } from "../../errors.ts";
import { holdsFor, parsePredicate } from "../predicate.ts";
import type { LocationsQueryBody } from "./schema.ts";
import { getLocations, type LocationView } from "./service.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

export interface LocationsPage {
  items: LocationView[];
  totalItems: number;
  pageInfo: { nextCursor?: string };
}

/** Scans all locations, of which there are at most `maxLocations`. */
export async function queryLocations(ctx: BuilderContext, body: LocationsQueryBody): Promise<LocationsPage> {
  const { query, limit, after } =
    body.cursor === undefined ? { ...body, after: null } : readCursor(body.cursor);
  const parsed = query === undefined ? null : parsePredicate(query, "/query");
  if (parsed !== null && "problems" in parsed) {
    throw builderFailure("BUILDER_INVALID_QUERY", {
      message: "The query is not valid.",
      problems: parsed.problems,
    });
  }
  const all = (await getLocations(ctx))
    .filter(({ id, type, target }) => parsed === null || holdsFor(parsed.predicate, { id, type, target }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const rest = after === null ? all : all.filter(({ id }) => id > after);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  const hasMore = rest.length > items.length && last !== undefined;
  const cursor = hasMore ? { limit, after: last.id, ...(query === undefined ? {} : { query }) } : null;
  return {
    items,
    totalItems: all.length,
    pageInfo:
      cursor === null ? {} : { nextCursor: Buffer.from(JSON.stringify(cursor)).toString("base64url") },
  };
}

function readCursor(text: string): { query?: object; limit: number; after: string } {
  try {
    const cursor: YamlValue = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (isRecord(cursor)) {
      const { query, limit, after } = cursor;
      const isSound = typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= 5_000;
      if (isSound && typeof after === "string" && (query === undefined || isRecord(query))) {
        return { limit, after, ...(query === undefined ? {} : { query }) };
      }
    }
  } catch {
    // Reported below, like any other text that is not a cursor.
  }
  throw builderFailure("BUILDER_INVALID_QUERY", {
    message: "The parameter cursor is not valid.",
    problems: [{ where: "/cursor", message: "It is not a cursor of an earlier answer." }],
  });
}
