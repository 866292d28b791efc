/**
 * Pure: YAML maps with string keys only, as in JSON. YAML also allows a map or a list as a key; such a key
 * becomes its YAML text, so that `- {{ host }}`, which users write without quotes, is the map with the key `{
 * host }`.
 */
import { defineMappingTag, mapTag } from "js-yaml";

/** Longest such text, and most values visited for it, because aliases could expand to any number. */
const maxKeyChars = 1_000;
const maxKeyValues = 100;

const { create, keys, get, identify } = mapTag;

export const mapWithTextKeys = defineMappingTag<Record<string, unknown>>("tag:yaml.org,2002:map", {
  create,
  keys,
  get,
  identify,
  addPair(container, key, value) {
    const text = keyText(key);
    return text === null
      ? `a key that is a map or a list has at most ${maxKeyChars} characters`
      : mapTag.addPair(container, text, value);
  },
  has(container, key) {
    const text = keyText(key);
    return text !== null && mapTag.has(container, text);
  },
});

/** Null for a key that is too large. Scalar keys stay unchanged. */
function keyText(key: unknown): unknown {
  if (typeof key !== "object" || key === null) return key;
  const text = flowText(key, { values: maxKeyValues });
  return text.length > maxKeyChars ? null : text;
}

function flowText(value: unknown, budget: { values: number }): string {
  budget.values -= 1;
  if (budget.values < 0) return "x".repeat(maxKeyChars + 1);
  if (Array.isArray(value))
    return wrapped(
      "[",
      value.map((item) => flowText(item, budget)),
      "]",
    );
  if (typeof value !== "object" || value === null) return String(value);
  const pairs = Object.entries(value).map(([key, item]) =>
    item === null ? key : `${key}: ${flowText(item, budget)}`,
  );
  return wrapped("{", pairs, "}");
}

const wrapped = (open: string, parts: readonly string[], close: string): string =>
  parts.length === 0 ? open + close : `${open} ${parts.join(", ")} ${close}`;
