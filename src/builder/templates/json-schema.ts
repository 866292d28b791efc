/** Pure: parameter schemas of a template, as far as code other than the validator uses them. */
import { unescapeKey } from "../../platform/lib/json-pointer.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export interface JsonObject {
  [key: string]: unknown;
}

export type JsonSchema = JsonObject;

/** Keywords whose value is one schema, a list of schemas, or a map of schemas. */
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
 * The schema without keys for forms only (`ui:`) and without parts that are not valid JSON Schema, such as a
 * `required` that is not a list.
 */
export function plainSchema(schema: unknown, depth = 0): JsonSchema {
  if (!isRecord(schema) || depth > maxDepth) return {};
  const plain: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key.startsWith("ui:") || (key === "required" && !Array.isArray(value))) continue;
    plain[key] = plainKeyword(key, value, depth + 1);
  }
  // Without ids: the id of one schema would be visible to all others.
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

/**
 * How often a definition is followed within itself: a secret deeper in a recursive definition is not
 * detected.
 */
const maxRepeats = 3;
/** Definitions that lead from one to the next, and the length of the reference to one. */
const maxChain = 100;
const maxRefLength = 1_000;

/** Parts of schemas that are looked at for secrets, of all pages of one form together. */
interface SearchBudget {
  parts: number;
}

export const secretSearch = (): SearchBudget => ({ parts: 20_000 });

/**
 * Paths of the fields whose values are secrets; `*` stands for every item of a list and every value of a map.
 * Null for a page with too many paths to follow.
 */
export function secretFields(page: unknown, budget: SearchBudget = secretSearch()): string[][] | null {
  const found = new Map<string, string[]>();
  const walk = (schema: unknown, path: string[], refs: readonly string[]): void => {
    if (schema === undefined) return;
    budget.parts -= 1;
    if (budget.parts < 0 || !isRecord(schema) || path.length > maxDepth) return;
    if (isSecret(schema)) return void found.set(JSON.stringify(path), path);
    for (const [name, part] of Object.entries(isRecord(schema["properties"]) ? schema["properties"] : {}))
      walk(part, [...path, name], refs);
    for (const part of anyChild(schema)) walk(part, [...path, "*"], refs);
    for (const part of alternatives(schema)) walk(part, path, refs);
    const ref = schema["$ref"];
    if (typeof ref !== "string" || refs.filter((each) => each === ref).length >= maxRepeats) return;
    // What is not followed may hide a secret.
    if (refs.length >= maxChain || ref.length > maxRefLength) budget.parts = -1;
    else walk(definitionOf(page, ref), path, [...refs, ref]);
  };
  walk(page, [], []);
  return budget.parts < 0 ? null : [...found.values()];
}

/** Schemas of values whose keys are not known in advance. */
const anyChild = (schema: JsonSchema): unknown[] => [
  ...listOf(schema["items"]),
  schema["additionalItems"],
  schema["contains"],
  schema["additionalProperties"],
  ...(isRecord(schema["patternProperties"]) ? Object.values(schema["patternProperties"]) : []),
];

/** Schemas of the value itself, any of which may apply. */
const alternatives = (schema: JsonSchema): unknown[] => [
  ...["oneOf", "anyOf", "allOf"].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : [])),
  ...["if", "then", "else"].map((key) => schema[key]),
  ...["dependencies", "dependentSchemas"].flatMap((key) =>
    isRecord(schema[key]) ? Object.values(schema[key]) : [],
  ),
];

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** The part of a page that `#/definitions/name` refers to. */
export function definitionOf(page: unknown, ref: string): unknown {
  if (!ref.startsWith("#/")) return undefined;
  let part: unknown = page;
  for (const key of ref.slice(2).split("/")) {
    const name = unescapeKey(key);
    part =
      (isRecord(part) || Array.isArray(part)) && Object.hasOwn(part, name)
        ? Reflect.get(part, name)
        : undefined;
  }
  return part;
}

function isSecret(schema: JsonSchema): boolean {
  const options = schema["ui:options"];
  const widget = schema["ui:widget"] ?? (isRecord(options) ? options["widget"] : undefined);
  return widget === "password" || schema["ui:field"] === "Secret" || schema["format"] === "password";
}
