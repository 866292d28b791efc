/** Checks the arguments of a call against the schema of its tool, before anybody is asked to approve it. */
import type { TSchema } from "typebox";
import { createChecker, type Check } from "../../../platform/http/input/check-input.ts";
import type { InputProblem } from "../../../platform/http/operation.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** Compiled checks by the schema; null for one that can't be compiled. */
const checks = new WeakMap<object, Check | null>();

/**
 * What is wrong with the arguments. A schema that can't be compiled finds nothing: the server that it is from checks the
 * call itself.
 */
export function argumentProblems(inputSchema: object, given: Record<string, unknown>): InputProblem[] {
  let check = checks.get(inputSchema);
  if (check === undefined) {
    check = compile(inputSchema);
    checks.set(inputSchema, check);
  }
  try {
    // The check fills in defaults.
    return check?.(structuredClone(given)) ?? [];
  } catch {
    checks.set(inputSchema, null);
    return [];
  }
}

function compile(inputSchema: object): Check | null {
  try {
    return createChecker().compile("body", withoutPatterns(inputSchema) as TSchema);
  } catch {
    return null;
  }
}

/** Keywords of other servers' schemas that could block the process, or name schemas that are not here. */
const dropped = new Set(["pattern", "patternProperties", "$schema", "$id"]);
/** The keys below these are names, not keywords. */
const named = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
/** Values, not schemas. */
const verbatim = new Set(["const", "enum", "default", "examples"]);

function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isRecord(schema)) return schema;
  const rest = Object.entries(schema).filter(([keyword]) => !dropped.has(keyword));
  return Object.fromEntries(
    rest.map(([keyword, value]) => {
      if (verbatim.has(keyword)) return [keyword, value];
      if (!named.has(keyword) || !isRecord(value)) return [keyword, withoutPatterns(value)];
      const byName = Object.entries(value).map(([name, inner]) => [name, withoutPatterns(inner)]);
      return [keyword, Object.fromEntries(byName)];
    }),
  );
}

const mostShown = 20;

/** The problems as one text for a model. */
export const problemText = (problems: readonly InputProblem[]): string =>
  problems
    .slice(0, mostShown)
    .map(({ where, message }) => `${where === "" ? "the arguments" : where}: ${message}`)
    .join("; ");
