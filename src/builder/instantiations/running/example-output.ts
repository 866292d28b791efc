/** Pure: a sample output of an action that a dry run skips, as input for later steps. */

const maxDepth = 5;

export function exampleOutput(schema: object | undefined): Record<string, unknown> {
  const example = schema === undefined ? {} : exampleOf(schema, "output", 0);
  return typeof example === "object" && example !== null ? { ...example } : {};
}

function exampleOf(schema: unknown, name: string, depth: number): unknown {
  if (typeof schema !== "object" || schema === null || depth > maxDepth) return `<${name}>`;
  const { type, properties, items, default: given, enum: values } = schema as Record<string, unknown>;
  if (given !== undefined) return given;
  if (Array.isArray(values) && values.length > 0) return values[0];
  if (typeof properties === "object" && properties !== null) {
    return Object.fromEntries(
      Object.entries(properties).map(([key, part]: [string, unknown]) => [
        key,
        exampleOf(part, key, depth + 1),
      ]),
    );
  }
  if (type === "array") return [exampleOf(items, name, depth + 1)];
  if (type === "number" || type === "integer") return 0;
  if (type === "boolean") return false;
  return type === "object" ? {} : `<${name}>`;
}
