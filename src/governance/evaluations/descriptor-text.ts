/** Pure: reads a descriptor that is sent as an object, or as a text in YAML or JSON. */
import { CORE_SCHEMA, YAMLException, load, mergeTag } from "js-yaml";
import type { Problem } from "../../platform/errors/failure.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

const schema = CORE_SCHEMA.withTags(mergeTag);

const limits = {
  /** Levels of nesting of maps and lists. */
  depth: 100,
  /** Values, YAML aliases expanded. */
  nodes: 1_000_000,
  yamlAliases: 1_000,
} as const;

export type DescriptorReading = { descriptor: Record<string, unknown> } | { problem: Problem };

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
    return { descriptor: value };
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
  const visit = (value: unknown, depth: number): boolean => {
    if (typeof value !== "object" || value === null) return true;
    if (depth > limits.depth) return false;
    for (const child of Object.values(value)) {
      nodes += 1;
      if (nodes > limits.nodes || !visit(child, depth + 1)) return false;
    }
    return true;
  };
  return visit(root, 1);
}
