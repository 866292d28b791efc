/** YAML of values, as people edit and compare them. Import it from lazy parts only. */
import { dump, load } from "js-yaml/browser";

export const toYaml = (value: unknown): string =>
  value === undefined ? "" : dump(value, { lineWidth: 100, noRefs: true });

/** Throws where the text is not one YAML document; its message has the line. */
export const fromYaml = (text: string): unknown => load(text);

export interface ChangedField {
  /** JSON pointer. */
  field: string;
  environment?: unknown;
  otherEnvironment?: unknown;
}

/** The changed fields of one side alone, nested as in the descriptor. */
export const changedFieldsAsYaml = (
  fields: readonly ChangedField[],
  side: "environment" | "otherEnvironment",
): string => {
  let whole: unknown = {};
  for (const change of fields) {
    const value = change[side];
    if (value === undefined) continue;
    const path = keysOf(change.field);
    if (path.length === 0) whole = value;
    else place(whole as Record<string, unknown>, path, value);
  }
  return Object.keys(whole as object).length === 0 ? "" : toYaml(whole);
};

const keysOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

const place = (target: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  const [key = "", ...rest] = path;
  if (rest.length === 0) {
    define(target, key, value);
    return;
  }
  const there = Object.hasOwn(target, key) ? target[key] : undefined;
  const next = typeof there === "object" && there !== null ? (there as Record<string, unknown>) : {};
  define(target, key, next);
  place(next, rest, value);
};

/** A key such as `__proto__` of a descriptor becomes a key like any other. */
const define = (target: Record<string, unknown>, key: string, value: unknown): void => {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
};
