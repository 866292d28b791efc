/** Expressions in CEL. Runs in the threads; its checks need no limits, because an expression is only parsed there. */
import { Environment, EvaluationError, ParseError, TypeError } from "@marcbachmann/cel-js";
import { findBadPattern } from "./cel-patterns.ts";
import type { EngineInput, EngineOutcome, SpecProblem, Violation } from "./engine.ts";
import { cappedErrors } from "./limits.ts";

const environment = new Environment({
  unlistedVariablesAreDyn: false,
  homogeneousAggregateLiterals: false,
  enableOptionalTypes: true,
  limits: { maxAstNodes: 20_000, maxDepth: 100, maxListElements: 1_000, maxMapEntries: 1_000 },
})
  .registerVariable("resource", "dyn")
  .registerVariable("original", "dyn")
  .registerVariable("current", "dyn")
  .registerVariable("unit", "dyn")
  .registerVariable("environment", "string")
  .registerVariable("resourceType", "string")
  .registerVariable("resourceId", "string");

export type Compiled = (input: EngineInput) => unknown;

export function compile(expression: string): Compiled {
  const parsed = environment.parse(expression);
  return ({ resource, original = null, current = null, unit = null, ...input }) =>
    parsed({
      resource,
      original,
      current,
      unit,
      environment: input.environment,
      resourceType: input.resourceType,
      resourceId: input.resourceId,
    });
}

/** What can't be parsed or has types that don't fit; `path` is the place of the expression in the spec. */
export function checkExpression(expression: string, path: string): SpecProblem[] {
  try {
    const { valid, error } = environment.check(expression);
    if (!valid) return [problemOf(error, { path, expression })];
    const pattern = findBadPattern(environment.parse(expression).ast);
    return pattern ? [problemAt(pattern.start, pattern.message, { path, expression })] : [];
  } catch (error) {
    return [problemOf(error, { path, expression })];
  }
}

interface Expression {
  path: string;
  expression: string;
}

const problemOf = (error: unknown, where: Expression): SpecProblem =>
  problemAt(rangeOf(error)?.start ?? 0, firstLine(error), where);

function problemAt(start: number, message: string, { path, expression }: Expression): SpecProblem {
  const before = expression.slice(0, start).split("\n");
  return {
    path,
    message: `The expression can't be evaluated: ${message}.`,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    solution:
      "Correct the expression at that place. It sees resource, original, current, unit and environment.",
  };
}

function rangeOf(error: unknown): { start: number } | undefined {
  const isKnown =
    error instanceof ParseError || error instanceof EvaluationError || error instanceof TypeError;
  return isKnown ? (error as { range?: { start: number } }).range : undefined;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0]!.replace(/\.$/, "");

/** Evaluates what a policy asserts: true, or a list of what is wrong. */
export function evaluateAssertion(
  compiled: Compiled,
  input: EngineInput,
  message: string | undefined,
): EngineOutcome {
  return withFailures(() => {
    const value = compiled(input);
    if (value === true) return { ok: true, satisfied: true, errors: [] };
    if (value === false)
      return { ok: true, satisfied: false, errors: [{ message: message ?? "The resource does not fit." }] };
    if (Array.isArray(value)) {
      const errors = cappedErrors(value.map(violationOf), value.length);
      return { ok: true, satisfied: errors.length === 0, errors };
    }
    return broken(`The expression answered ${typeNameOf(value)}; it must be true, false or a list.`);
  });
}

export const evaluateMetric = (compiled: Compiled, input: EngineInput): EngineOutcome =>
  withFailures(() => {
    const value = compiled(input);
    const number = typeof value === "bigint" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number)) return { ok: true, value: number, errors: [] };
    return broken(`The expression answered ${typeNameOf(value)}; a metric must be a number.`);
  });

export function evaluateSelection(
  compiled: Compiled,
  input: EngineInput,
): boolean | (EngineOutcome & { ok: false }) {
  const outcome = withFailures(() => {
    const value = compiled(input);
    if (typeof value === "boolean") return { ok: true, satisfied: value, errors: [] };
    return broken(`The selection answered ${typeNameOf(value)}; it must be true or false.`);
  });
  return outcome.ok ? outcome.satisfied === true : outcome;
}

function withFailures(work: () => EngineOutcome): EngineOutcome {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError)
      return { ok: false, reason: "limit", message: "It needs too much memory." };
    return broken(`The expression failed: ${firstLine(error)}.`);
  }
}

const broken = (message: string): EngineOutcome & { ok: false } => ({ ok: false, reason: "broken", message });

function violationOf(value: unknown): Violation {
  const fields: unknown = value instanceof Map ? Object.fromEntries(value) : value;
  if (typeof fields !== "object" || fields === null) return { message: textOf(fields) };
  const { path, message } = fields as { path?: unknown; message?: unknown };
  return {
    ...(path === undefined || path === null ? {} : { path: textOf(path) }),
    message: message === undefined || message === null ? "The resource does not fit." : textOf(message),
  };
}

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : (JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? Number(each) : (each as unknown))) ??
      "");

const typeNameOf = (value: unknown): string => {
  if (value === null) return "null";
  if (typeof value === "bigint") return "a whole number";
  return value instanceof Map || typeof value === "object" ? "a map or an object" : `a ${typeof value}`;
};
