/**
 * Validates the values of a form against the schemas of a template. Runs in the render worker: schemas come
 * from users, and their patterns may take forever.
 */
import { getHeapStatistics } from "node:v8";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import type { Problem } from "../../platform/errors/failure.ts";
import { escapeKey } from "../../platform/lib/json-pointer.ts";
import { applyDefaults } from "./defaults.ts";
import type { JsonObject, JsonSchema } from "./json-schema.ts";
import { pickerProblems } from "./pickers.ts";
import { hasSlowPattern } from "./quick-patterns.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export interface ValuesJob {
  /** Identifies these schemas: the worker compiles each set once. */
  key: string;
  schemas: JsonSchema[];
  /** The same schemas as in the form, with the pickers. */
  pages?: JsonSchema[];
  /** Schema of the secrets, when the template has one. */
  secretsSchema?: JsonSchema;
  values: JsonObject;
  secrets: Record<string, string>;
  /** Values that replace some of those in one environment. */
  overrides: Record<string, JsonObject>;
}

export interface CheckedValues {
  values: JsonObject;
  overrides: Record<string, JsonObject>;
  problems: Problem[];
}

interface Compiled {
  /** Of the schemas as JSON text. */
  length: number;
  schemas: { schema: JsonSchema; check: ValidateFunction }[];
  secrets: ValidateFunction | null;
  hasSlowPattern: boolean;
  /** Whether a value matches a part of a schema; references are resolved in the root. */
  fits: (part: JsonSchema, root: JsonSchema, value: unknown) => boolean;
}

const maxCompiled = 200;
/**
 * Of the schemas of all compiled sets. A thread that keeps more could run out of memory while it receives the next job, which ends
 * the process.
 */
const maxCompiledLength = 2 * 1024 * 1024;
const maxProblems = 200;
const compiledSets = new Map<string, Compiled>();

/** Whether a check may take more than a moment; also before the schemas have been compiled. */
export const hasSlowChecks = ({ key }: ValuesJob): boolean => compiledSets.get(key)?.hasSlowPattern ?? true;

export function checkValues(job: ValuesJob): CheckedValues {
  if (isHeapHalfFull()) compiledSets.clear();
  let compiled: Compiled;
  try {
    compiled = compiledSets.get(job.key) ?? keepCompiled(job.key, compile(job));
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : "it can't be read";
    const problem = {
      where: "/templateRef",
      message: `A schema of the template's parameters is no JSON Schema: ${reason}`,
    };
    return { values: job.values, overrides: job.overrides, problems: [problem] };
  }
  const values = withDefaults(compiled, structuredClone(job.values));
  const problems = problemsOf(compiled, values, "/values");
  for (const [environment, own] of Object.entries(job.overrides)) {
    // An environment is only reported for problems that its overrides cause.
    const known = new Set(problems.map(({ where }) => where.slice("/values".length)));
    const at = `/environmentOverrides/${escapeKey(environment)}`;
    const found = problemsOf(compiled, { ...values, ...own }, at);
    problems.push(...found.filter(({ where }) => !known.has(where.slice(at.length))));
  }
  const known = new Set(problems.map(({ where }) => where));
  problems.push(
    ...pickerProblems(job.pages ?? [], values, "/values").filter(({ where }) => !known.has(where)),
  );
  if (compiled.secrets !== null && !compiled.secrets(job.secrets)) {
    problems.push(...toProblems(compiled.secrets.errors ?? [], "/secrets"));
  }
  return { values, overrides: job.overrides, problems: problems.slice(0, maxProblems) };
}

function keepCompiled(key: string, compiled: Compiled): Compiled {
  compiledSets.set(key, compiled);
  let length = 0;
  for (const each of compiledSets.values()) length += each.length;
  for (const [oldest, { length: own }] of compiledSets) {
    if (compiledSets.size <= maxCompiled && length <= maxCompiledLength) break;
    compiledSets.delete(oldest);
    length -= own;
  }
  return compiled;
}

/** Checks of parts of a schema are compiled when they are needed, and their number has no limit of its own. */
function isHeapHalfFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > limit / 2;
}

function compile({ schemas, pages, secretsSchema }: ValuesJob): Compiled {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    logger: false,
    validateSchema: false,
    meta: false,
    // Errors of a branch say what it requires, which is more useful than that no branch matches.
    verbose: false,
  });
  formats.default(ajv);
  const parts = new WeakMap<JsonSchema, ValidateFunction>();
  return {
    length: JSON.stringify([schemas, secretsSchema]).length,
    schemas: schemas.map((schema) => ({ schema, check: ajv.compile(schema) })),
    secrets: secretsSchema === undefined ? null : ajv.compile(secretsSchema),
    hasSlowPattern: hasSlowPattern([schemas, pages, secretsSchema]),
    fits: (part, root, value) => {
      let check = parts.get(part);
      if (check === undefined) {
        const { definitions, $defs } = root;
        const named = { ...(definitions ? { definitions } : {}), ...($defs ? { $defs } : {}) };
        check = ajv.compile({ ...part, ...named });
        parts.set(part, check);
      }
      return check(value);
    },
  };
}

function withDefaults(compiled: Compiled, values: JsonObject): JsonObject {
  for (const { schema } of compiled.schemas) {
    applyDefaults(schema, values, (part, value) => compiled.fits(part, schema, value));
  }
  return values;
}

function problemsOf(compiled: Compiled, values: JsonObject, base: string): Problem[] {
  const errors = compiled.schemas.flatMap(({ check }) => (check(values) ? [] : (check.errors ?? [])));
  return toProblems(errors, base);
}

/** These errors only say that something within them failed; that error is in the list too. */
const wrapperKeywords = new Set(["if", "oneOf", "anyOf", "not", "propertyNames"]);

/** One problem for each field, with its most specific error. */
function toProblems(errors: readonly ErrorObject[], base: string): Problem[] {
  const detailed = ofClosestBranches(errors.filter(({ keyword }) => !wrapperKeywords.has(keyword)));
  const byField = new Map<string, Problem>();
  for (const error of detailed.length > 0 ? detailed : errors) {
    const where = base + error.instancePath + missingKey(error);
    if (!byField.has(where)) byField.set(where, { where, message: messageOf(error) });
  }
  return [...byField.values()];
}

const branchOf = /^(.*?\/(?:oneOf|anyOf))\/(\d+)\//;

/**
 * When no branch matches, keeps the errors of the intended one: the branch whose constants match, else the
 * one with the fewest errors.
 */
function ofClosestBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = Map.groupBy(errors, ({ schemaPath }) => branchOf.exec(schemaPath)?.[1] ?? "");
  return [...choices].flatMap(([choice, own]) => {
    if (choice === "") return own;
    const branches = [...Map.groupBy(own, ({ schemaPath }) => branchOf.exec(schemaPath)?.[2] ?? "").values()];
    const misfit = (branch: readonly ErrorObject[]): number =>
      branch.filter(({ keyword }) => keyword === "const" || keyword === "enum").length * maxProblems +
      branch.length;
    return branches.toSorted((a, b) => misfit(a) - misfit(b))[0] ?? [];
  });
}

function missingKey({ params }: ErrorObject): string {
  const key: unknown = isRecord(params)
    ? (params["missingProperty"] ?? params["additionalProperty"])
    : undefined;
  return typeof key === "string" ? `/${escapeKey(key)}` : "";
}

/** Never includes the value, which may be a secret. */
function messageOf({ keyword, params, message }: ErrorObject): string {
  const of: Record<string, unknown> = params;
  if (keyword === "required") return "It is missing.";
  if (keyword === "additionalProperties") return "The template has no such parameter.";
  if (keyword === "enum" && Array.isArray(of["allowedValues"])) {
    return `It must be one of ${of["allowedValues"]
      .slice(0, 20)
      .map((value) => JSON.stringify(value))
      .join(", ")}.`;
  }
  return `It ${message ?? "does not fit the schema"}.`;
}
