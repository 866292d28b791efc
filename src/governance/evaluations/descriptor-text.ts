/** Pure: reads a descriptor that is sent as an object, or as a text in YAML or JSON. */
import { CORE_SCHEMA, YAMLException, load, mergeTag } from "js-yaml";
import type { Problem } from "../../platform/errors/failure.ts";
import { escapeKey } from "../../platform/lib/json-pointer.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import { storable } from "../../platform/lib/safe-json.ts";
import { countComponents } from "./resources.ts";

const schema = CORE_SCHEMA.withTags(mergeTag);

const limits = {
  /** Levels of nesting of maps and lists. */
  depth: 100,
  /** Values, YAML aliases expanded. */
  nodes: 1_000_000,
  yamlAliases: 1_000,
  /** Characters of all keys and texts, YAML aliases expanded. */
  characters: 32 * 1_024 * 1_024,
  /** Of every level. */
  components: 10_000,
} as const;

export type DescriptorReading = { descriptor: Record<string, unknown> } | { problem: Problem };

const tooManyComponents = `The descriptor has more than ${limits.components} components.`;

const solution =
  "Give a descriptor as an object, or as a text that is one YAML or JSON document with an object.";

/** `where` is the JSON pointer of the descriptor in the request. */
export function readDescriptor(given: string | Record<string, unknown>, where: string): DescriptorReading {
  try {
    const value = typeof given === "string" ? parse(given) : given;
    if (!isRecord(value))
      return { problem: { where, message: "The descriptor is not an object.", solution } };
    if (!isWithin(value))
      return { problem: { where, message: "The descriptor is too large or nested too deeply.", solution } };
    if (countComponents(value) > limits.components)
      return { problem: { where, message: tooManyComponents, solution: "Divide the unit into several." } };
    // What the server has read as JSON is without such texts.
    const unstorable = typeof given === "string" ? findUnstorable(value) : null;
    return unstorable === null ? { descriptor: value } : { problem: unstorableAt(`${where}${unstorable}`) };
  } catch (error) {
    const reason = error instanceof YAMLException ? placeOf(error) : "it is not readable YAML";
    return { problem: { where, message: `The descriptor cannot be read: ${reason}.`, solution } };
  }
}

/** The last of two equal keys counts, as in descriptors of the coordinator. */
const parse = (text: string): unknown =>
  load(text, { schema, maxDepth: limits.depth, maxAliases: limits.yamlAliases, json: true });

const placeOf = ({ mark, reason }: YAMLException): string =>
  `line ${(mark?.line ?? 0) + 1}, column ${(mark?.column ?? 0) + 1}: ${reason.slice(0, 200)}`;

/** Aliases share objects: what is shared counts each time that it is reached. */
function isWithin(root: unknown): boolean {
  let nodes = 0;
  let characters = 0;
  const visit = (value: unknown, depth: number): boolean => {
    if (typeof value === "string") return (characters += value.length) <= limits.characters;
    if (typeof value !== "object" || value === null) return true;
    if (depth > limits.depth) return false;
    const isList = Array.isArray(value);
    for (const [key, child] of Object.entries(value)) {
      nodes += 1;
      if (!isList) characters += key.length;
      if (nodes > limits.nodes || !visit(child, depth + 1)) return false;
    }
    return characters <= limits.characters;
  };
  return visit(root, 1);
}

/** Where the first text is that PostgreSQL cannot store, from the value on; null for none. A key is named by its map. */
function findUnstorable(value: unknown): string | null {
  if (typeof value === "string") return value === storable(value) ? null : "";
  if (typeof value !== "object" || value === null) return null;
  for (const [key, child] of Object.entries(value)) {
    if (key !== storable(key)) return "";
    const found = findUnstorable(child);
    if (found !== null) return `/${escapeKey(key)}${found}`;
  }
  return null;
}

const unstorableAt = (where: string): Problem => ({
  where,
  message: "The text holds a NUL character or half of a surrogate pair.",
  solution: "Remove the character; such text cannot be stored.",
});
