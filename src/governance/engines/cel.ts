/** Policies, metrics and selections in CEL. Runs in the threads; its checks need no limits, because nothing is evaluated there. */
import type { StaticType } from "./cel/calls.ts";
import { compileExpression, type CompiledExpression } from "./cel/compile.ts";
import { findBadPattern } from "./cel/patterns.ts";
import { CelSyntaxError } from "./cel/syntax/expr.ts";
import { CelError, typeNameOf, Uint } from "./cel/values.ts";
import {
  fits,
  type EngineInput,
  type EngineOutcome,
  type Sight,
  type SpecProblem,
  type Violation,
} from "./engine.ts";
import { cappedErrors } from "./limits.ts";

type Variables = Readonly<Record<string, StaticType>>;

const resourceVariables: Variables = {
  resource: "dyn",
  environment: "string",
  resourceType: "string",
  resourceId: "string",
};
const unitVariables: Variables = { unit: "dyn" };
const comparedVariables: Variables = { original: "dyn", current: "dyn" };

/** Of every expression that is evaluated: one that was stored before its variables were checked goes on as it did. */
const variables: Variables = { ...resourceVariables, ...unitVariables, ...comparedVariables };

const variablesOf = ({ seesUnit, compares }: Sight): Variables => ({
  ...resourceVariables,
  ...(seesUnit ? unitVariables : {}),
  ...(compares ? comparedVariables : {}),
});

export type Compiled = (input: EngineInput) => unknown;

export function compile(expression: string): Compiled {
  const { evaluate } = compileExpression(expression, variables);
  return (input) =>
    evaluate({
      resource: input.resource,
      original: input.original ?? null,
      current: input.current ?? null,
      unit: input.unit ?? null,
      environment: input.environment,
      resourceType: input.resourceType,
      resourceId: input.resourceId,
    });
}

/** What an expression is for. */
export type Purpose = "assertion" | "metric" | "selection";

const results: Readonly<Record<Purpose, { types: readonly StaticType[]; text: string }>> = {
  assertion: { types: ["bool", "dyn", "list"], text: "true, false or a list" },
  metric: { types: ["double", "dyn", "int", "uint"], text: "a number" },
  selection: { types: ["bool", "dyn"], text: "true or false" },
};

/** What is wrong with the expression of a policy or metric. */
export const checkAssertion = (kind: "policy" | "metric", expression: string, sight: Sight): SpecProblem[] =>
  checkExpression({
    expression,
    path: "spec.assert",
    purpose: kind === "metric" ? "metric" : "assertion",
    sight,
  });

/** The same of an expression that selects resources: it sees the resource alone. */
export const checkSelection = (expression: string): SpecProblem[] =>
  checkExpression({
    expression,
    path: "select",
    purpose: "selection",
    sight: { seesUnit: false, compares: false },
  });

interface Expression {
  expression: string;
  /** Its place in the policy. */
  path: string;
  purpose: Purpose;
  sight: Sight;
}

/** What can't be parsed, names what it does not see, or has types that don't fit. */
function checkExpression(checked: Expression): SpecProblem[] {
  try {
    return problemsOf(compileExpression(checked.expression, variablesOf(checked.sight)), checked);
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    return [problemAt(error.start, error.message, checked)];
  }
}

function problemsOf({ expr, type }: CompiledExpression, checked: Expression): SpecProblem[] {
  const { types, text } = results[checked.purpose];
  if (!types.includes(type)) return [problemAt(0, `It answers a ${type}; it must be ${text}`, checked)];
  const pattern = findBadPattern(expr);
  return pattern ? [problemAt(pattern.start, pattern.message, checked)] : [];
}

function problemAt(start: number, message: string, checked: Expression): SpecProblem {
  const { path, expression } = checked;
  const before = expression.slice(0, start).split("\n");
  return {
    path,
    message: `The expression can't be evaluated: ${message}.`,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    solution: `Correct the expression at that place. ${sightText(checked)}`,
  };
}

function sightText({ purpose, sight }: Expression): string {
  const seen = `It sees ${Object.keys(variablesOf(sight)).join(", ")}.`;
  if (purpose === "selection") return seen;
  const unit = sight.seesUnit ? "" : " It sees unit where context is global.";
  const compared = sight.compares
    ? ""
    : " It sees original and current where strategy is previous_vs_current.";
  return `${seen}${unit}${compared}`;
}

/** Evaluates what a policy asserts: true, or a list of what is wrong. */
export function evaluateAssertion(
  compiled: Compiled,
  input: EngineInput,
  message: string | undefined,
): EngineOutcome {
  return withFailures(() => {
    const value = compiled(input);
    if (value === true) return fits;
    if (value === false)
      return {
        ok: true,
        satisfied: false,
        errors: cappedErrors([{ message: message ?? "The resource does not fit." }]),
      };
    if (Array.isArray(value)) {
      const errors = cappedErrors(value.map(violationOf), value.length);
      return { ok: true, satisfied: errors.length === 0, errors };
    }
    return broken(`The expression answered a ${typeNameOf(value)}; it must be true, false or a list.`);
  });
}

export const evaluateMetric = (compiled: Compiled, input: EngineInput): EngineOutcome =>
  withFailures(() => {
    const value = compiled(input);
    const number = numberOf(value);
    if (typeof number !== "number")
      return broken(`The expression answered a ${typeNameOf(value)}; a metric must be a number.`);
    if (!Number.isFinite(number))
      return broken(`The expression answered ${number}; a metric must be a finite number.`);
    return { ok: true, value: number, errors: [] };
  });

function numberOf(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint ? Number(value.value) : value;
}

export function evaluateSelection(
  compiled: Compiled,
  input: EngineInput,
): boolean | (EngineOutcome & { ok: false }) {
  const outcome = withFailures(() => {
    const value = compiled(input);
    if (typeof value === "boolean") return { ok: true, satisfied: value, errors: [] };
    return broken(`The selection answered a ${typeNameOf(value)}; it must be true or false.`);
  });
  return outcome.ok ? outcome.satisfied === true : outcome;
}

function withFailures(work: () => EngineOutcome): EngineOutcome {
  try {
    return work();
  } catch (error) {
    if (error instanceof CelError) return broken(`The expression failed: ${error.message}.`);
    if (error instanceof RangeError)
      return { ok: false, reason: "limit", message: "It needs too much memory." };
    throw error;
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
