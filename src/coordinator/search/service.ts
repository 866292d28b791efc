/** Searches all areas at once: each kind has a group of its own, so that one that is away or slow leaves the others alone. */
import { authorize, isAllowed } from "../../platform/auth/policy.ts";
import { Failure } from "../../platform/errors/failure.ts";
import type { CoordinatorContext } from "../context.ts";
import { searchKinds, type SearchSource } from "../ports.ts";
import { ownSearch } from "./own-sources.ts";
import { ranked } from "./rank.ts";
import type { SearchGroups, SearchQuery } from "./schema.ts";

type Group = SearchGroups["data"][number];

/** What is found of a kind at first; the best of them are shown. */
const candidates = 60;
/** A group that takes longer is left out: somebody is typing. */
const longestMs = 1_000;

export async function searchEverything(
  ctx: CoordinatorContext,
  { q, kind, limit }: SearchQuery,
): Promise<SearchGroups> {
  const { database, search } = ctx.coordinator;
  const sources = [...ownSearch(database.db), ...(search?.() ?? [])];
  for (const source of sources) if (kind.includes(source.kind)) authorize(ctx.actor, source.rule);
  const wanted = searchKinds.flatMap((each) =>
    sources.filter(
      (source) =>
        source.kind === each &&
        (kind.length === 0 || kind.includes(each)) &&
        isAllowed(ctx.actor, source.rule),
    ),
  );
  const data = await Promise.all(wanted.map((source) => groupOf(ctx, source, { text: q, limit })));
  return { data, meta: { limit } };
}

async function groupOf(
  ctx: CoordinatorContext,
  source: SearchSource,
  { text, limit }: { text: string; limit: number },
): Promise<Group> {
  const { kind } = source;
  try {
    const found = await inTime(source.find(ctx, { text, limit: candidates }));
    const items = ranked(text, found);
    return { kind, items: items.slice(0, limit), more: items.length > limit, unavailable: null };
  } catch (error) {
    ctx.log.warn({ kind, reason: (error as Error).message }, "a part of a search has failed");
    return { kind, items: [], more: false, unavailable: reasonOf(error) };
  }
}

class TooSlow extends Error {}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow(`no answer within ${longestMs} ms`)), longestMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** For people, without what is inside. */
function reasonOf(error: unknown): string {
  if (error instanceof TooSlow) return `It did not answer within ${longestMs / 1_000} s.`;
  return error instanceof Failure && error.kind !== "internal" ? error.message : "It could not be searched.";
}
