/**
 * Pure: conditions on entities and locations as JSON: fields with their required values, combined by `$all`,
 * `$any` and `$not`. Comparison ignores case.
 */
import type { Problem } from "../../platform/errors/failure.ts";
import { escapeKey } from "../../platform/lib/json-pointer.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export type Predicate =
  | { is: "all"; of: Predicate[] }
  | { is: "any"; of: Predicate[] }
  | { is: "not"; of: Predicate }
  | { is: "field"; key: string; test: FieldTest };

/** Everything in lower case. */
export type FieldTest =
  | { is: "in"; values: string[] }
  | { is: "exists"; wanted: boolean }
  | { is: "prefix"; prefix: string }
  /** A relation with this type and target; null stands for any. */
  | { is: "relation"; type: string | null; target: string | null };

export const predicateLimits = { conditions: 200, values: 500, depth: 10, chars: 1_000 } as const;

export type ParsedPredicate = { predicate: Predicate } | { problems: Problem[] };

/** `where` is the place of the value in the request, for problems. */
export function parsePredicate(value: unknown, where: string): ParsedPredicate {
  const state: State = { problems: [], conditions: 0 };
  const predicate = parseCondition(value, { where, depth: 0 }, state);
  if (predicate === null || state.problems.length > 0) return { problems: state.problems.slice(0, 20) };
  return { predicate };
}

interface State {
  problems: Problem[];
  conditions: number;
}

interface At {
  where: string;
  depth: number;
}

function parseCondition(value: unknown, at: At, state: State): Predicate | null {
  const refuse = (message: string): null => {
    state.problems.push({ where: at.where, message });
    return null;
  };
  state.conditions += 1;
  if (state.conditions > predicateLimits.conditions) {
    return refuse(`There are more than ${predicateLimits.conditions} conditions.`);
  }
  if (at.depth > predicateLimits.depth) {
    return refuse(`Conditions are nested deeper than ${predicateLimits.depth} levels.`);
  }
  if (!isRecord(value)) return refuse('A condition is an object, such as { "kind": "component" }.');
  const operator = Object.keys(value).find((key) => key.startsWith("$"));
  if (operator === undefined) return parseFields(value, at, state);
  if (Object.keys(value).length > 1)
    return refuse(`${operator.slice(0, 20)} stands alone; put it into $all.`);
  const operand = value[operator];
  const below = { where: `${at.where}/${operator}`, depth: at.depth + 1 };
  if (operator === "$not") {
    const of = parseCondition(operand, below, state);
    return of && { is: "not", of };
  }
  if (operator !== "$all" && operator !== "$any") {
    return refuse(`There is no operator ${operator.slice(0, 20)} here; it is $all, $any or $not.`);
  }
  if (!Array.isArray(operand)) return refuse(`${operator} needs a list of conditions.`);
  const of = operand.map((each, index) =>
    parseCondition(each, { ...below, where: `${below.where}/${index}` }, state),
  );
  return { is: operator === "$all" ? "all" : "any", of: of.filter((each) => each !== null) };
}

function parseFields(value: Record<string, unknown>, at: At, state: State): Predicate {
  const of = Object.entries(value).flatMap(([key, wanted]): Predicate[] => {
    state.conditions += 1;
    const where = `${at.where}/${escapeKey(key)}`;
    const test = parseTest(wanted, key.toLowerCase(), (message) => state.problems.push({ where, message }));
    if (state.conditions > predicateLimits.conditions) {
      state.problems.push({
        where,
        message: `There are more than ${predicateLimits.conditions} conditions.`,
      });
    }
    if (primitiveText(key) === null) {
      state.problems.push({ where: at.where, message: "The name of a field is too long, or no text." });
    }
    return test === null ? [] : [{ is: "field", key: key.toLowerCase(), test }];
  });
  const [only] = of;
  // An empty object matches everything, but an empty list of alternatives matches nothing.
  if (of.length === 0) return { is: "not", of: { is: "any", of: [] } };
  return of.length === 1 && only !== undefined ? only : { is: "all", of };
}

function parseTest(wanted: unknown, key: string, refuse: (message: string) => void): FieldTest | null {
  const text = primitiveText(wanted);
  if (text !== null) return { is: "in", values: [text] };
  const [operator, ...others] = isRecord(wanted) ? Object.keys(wanted) : [];
  if (!isRecord(wanted) || operator === undefined || others.length > 0) {
    refuse("A field has a text, a number, true, false, or one of $in, $exists, $hasPrefix and $contains.");
    return null;
  }
  const operand = wanted[operator];
  if (operator === "$exists" && typeof operand === "boolean") return { is: "exists", wanted: operand };
  if (operator === "$hasPrefix" && typeof operand === "string" && operand.length <= predicateLimits.chars) {
    return { is: "prefix", prefix: operand.toLowerCase() };
  }
  if (operator === "$in" && Array.isArray(operand) && operand.length <= predicateLimits.values) {
    const values = operand.map(primitiveText);
    if (values.every((each) => each !== null)) return { is: "in", values };
  }
  if (operator === "$contains") {
    const item = primitiveText(operand);
    if (item !== null) return { is: "in", values: [item] };
    const relation = key === "relations" ? relationTest(operand) : null;
    if (relation !== null) return relation;
  }
  refuse(operators.get(operator) ?? `There is no operator ${operator.slice(0, 20)} for a field.`);
  return null;
}

const operators: ReadonlyMap<string, string> = new Map([
  ["$exists", "$exists needs true or false."],
  ["$hasPrefix", `$hasPrefix needs a text of at most ${predicateLimits.chars} characters.`],
  ["$in", `$in needs a list of at most ${predicateLimits.values} texts, numbers, true or false.`],
  ["$contains", "$contains needs a text or number, or for relations an object with type and targetRef."],
]);

function relationTest(operand: unknown): FieldTest | null {
  if (!isRecord(operand) || Object.keys(operand).some((key) => !/^(?:type|targetRef)$/i.test(key)))
    return null;
  const part = (name: string): string | null | undefined => {
    const [, value] = Object.entries(operand).find(([key]) => key.toLowerCase() === name) ?? [];
    return value === undefined ? null : (primitiveText(value) ?? undefined);
  };
  const type = part("type");
  const target = part("targetref");
  return type === undefined || target === undefined ? null : { is: "relation", type, target };
}

/**
 * In lower case; null for a value that is not a primitive, is too long, or cannot be stored in the database.
 */
function primitiveText(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value.length > predicateLimits.chars) return null;
  return value.includes("\0") || !value.isWellFormed() ? null : value.toLowerCase();
}

/** Whether the predicate matches a flat record with lower-case keys. */
export function holdsFor(predicate: Predicate, record: Readonly<Record<string, string>>): boolean {
  if (predicate.is === "not") return !holdsFor(predicate.of, record);
  if (predicate.is === "any") return predicate.of.some((each) => holdsFor(each, record));
  // As in SQL: an empty list of alternatives matches nothing.
  if (predicate.is === "all")
    return predicate.of.length > 0 && predicate.of.every((each) => holdsFor(each, record));
  const { key, test } = predicate;
  const value = Object.hasOwn(record, key) ? record[key]?.toLowerCase() : undefined;
  if (test.is === "exists") return (value !== undefined) === test.wanted;
  if (value === undefined || test.is === "relation") return false;
  return test.is === "in" ? test.values.includes(value) : value.startsWith(test.prefix);
}
