/** Pure: which values of a page are secrets. They stay in the memory of the page and are shown as dots. */
import { definitionOf, isRecord, type Values } from "./json.ts";

export const hidden = "••••••";

const maxDepth = 12;

/** Paths of secret fields; `*` stands for every item of a list and every other key of a map. */
export const secretPaths = (page: unknown): string[][] => {
  const found: string[][] = [];
  const walk = (schema: unknown, path: readonly string[], depth: number): void => {
    if (!isRecord(schema) || depth > maxDepth) return;
    if (isSecret(schema)) return void found.push([...path]);
    if (isRecord(schema["properties"]))
      for (const [name, part] of Object.entries(schema["properties"])) walk(part, [...path, name], depth + 1);
    for (const part of [schema["items"], schema["additionalProperties"]].flat())
      walk(part, [...path, "*"], depth + 1);
    for (const part of alternatives(schema)) walk(part, path, depth + 1);
    if (typeof schema["$ref"] === "string") walk(definitionOf(page, schema["$ref"]), path, depth + 1);
  };
  walk(page, [], 0);
  return found;
};

const alternatives = (schema: Values): unknown[] => [
  ...["allOf", "anyOf", "oneOf", "then", "else"].flatMap((key) => schema[key]),
  ...["dependencies", "dependentSchemas"].flatMap((key) =>
    isRecord(schema[key]) ? Object.values(schema[key]) : [],
  ),
];

const isSecret = (schema: Values): boolean => {
  const options = schema["ui:options"];
  const widget = schema["ui:widget"] ?? (isRecord(options) ? options["widget"] : undefined);
  return widget === "password" || schema["ui:field"] === "Secret" || schema["format"] === "password";
};

/** A copy in which secrets are replaced, or left out where `replacement` is undefined. */
export const withoutSecrets = <T>(value: T, paths: readonly string[][], replacement?: string): T =>
  paths.reduce((copy, path) => replace(copy, path, replacement), value);

const replace = <T>(value: T, [key, ...rest]: readonly string[], replacement: string | undefined): T => {
  if (key === undefined || typeof value !== "object" || value === null) return value;
  const change = (part: unknown): unknown =>
    rest.length > 0 ? replace(part, rest, replacement) : part === undefined ? undefined : replacement;
  if (Array.isArray(value)) return (key === "*" ? value.map(change) : value) as T;
  const entries = Object.entries(value).map(([name, part]) =>
    name === key || key === "*" ? [name, change(part)] : [name, part],
  );
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined)) as T;
};
