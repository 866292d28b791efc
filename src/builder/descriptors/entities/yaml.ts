import { CORE_SCHEMA, loadAll, mergeTag, YAMLException } from "js-yaml";
import type { Problem } from "../../../platform/errors/failure.ts";

export type YamlValue = null | boolean | number | string | YamlValue[] | YamlMap;
export interface YamlMap {
  [key: string]: YamlValue;
}

/** How much one YAML file may hold; aliases count as often as they are used. */
export const yamlLimits = {
  maxDepth: 64,
  maxAliases: 1_000,
  maxExpandedDepth: 128,
  maxExpandedNodes: 100_000,
  maxExpandedCharacters: 4 * 1024 * 1024,
} as const;

export interface YamlOptions {
  /** Path inside the archive, for problems: `orders/catalog-info.yaml`. */
  file: string;
  /** Lines that were cut from the top of the file before parsing. */
  linesCut?: number;
  /** The text is what a template rendered, so positions are those of the rendered text. */
  rendered?: boolean;
}

export type YamlResult = { ok: true; value: YamlValue } | { ok: false; problem: Problem };

const schema = CORE_SCHEMA.withTags(mergeTag);

/**
 * Parses one YAML document that comes from outside. An empty text is `null`. The result is plain JSON data: no
 * cycles, no `__proto__` key, nothing beyond `yamlLimits` even when every alias is written out.
 */
export const parseYaml = (text: string, options: YamlOptions): YamlResult => {
  const parsed = parseYamlDocuments(text, options);
  if (!parsed.ok) return parsed;
  if (parsed.values.length > 1) return refuse(options, "a file holds one YAML document, this one holds more");
  return { ok: true, value: parsed.values[0] ?? null };
};

export type YamlDocuments = { ok: true; values: YamlValue[] } | { ok: false; problem: Problem };

/** As `parseYaml`, for a text of any number of documents; the limits hold for all of them together. */
export const parseYamlDocuments = (text: string, options: YamlOptions): YamlDocuments => {
  let documents: unknown[];
  try {
    documents = loadAll(text, { schema, maxDepth: yamlLimits.maxDepth, maxAliases: yamlLimits.maxAliases });
  } catch (error) {
    if (error instanceof YAMLException) return refuse(options, error.reason, error.mark);
    if (error instanceof RangeError) return refuse(options, "the document is nested too deeply");
    throw error;
  }
  // oxlint-disable-next-line no-unsafe-type-assertion -- the schema above makes nothing else
  const values = documents.map((document) => document ?? null) as YamlValue[];
  const budget: Budget = { nodes: 0, characters: 0 };
  for (const value of values) {
    const excess = spend(value, budget, 0);
    if (excess !== null) return refuse(options, excess);
  }
  return { ok: true, values };
};

const refuse = (
  options: YamlOptions,
  reason: string,
  mark?: { line: number; column: number },
): { ok: false; problem: Problem } => {
  const position = mark && `:${mark.line + 1 + (options.linesCut ?? 0)}:${mark.column + 1}`;
  const place = options.rendered && position ? " (position in the rendered text)" : "";
  return {
    ok: false,
    problem: { where: `${options.file}${position ?? ":1:1"}`, message: `YAML: ${reason}${place}.` },
  };
};

interface Budget {
  nodes: number;
  characters: number;
}

/**
 * Counts a value as if every alias were written out and takes `__proto__` keys away. The parser shares aliased
 * nodes, so a few lines can stand for gigabytes; they would only be paid for when the descriptor is written. A
 * collection that contains itself shows as endless depth.
 */
const spend = (value: YamlValue, budget: Budget, depth: number): string | null => {
  budget.nodes += 1;
  if (budget.nodes > yamlLimits.maxExpandedNodes) {
    return `more than ${yamlLimits.maxExpandedNodes} values once its aliases are expanded`;
  }
  if (typeof value === "string") return spendText(value, budget);
  if (typeof value === "number" && !Number.isFinite(value)) {
    return "a number that is infinite or not a number has no JSON form";
  }
  if (typeof value !== "object" || value === null) return null;
  if (depth >= yamlLimits.maxExpandedDepth) {
    return `aliases nest collections deeper than ${yamlLimits.maxExpandedDepth} levels or without end`;
  }
  return Array.isArray(value) ? spendList(value, budget, depth) : spendMap(value, budget, depth);
};

const spendText = (text: string, budget: Budget): string | null => {
  budget.characters += text.length;
  return budget.characters > yamlLimits.maxExpandedCharacters
    ? `more than ${yamlLimits.maxExpandedCharacters} characters once its aliases are expanded`
    : null;
};

const spendList = (list: YamlValue[], budget: Budget, depth: number): string | null => {
  for (const item of list) {
    const excess = spend(item, budget, depth + 1);
    if (excess !== null) return excess;
  }
  return null;
};

const spendMap = (map: YamlMap, budget: Budget, depth: number): string | null => {
  for (const key of Object.keys(map)) {
    if (key === "__proto__") {
      // An own property of this name, which a later copy would turn into a prototype.
      Reflect.deleteProperty(map, key);
      continue;
    }
    const excess = spendText(key, budget) ?? spend(map[key] ?? null, budget, depth + 1);
    if (excess !== null) return excess;
  }
  return null;
};

export const isMap = (value: unknown): value is YamlMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value as a message may show it: texts in quotes and cut short, anything else by what it is. */
export const showValue = (value: YamlValue | undefined): string => {
  if (value === undefined || value === null || value === "") return "missing";
  if (typeof value === "string") return `"${value.slice(0, 100)}"`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : String(value);
};

/** A string with something in it, else undefined. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;
