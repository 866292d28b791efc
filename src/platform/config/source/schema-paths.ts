import type { Path } from "./located.ts";

/** The part of JSON Schema that our own schema uses; settingsSchema is one. */
export interface JsonSchema {
  type?: string | string[];
  enum?: readonly unknown[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  required?: readonly string[];
  items?: JsonSchema;
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  "x-secret"?: boolean;
  "x-env"?: string;
  "x-env-fallback"?: string;
  "x-empty"?: "unset";
  "x-expects"?: string;
  "x-reload"?: boolean;
}

/** The schema of the value at a path, or undefined for a place the schema does not know. */
export function schemaAt(root: JsonSchema, path: Path): JsonSchema | undefined {
  let schema: JsonSchema | undefined = root;
  for (const part of path) {
    if (schema === undefined) return undefined;
    schema = typeof part === "number" ? schema.items : member(schema, part);
  }
  return schema;
}

function member(schema: JsonSchema, key: string): JsonSchema | undefined {
  const { properties = {}, patternProperties = {} } = schema;
  if (Object.hasOwn(properties, key)) return properties[key];
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, "u").test(key))?.[1];
}

export interface SchemaEntry {
  /** `[]` stands for an item of a list, `<environment>` for a key that somebody chooses. */
  path: string[];
  schema: JsonSchema;
  required: boolean;
}

/** All settings in the order of the schema, inner objects after their parent. */
export function listSettings(root: JsonSchema): SchemaEntry[] {
  const entries: SchemaEntry[] = [];
  const visit = (schema: JsonSchema, path: string[]): void => {
    for (const [key, inner] of Object.entries(schema.properties ?? {})) {
      const required = (schema.required ?? []).includes(key) && inner.default === undefined;
      entries.push({ path: [...path, key], schema: inner, required });
      visit(inner, [...path, key]);
    }
    for (const inner of Object.values(schema.patternProperties ?? {})) {
      if (inner.properties) visit(inner, [...path, "<environment>"]);
    }
    if (schema.items?.properties) visit(schema.items, [...path.slice(0, -1), `${path.at(-1)}[]`]);
  };
  visit(root, []);
  return entries;
}

/** Whether the setting has one fixed path, so that an environment variable can name it. */
export const isScalarSetting = ({ path, schema }: SchemaEntry): boolean =>
  !path.some((part) => part.endsWith("[]") || part.startsWith("<")) &&
  (schema.enum !== undefined || ["string", "integer", "number", "boolean"].includes(String(schema.type)));
