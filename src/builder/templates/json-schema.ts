/** Pure: the parameter schemas of a template, as far as others than the validator have to know them. */

export interface JsonObject {
  [key: string]: unknown;
}

export type JsonSchema = JsonObject;

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Keywords that hold one schema, a list of them, or a map of them. */
const single = new Set([
  "items",
  "additionalItems",
  "additionalProperties",
  "contains",
  "if",
  "then",
  "else",
  "not",
]);
const lists = new Set(["oneOf", "anyOf", "allOf", "items"]);
const maps = new Set([
  "properties",
  "patternProperties",
  "definitions",
  "$defs",
  "dependencies",
  "dependentSchemas",
]);

const maxDepth = 40;

/**
 * A schema without what is meant for forms only, and without what is no JSON Schema: keys that begin with `ui:`, and a
 * `required` that is no list.
 */
export function plainSchema(schema: unknown, depth = 0): JsonSchema {
  if (!isRecord(schema) || depth > maxDepth) return {};
  const plain: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key.startsWith("ui:") || (key === "required" && !Array.isArray(value))) continue;
    plain[key] = plainKeyword(key, value, depth + 1);
  }
  // Each schema stands for itself: an id in one would be known to all others.
  delete plain["$id"];
  delete plain["$schema"];
  return plain;
}

function plainKeyword(key: string, value: unknown, depth: number): unknown {
  if (lists.has(key) && Array.isArray(value)) return value.map((item) => plainPart(item, depth));
  if (single.has(key)) return plainPart(value, depth);
  if (!maps.has(key) || !isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, Array.isArray(part) ? part : plainPart(part, depth)]),
  );
}

const plainPart = (part: unknown, depth: number): unknown =>
  typeof part === "boolean" ? part : plainSchema(part, depth);

/** Paths of fields whose values are secrets; `*` stands for every item of a list. */
export function secretFields(schema: unknown, path: string[] = []): string[][] {
  if (!isRecord(schema) || path.length > maxDepth) return [];
  if (isSecret(schema)) return [path];
  const { properties, items } = schema;
  const inside = isRecord(properties)
    ? Object.entries(properties).flatMap(([name, part]) => secretFields(part, [...path, name]))
    : [];
  const branches = ["oneOf", "anyOf", "allOf"].flatMap((key) =>
    Array.isArray(schema[key]) ? schema[key] : [],
  );
  const conditional = ["then", "else"].map((key) => schema[key]);
  const { dependencies } = schema;
  const dependent = isRecord(dependencies) ? Object.values(dependencies) : [];
  const alike = [...branches, ...conditional, ...dependent].flatMap((part) => secretFields(part, path));
  return [...inside, ...alike, ...secretFields(items, [...path, "*"])];
}

function isSecret(schema: JsonSchema): boolean {
  const options = schema["ui:options"];
  const widget = schema["ui:widget"] ?? (isRecord(options) ? options["widget"] : undefined);
  return widget === "password" || schema["ui:field"] === "Secret" || schema["format"] === "password";
}
