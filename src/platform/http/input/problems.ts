/** Pure: what a JSON Schema validator found, as problems that a person can act on. */
import type { ErrorObject } from "ajv/dist/2020.js";
import { escapeKey, unescapeKey } from "../../lib/json-pointer.ts";
import type { InputPlace, InputProblem } from "../operation.ts";

/** Maximum number of problems in one response; one more says how many were left out. */
export const maxProblems = 100;

export const toPointer = (path: readonly string[]): string =>
  path.map((part) => `/${escapeKey(part)}`).join("");

const fromPointer = (pointer: string): string[] =>
  pointer === "" ? [] : pointer.slice(1).split("/").map(unescapeKey);

export const inputProblem = (
  place: InputPlace,
  path: string[],
  details: Pick<InputProblem, "keyword" | "message"> & Partial<InputProblem>,
): InputProblem => ({
  where: place === "body" ? toPointer(path) : path.join("/"),
  place,
  path,
  params: {},
  ...details,
});

/** Problems of one validated value, in the order found; alternatives that all refused become one problem. */
export const problemsOf = (
  place: InputPlace,
  errors: readonly ErrorObject[],
  root: unknown,
): InputProblem[] => {
  const problems: InputProblem[] = [];
  const seen = new Set<string>();
  for (const error of joinAlternatives(errors)) {
    const problem = toProblem(place, error, root);
    const key = `${problem.where} ${problem.message}`;
    if (!seen.has(key)) {
      seen.add(key);
      problems.push(problem);
    }
  }
  return problems;
};

/** At most `maxProblems`, and never silently fewer than were found. */
export const capProblems = (problems: InputProblem[], place: InputPlace): InputProblem[] =>
  problems.length <= maxProblems
    ? problems
    : [
        ...problems.slice(0, maxProblems),
        inputProblem(place, [], {
          keyword: "truncated",
          message: `has more problems than the ${maxProblems} listed`,
          solution: "Correct the listed ones and send it again to see the rest.",
        }),
      ];

const toProblem = (place: InputPlace, error: ErrorObject, root: unknown): InputProblem => {
  const path = fromPointer(error.instancePath);
  const params: Record<string, unknown> = error.params;
  const extra = params["missingProperty"] ?? params["additionalProperty"] ?? params["unevaluatedProperty"];
  if (typeof extra === "string") {
    path.push(extra);
  }
  const value = valueAt(root, path);
  const isMissing = place === "body" && typeof params["missingProperty"] === "string";
  return inputProblem(place, path, {
    keyword: error.keyword,
    message: messageOf(error, params),
    params,
    ...(value === undefined ? {} : { value }),
    ...(isMissing ? { around: valueAt(root, path.slice(0, -1)) } : {}),
  });
};

const valueAt = (root: unknown, path: readonly string[]): unknown => {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) {
      return undefined;
    }
    value = Reflect.get(value, key);
  }
  return value;
};

/**
 * A refused union reports every alternative's errors and then itself. When the value's type fits one alternative, the
 * errors of that one are what the caller needs; when it fits none, one line that names the types.
 */
const joinAlternatives = (errors: readonly ErrorObject[]): ErrorObject[] => {
  const mistyped = new Set(
    errors.filter((error) => error.keyword === "type").map((error) => error.instancePath),
  );
  // A value of the wrong type is also none of the allowed values; once is enough.
  let relevant = errors.filter((error) => error.keyword !== "enum" || !mistyped.has(error.instancePath));
  for (const union of errors) {
    if ((union.keyword === "anyOf" || union.keyword === "oneOf") && relevant.includes(union)) {
      relevant = joinUnion(relevant, union);
    }
  }
  return relevant;
};

const joinUnion = (errors: readonly ErrorObject[], union: ErrorObject): ErrorObject[] => {
  const under = `${union.schemaPath}/`;
  const isBranch = (error: ErrorObject): boolean =>
    error.schemaPath.startsWith(under) && error.instancePath.startsWith(union.instancePath);
  const branches = Map.groupBy(errors.filter(isBranch), (error) => branchOf(error, under));
  if (branches.size === 0) {
    return [...errors];
  }
  const refusedByType = (list: readonly ErrorObject[]): boolean =>
    list.some((error) => error.keyword === "type" && error.instancePath === union.instancePath);
  const fitting = [...branches.values()].filter((list) => !refusedByType(list));
  if (fitting.length === 1) {
    const chosen = fitting[0];
    return errors.filter((error) => error !== union && (!isBranch(error) || chosen?.includes(error)));
  }
  const types = [...branches.values()].flat().filter((error) => error.keyword === "type");
  const joined =
    fitting.length === 0
      ? { ...union, keyword: "type", params: { type: types.flatMap((error) => typesOf(error.params)) } }
      : union;
  return errors.filter((error) => !isBranch(error)).map((error) => (error === union ? joined : error));
};

const branchOf = (error: ErrorObject, under: string): string =>
  error.schemaPath.slice(under.length).split("/", 1)[0] ?? "";

const typesOf = (params: Record<string, unknown>): string[] => {
  const type = params["type"];
  return (Array.isArray(type) ? type : [type]).map(String);
};

const typeNames: Record<string, string> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

const unit = (count: unknown, one: string, many: string): string =>
  `${String(count)} ${count === 1 ? one : many}`;

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const messages: Record<string, (params: Record<string, unknown>) => string> = {
  required: () => "is required",
  dependentRequired: (p) => `is required when ${String(p["property"])} is given`,
  type: (p) =>
    `must be ${typesOf(p)
      .map((type) => typeNames[type] ?? type)
      .join(" or ")}`,
  enum: (p) =>
    `must be one of: ${Array.isArray(p["allowedValues"]) ? p["allowedValues"].map(shown).join(", ") : ""}`,
  const: (p) => `must be ${shown(p["allowedValue"])}`,
  minLength: (p) =>
    p["limit"] === 1 ? "must not be empty" : `must have at least ${String(p["limit"])} characters`,
  maxLength: (p) => `must have at most ${unit(p["limit"], "character", "characters")}`,
  minItems: (p) =>
    p["limit"] === 1 ? "must not be empty" : `must have at least ${String(p["limit"])} items`,
  maxItems: (p) => `must have at most ${unit(p["limit"], "item", "items")}`,
  minProperties: (p) => `must have at least ${unit(p["limit"], "property", "properties")}`,
  maxProperties: (p) => `must have at most ${unit(p["limit"], "property", "properties")}`,
  minimum: (p) => `must be at least ${String(p["limit"])}`,
  maximum: (p) => `must be at most ${String(p["limit"])}`,
  exclusiveMinimum: (p) => `must be greater than ${String(p["limit"])}`,
  exclusiveMaximum: (p) => `must be less than ${String(p["limit"])}`,
  multipleOf: (p) => `must be a multiple of ${String(p["multipleOf"])}`,
  pattern: (p) => `must match the pattern ${String(p["pattern"])}`,
  format: (p) => `must be a valid ${String(p["format"])}`,
  additionalProperties: () => "is not a known property",
  unevaluatedProperties: () => "is not a known property",
  uniqueItems: (p) =>
    `must not hold the same item twice (items ${[p["i"], p["j"]]
      .map(Number)
      .sort((a, b) => a - b)
      .join(" and ")})`,
  propertyNames: (p) => `has a property name that is not allowed: ${String(p["propertyName"])}`,
  anyOf: () => "must match one of the allowed forms",
  oneOf: () => "must match exactly one of the allowed forms",
  not: () => "is not allowed",
};

const messageOf = (error: ErrorObject, params: Record<string, unknown>): string =>
  messages[error.keyword]?.(params) ?? error.message ?? "is not valid";
