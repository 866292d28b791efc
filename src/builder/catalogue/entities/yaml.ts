import { CORE_SCHEMA, loadAll, mergeTag, YAMLException } from "js-yaml";
import type { Problem } from "../../../platform/errors/failure.ts";
import { mapWithTextKeys } from "./yaml-keys.ts";
import { placeOfFault } from "./yaml-fault.ts";

export type YamlValue = null | boolean | number | string | YamlValue[] | YamlMap;
export interface YamlMap {
  [key: string]: YamlValue;
}

/** Limits of one YAML file; aliases count each time they are used. */
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
  /** Lines removed from the top of the file before parsing. */
  linesCut?: number;
  /**
   * The template that the text was rendered from. Positions refer to the template when both have the same
   * number of lines, else to the text.
   */
  template?: string;
}

export type YamlResult = { ok: true; value: YamlValue } | { ok: false; problem: Problem };

const parserOptions = {
  schema: CORE_SCHEMA.withTags(mergeTag, mapWithTextKeys),
  maxDepth: yamlLimits.maxDepth,
  maxAliases: yamlLimits.maxAliases,
} as const;

/**
 * Parses one untrusted YAML document. An empty text is `null`. The result is plain JSON data: no cycles, no
 * `__proto__` key, and within `yamlLimits` even with every alias expanded.
 */
export const parseYaml = (text: string, options: YamlOptions): YamlResult => {
  const parsed = parseYamlDocuments(text, options);
  if (!parsed.ok) return parsed;
  if (parsed.values.length > 1) return refuse(options, "a file holds one YAML document, this one holds more");
  return { ok: true, value: parsed.values[0] ?? null };
};

export type YamlDocuments = { ok: true; values: YamlValue[] } | { ok: false; problem: Problem };

/** Like `parseYaml`, for a text with any number of documents; the limits apply to all of them together. */
export const parseYamlDocuments = (text: string, options: YamlOptions): YamlDocuments => {
  let documents: unknown[];
  try {
    documents = loadAll(text, parserOptions);
  } catch (error) {
    if (error instanceof YAMLException) return refuse(options, error.reason, placeOf(text, error));
    if (error instanceof RangeError) return refuse(options, "the document is nested too deeply");
    throw error;
  }
  // oxlint-disable-next-line no-unsafe-type-assertion -- the schema above makes nothing else
  const values = documents.map((document) => document ?? null) as YamlValue[];
  const budget: Budget = { nodes: 0, characters: 0 };
  for (const value of values) {
    const excess = countValue(value, budget, 0);
    if (excess !== null) return refuse(options, excess);
  }
  return { ok: true, values };
};

/** A place in a text, both from 0. */
interface Mark {
  line: number;
  column: number;
  text: string;
}

const placeOf = (text: string, { mark }: YAMLException): Mark | undefined =>
  mark && { ...placeOfFault(text, { line: mark.line, column: mark.column }, isSound), text };

const isSound = (text: string): boolean => {
  try {
    loadAll(text, parserOptions);
    return true;
  } catch {
    return false;
  }
};

const refuse = (options: YamlOptions, reason: string, mark?: Mark): { ok: false; problem: Problem } => {
  const place = mark && { ...mark, ...inTemplate(mark, options) };
  const position = place && `:${place.line + 1 + (options.linesCut ?? 0)}:${place.column + 1}`;
  const inRendered = place?.isRendered === true ? " (position in the rendered text)" : "";
  return {
    ok: false,
    problem: { where: `${options.file}${position ?? ":1:1"}`, message: `YAML: ${reason}${inRendered}.` },
  };
};

/**
 * Finds the line of a rendered text in its template, unless an expression or a block has changed the number
 * of lines.
 */
const inTemplate = (mark: Mark, { template }: YamlOptions): Partial<Mark> & { isRendered: boolean } => {
  if (template === undefined) return { isRendered: false };
  const lines = template.split("\n");
  const rendered = mark.text.split("\n");
  if (lines.length !== rendered.length) return { isRendered: true };
  const line = lines[mark.line] ?? "";
  const column = line === rendered[mark.line] ? mark.column : line.length - line.trimStart().length;
  return { column, isRendered: false };
};

/** By how much a value is more than one file may hold, as part of a sentence; null when it is not. */
export const excessOf = (value: YamlValue): string | null =>
  countValue(value, { nodes: 0, characters: 0 }, 0);

interface Budget {
  nodes: number;
  characters: number;
}

/**
 * Counts a value as if every alias were expanded, and removes `__proto__` keys. The parser shares aliased
 * nodes, so a few lines can expand to gigabytes when the descriptor is written. A collection that contains
 * itself exceeds the depth limit.
 */
const countValue = (value: YamlValue, budget: Budget, depth: number): string | null => {
  budget.nodes += 1;
  if (budget.nodes > yamlLimits.maxExpandedNodes) {
    return `more than ${yamlLimits.maxExpandedNodes} values once its aliases are expanded`;
  }
  if (typeof value === "string") return countText(value, budget);
  if (typeof value === "number" && !Number.isFinite(value)) {
    return "a number that is infinite or not a number has no JSON form";
  }
  if (typeof value !== "object" || value === null) return null;
  if (depth >= yamlLimits.maxExpandedDepth) {
    return `aliases nest collections deeper than ${yamlLimits.maxExpandedDepth} levels or without end`;
  }
  return Array.isArray(value) ? countList(value, budget, depth) : countMap(value, budget, depth);
};

const countText = (text: string, budget: Budget): string | null => {
  budget.characters += text.length;
  return budget.characters > yamlLimits.maxExpandedCharacters
    ? `more than ${yamlLimits.maxExpandedCharacters} characters once its aliases are expanded`
    : null;
};

const countList = (list: YamlValue[], budget: Budget, depth: number): string | null => {
  for (const item of list) {
    const excess = countValue(item, budget, depth + 1);
    if (excess !== null) return excess;
  }
  return null;
};

const countMap = (map: YamlMap, budget: Budget, depth: number): string | null => {
  for (const key of Object.keys(map)) {
    if (key === "__proto__") {
      // An own property of this name, which a later copy would turn into a prototype.
      Reflect.deleteProperty(map, key);
      continue;
    }
    const excess = countText(key, budget) ?? countValue(map[key] ?? null, budget, depth + 1);
    if (excess !== null) return excess;
  }
  return null;
};

/** A value for messages: strings quoted and truncated, other values by their type. */
export const showValue = (value: YamlValue | undefined): string => {
  if (value === undefined || value === null || value === "") return "missing";
  if (typeof value === "string") return `"${value.slice(0, 100)}"`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : String(value);
};

/** A non-empty string, else undefined. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;
