/** Pure: parses the filters of an entity list request. */

/** The field `key` has one of `values`; without values it only has to exist. Both in lower case. */
export interface FilterTerm {
  key: string;
  values: string[] | null;
}

/**
 * A disjunction of conjunctions: matches when all terms of one inner list match. An empty outer list matches
 * everything.
 */
export type EntityFilter = FilterTerm[][];

export const filterLimits = { filters: 50, terms: 50, chars: 10_000 } as const;

/** Null when there are too many filters, or a term has no key. */
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
    // Repeating a key adds alternative values.
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

/** The values of a repeatable query parameter, including commas; null when the encoding is invalid. */
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

/** The entity with only the requested fields, given as paths with dots. */
export function pickFields(entity: object, fields: readonly string[]): object {
  const picked: Record<string, unknown> = {};
  for (const field of fields) copyField(entity, picked, field);
  return picked;
}

/** Keys may contain dots, as annotations do: at each level the longest matching key is used. */
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
