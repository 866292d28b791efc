import { resolve } from "node:path";
import { isNothing, type Located, type LocatedLeaf, type Path, type PlainValue } from "./located.ts";
import { readTextFile } from "./read.ts";
import { readLimits, type Reading } from "./reading.ts";
import { schemaAt, type JsonSchema } from "./schema-paths.ts";
import { substitute } from "./substitute.ts";

export interface Resolved {
  value: PlainValue | undefined;
  /** Dotted paths of values that could not be resolved; their absence is not reported a second time. */
  failed: Path[];
}

/** Follows `$env`, `$file` and `${…}` in the merged tree and gives plain values of the types the schema wants. */
export function resolveTree(root: Located, schema: JsonSchema, reading: Reading): Resolved {
  const failed: Path[] = [];
  return { value: resolveNode(root, [], { schema, reading, failed }), failed };
}

interface Context {
  schema: JsonSchema;
  reading: Reading;
  failed: Path[];
}

function resolveNode(node: Located, path: Path, context: Context): PlainValue | undefined {
  if (node.kind === "list") {
    // A null keeps the positions of the items after it; what is wrong with it is reported already or by the schema.
    return node.items.map((item, index) => resolveNode(item, [...path, index], context) ?? null);
  }
  if (node.kind === "map") {
    // Without a prototype a key such as `__proto__` is a key like any other.
    const map: Record<string, PlainValue> = Object.create(null);
    for (const [key, { value }] of node.entries) {
      const plain = resolveNode(value, [...path, key], context);
      if (plain !== undefined) map[key] = plain;
    }
    return map;
  }
  const value = resolveLeaf(node, path, context);
  const unsetWhenEmpty = schemaAt(context.schema, path)?.["x-empty"] === "unset";
  return unsetWhenEmpty && value === "" ? undefined : value;
}

function resolveLeaf(leaf: LocatedLeaf, path: Path, context: Context): PlainValue | undefined {
  if (leaf.source.type === "plain") return isNothing(leaf) ? undefined : leaf.source.value;
  const found = textOf(leaf.source, context.reading);
  if ("text" in found) return toWantedType(found.text, schemaAt(context.schema, path));
  for (const message of found.problems) {
    context.reading.problems.add(leaf.place, path, { message, solution: found.solution });
  }
  context.failed.push(path);
  return undefined;
}

type Found = { text: string } | { problems: string[]; solution: string };

function textOf(source: Exclude<LocatedLeaf["source"], { type: "plain" }>, reading: Reading): Found {
  switch (source.type) {
    case "given":
      return { text: source.text };
    case "template":
      return textOfTemplate(source.text, reading);
    case "variable": {
      const value = Object.hasOwn(reading.env, source.name) ? reading.env[source.name] : undefined;
      if (value) return { text: value };
      const message = `needs the environment variable ${source.name}, which is not set`;
      return { problems: [message], solution: "Set it." };
    }
    case "file": {
      const name = textOfTemplate(source.path, reading);
      return "text" in name ? textOfFile(name.text, source.folder) : name;
    }
    default:
      return { problems: [], solution: "" };
  }
}

function textOfTemplate(template: string, reading: Reading): Found {
  const { text, problems } = substitute(template, reading.env);
  return problems.length > 0 ? { problems, solution: "Set it, or write ${NAME:-fallback}." } : { text };
}

function textOfFile(name: string, folder: string): Found {
  const read = readTextFile(resolve(folder, name), readLimits.secretFileBytes);
  if ("text" in read) return { text: read.text.replace(/\r?\n$/, "") };
  return {
    problems: [`needs the file ${name}, which ${read.problem}`],
    solution: "Check its name and rights.",
  };
}

/** Text from outside has no type of its own; a number or a boolean is made only where the schema wants one. */
function toWantedType(text: string, schema: JsonSchema | undefined): PlainValue {
  const wanted = schema?.type;
  if (wanted === "integer" || wanted === "number") {
    return /^\s*[+-]?\d{1,15}(\.\d{1,15})?\s*$/.test(text) ? Number(text) : text;
  }
  if (wanted === "boolean") {
    const word = text.trim().toLowerCase();
    return word === "true" || (word === "false" ? false : text);
  }
  return text;
}
