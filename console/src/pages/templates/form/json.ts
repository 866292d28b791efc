/** Pure: JSON values of templates, which have any shape. */

export type Values = Record<string, unknown>;

export const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const textOr = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;

/** Of one text, or a list that has texts. */
export const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === "string");

/** Items that have nothing of their own to be told apart by, each with its place. */
export const numbered = <T>(items: readonly T[]): { key: number; item: T }[] =>
  items.map((item, key) => ({ key, item }));

export const isSame = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
};

const unescapeKey = (key: string): string => key.replaceAll("~1", "/").replaceAll("~0", "~");

/** The keys of a JSON pointer: `/values/a~1b` has `values` and `a/b`. */
export const keysOf = (pointer: string): string[] => pointer.split("/").slice(1).map(unescapeKey);

/** What `#/definitions/name` refers to. */
export const definitionOf = (root: unknown, reference: string): unknown => {
  if (!reference.startsWith("#")) return undefined;
  let part = root;
  for (const key of keysOf(reference.slice(1)))
    part =
      typeof part === "object" && part !== null && Object.hasOwn(part, key)
        ? Reflect.get(part, key)
        : undefined;
  return part;
};
