/** Pure: the filters of a list of entities, as a request gives them. */

/** Any of `values` under `key`; without values the key only has to be there. Both in lower case. */
export interface FilterTerm {
  key: string;
  values: string[] | null;
}

/** One of the outer list holds when all of its inner terms do. An empty outer list holds for everything. */
export type EntityFilter = FilterTerm[][];

export const filterLimits = { filters: 50, terms: 50, chars: 10_000 } as const;

/** Null for filters that are too many or have a term without a key. */
export function parseFilters(texts: readonly string[]): EntityFilter | null {
  if (texts.length > filterLimits.filters || texts.join("").length > filterLimits.chars) return null;
  const filter: EntityFilter = [];
  for (const text of texts) {
    const terms = parseTerms(text);
    if (terms === null) return null;
    if (terms.length > 0) filter.push(terms);
  }
  return filter;
}

function parseTerms(text: string): FilterTerm[] | null {
  const terms = new Map<string, FilterTerm>();
  for (const part of text.split(",").map((each) => each.trim())) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const key = (equals === -1 ? part : part.slice(0, equals)).trim().toLowerCase();
    if (key === "" || terms.size >= filterLimits.terms) return null;
    const term = terms.get(key) ?? { key, values: null };
    // The same key again widens it: any of the values will do.
    if (equals !== -1)
      term.values = [
        ...(term.values ?? []),
        part
          .slice(equals + 1)
          .trim()
          .toLowerCase(),
      ];
    terms.set(key, term);
  }
  return [...terms.values()];
}

/** The values of a repeatable parameter in a URL, commas and all; null for text that is not well encoded. */
export function queryTexts(url: string, name: string): string[] | null {
  const start = url.indexOf("?");
  const found: string[] = [];
  for (const pair of start === -1 ? [] : url.slice(start + 1).split("&")) {
    const equals = pair.indexOf("=");
    const key = equals === -1 ? pair : pair.slice(0, equals);
    try {
      if (decodeURIComponent(key.replaceAll("+", " ")) !== name) continue;
      found.push(decodeURIComponent(pair.slice(key.length + 1).replaceAll("+", " ")));
    } catch {
      return null;
    }
  }
  return found;
}

/** An entity with only the wanted fields, given as paths in dots. */
export function pickFields(entity: object, fields: readonly string[]): object {
  const picked: Record<string, unknown> = {};
  for (const field of fields) copyField(entity, picked, field);
  return picked;
}

/** Keys may have dots in them, as annotations do: the longest that fits is taken at each level. */
function copyField(from: object, to: Record<string, unknown>, path: string): void {
  if (Object.hasOwn(from, path)) {
    setOwn(to, path, Reflect.get(from, path));
    return;
  }
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const key = path.slice(0, dot);
    const below: unknown = Object.hasOwn(from, key) ? Reflect.get(from, key) : undefined;
    if (typeof below !== "object" || below === null || Array.isArray(below)) continue;
    const known = Object.hasOwn(to, key) ? to[key] : {};
    const target: Record<string, unknown> = { ...(known as object) };
    copyField(below, target, path.slice(dot + 1));
    if (Object.keys(target).length > 0) setOwn(to, key, target);
    return;
  }
}

const setOwn = (target: Record<string, unknown>, key: string, value: unknown): void => {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
};
