/** Readers of search parameters for a route's validateSearch: what does not fit is left out, so that an old link opens all the same. */

type Raw = Record<string, unknown>;

export const textOf = (search: Raw, key: string): string | undefined => {
  const value = search[key];
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
};

export const oneOf = <const Word extends string>(
  search: Raw,
  key: string,
  words: readonly Word[],
): Word | undefined => words.find((word) => word === search[key]);

/** Several words of one parameter, in the order of `words`. */
export const someOf = <const Word extends string>(
  search: Raw,
  key: string,
  words: readonly Word[],
): Word[] => {
  const value = search[key];
  const chosen = Array.isArray(value) ? value : [value];
  return words.filter((word) => chosen.includes(word));
};

type Optional<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/** Leaves out what is undefined, so that a link need not name each parameter. */
export const optional = <T extends object>(search: T): Optional<T> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Optional<T>;
