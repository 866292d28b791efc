/** Pure: how each argument of a tool is edited, from the JSON Schema of its arguments. */

export interface JsonSchema {
  type?: unknown;
  enum?: unknown;
  const?: unknown;
  description?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  anyOf?: JsonSchema[];
  default?: unknown;
}

export type Arguments = Record<string, unknown>;

export type FieldKind = "text" | "number" | "truth" | "choice" | "lines" | "json";

export interface Field {
  name: string;
  kind: FieldKind;
  schema: JsonSchema;
  isRequired: boolean;
  description: string;
  options: string[];
}

/**
 * Those that have a value or need one, in the order of the schema; then what the schema does not know. What the model has given decides
 * how an argument is edited: a field that became another one while one writes would lose the focus.
 */
export const shownFields = (
  schema: JsonSchema | null,
  { original, value }: { original: Arguments; value: Arguments },
): Field[] => {
  const known = Object.keys(schema?.properties ?? {});
  const required = new Set(schema?.required);
  const names = [
    ...known.filter((name) => name in value || required.has(name)),
    ...Object.keys(value).filter((name) => !known.includes(name)),
  ];
  return names.map((name) => fieldOf(schema, name, name in original ? original[name] : value[name]));
};

/** Names of optional arguments that have no value. */
export const furtherFields = (schema: JsonSchema | null, value: Arguments): string[] =>
  Object.keys(schema?.properties ?? {}).filter(
    (name) => !(name in value) && !(schema?.required ?? []).includes(name),
  );

export const fieldOf = (schema: JsonSchema | null, name: string, value: unknown): Field => {
  const given = schema?.properties?.[name] ?? {};
  const own = plain(given);
  const options = Array.isArray(own.enum) ? own.enum.filter((word) => typeof word === "string") : [];
  return {
    name,
    kind: kindOf(own, options, value),
    schema: own,
    isRequired: (schema?.required ?? []).includes(name),
    description: typeof given.description === "string" ? given.description : "",
    options,
  };
};

/** Without the null of an optional one. */
const plain = (schema: JsonSchema): JsonSchema => {
  const kinds = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  return kinds.length === 1 && kinds[0] !== undefined ? kinds[0] : schema;
};

const kindOf = (schema: JsonSchema, options: readonly string[], value: unknown): FieldKind => {
  const isText = value === undefined || value === null || typeof value === "string";
  if (options.length > 0 && isText) return "choice";
  const type = schema.type ?? typeof value;
  if (type === "string" && isText) return "text";
  if (type === "boolean" && (value === undefined || typeof value === "boolean")) return "truth";
  if ((type === "number" || type === "integer") && (value === undefined || typeof value === "number"))
    return "number";
  const isLines = schema.items?.type === "string" && schema.items.enum === undefined;
  const areTexts =
    value === undefined || (Array.isArray(value) && value.every((each) => typeof each === "string"));
  return type === "array" && isLines && areTexts ? "lines" : "json";
};

/** The value that a field begins with when it is added. */
export const firstValue = ({ kind, schema, options }: Field): unknown => {
  if (schema.default !== undefined) return schema.default;
  const empty: Record<FieldKind, unknown> = {
    text: "",
    number: schema.minimum ?? 0,
    truth: false,
    choice: options[0],
    lines: [],
    json: schema.type === "array" ? [] : {},
  };
  return empty[kind];
};

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Names of arguments whose values differ. */
export const changedNames = (before: Arguments, after: Arguments): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isSame(before[name], after[name]) || name in before !== name in after,
  );
