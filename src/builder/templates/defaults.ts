/** Pure: fills in defaults, including those of conditional branches that apply to the value. */
import type { JsonObject, JsonSchema } from "./json-schema.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export type Fits = (part: JsonSchema, value: unknown) => boolean;

const maxDepth = 40;

/** Changes the value in place. A branch applies when the value matches it without its defaults. */
export function applyDefaults(schema: JsonSchema, value: JsonObject, fits: Fits, depth = 0): void {
  if (depth > maxDepth) return;
  fillProperties(schema, value, fits, depth);
  for (const part of partsThatApply(schema, value, fits)) applyDefaults(part, value, fits, depth + 1);
}

function fillProperties(schema: JsonSchema, value: JsonObject, fits: Fits, depth: number): void {
  const { properties, required } = schema;
  if (!isRecord(properties)) return;
  for (const [name, part] of Object.entries(properties)) {
    if (!isRecord(part)) continue;
    const isRequired = Array.isArray(required) && required.includes(name);
    if (!Object.hasOwn(value, name) && isWanted(part, isRequired, fits)) define(value, name, part["default"]);
    // A section with nested defaults is created even when the user left it out.
    if (!Object.hasOwn(value, name) && hasInnerDefault(part, 0)) define(value, name, {});
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    if (isRecord(own)) applyDefaults(part, own, fits, depth + 1);
    const { items } = part;
    if (!Array.isArray(own) || !isRecord(items)) continue;
    for (const item of own) if (isRecord(item)) applyDefaults(items, item, fits, depth + 1);
  }
}

/**
 * A default that its own schema refuses, such as an empty string for a field with a pattern, means that the
 * field stays empty. For a required field it is used nevertheless, and reported as invalid.
 */
const isWanted = (part: JsonSchema, isRequired: boolean, fits: Fits): boolean =>
  part["default"] !== undefined && (isRequired || isRecord(part["default"]) || fits(part, part["default"]));

/** Defines any key as an own property, also `__proto__`. */
function define(value: JsonObject, name: string, given: unknown): void {
  const copy: unknown = structuredClone(given);
  Object.defineProperty(value, name, { value: copy, enumerable: true, writable: true, configurable: true });
}

const hasInnerDefault = (schema: JsonSchema, depth: number): boolean =>
  depth < maxDepth &&
  isRecord(schema["properties"]) &&
  Object.values(schema["properties"]).some(
    (part) => isRecord(part) && (part["default"] !== undefined || hasInnerDefault(part, depth + 1)),
  );

function partsThatApply(schema: JsonSchema, value: JsonObject, fits: Fits): JsonSchema[] {
  const { dependencies } = schema;
  const dependent = isRecord(dependencies)
    ? Object.entries(dependencies).flatMap(([name, part]) => (Object.hasOwn(value, name) ? [part] : []))
    : [];
  const chosen = ["oneOf", "anyOf"].flatMap((key) => {
    const branches: unknown = schema[key];
    if (!Array.isArray(branches)) return [];
    return branches.filter((branch) => isRecord(branch) && fits(withoutDefaulted(branch), value)).slice(0, 1);
  });
  const { allOf } = schema;
  return [
    ...dependent,
    ...chosen,
    ...(Array.isArray(allOf) ? allOf : []),
    conditional(schema, value, fits),
  ].filter(isRecord);
}

function conditional(schema: JsonSchema, value: JsonObject, fits: Fits): unknown {
  const condition = schema["if"];
  if (!isRecord(condition)) return undefined;
  return fits(condition, value) ? schema["then"] : schema["else"];
}

const relaxed = new WeakMap<JsonSchema, JsonSchema>();

/** A branch that requires properties with defaults also applies without them. */
function withoutDefaulted(branch: JsonSchema): JsonSchema {
  const { required, properties } = branch;
  if (!Array.isArray(required) || !isRecord(properties)) return branch;
  let copy = relaxed.get(branch);
  if (copy === undefined) {
    const left = required.filter((name) => {
      const part = properties[String(name)];
      return !(isRecord(part) && part["default"] !== undefined);
    });
    copy = { ...branch, required: left };
    relaxed.set(branch, copy);
  }
  return copy;
}
