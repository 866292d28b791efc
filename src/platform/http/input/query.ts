/** Pure: a query string or path parameters to the values that a schema is checked against. */
import type { TObject } from "typebox";
import type { InputProblem } from "../operation.ts";
import { inputProblem } from "./problems.ts";

type ScalarType = "string" | "integer" | "number" | "boolean" | "null";

interface ParameterPlan {
  isList: boolean;
  types: ReadonlySet<string>;
  isTime: boolean;
}

export type QueryPlan = ReadonlyMap<string, ParameterPlan>;

export interface ReadParameters {
  values: Record<string, unknown>;
  problems: InputProblem[];
}

/** What each parameter of a schema looks like, worked out once at registration. */
export const planParameters = (schema: TObject): QueryPlan =>
  new Map(Object.entries(schema.properties).map(([name, property]) => [name, planOf(property)]));

/**
 * Reads the known parameters of a query string; unknown ones are ignored. A list may be repeated, comma-separated or
 * both. A scalar that is given twice, and text that is not percent-encoded UTF-8, are problems.
 */
export const readQuery = (text: string, plan: QueryPlan): ReadParameters => {
  const read: ReadParameters = { values: {}, problems: [] };
  for (const pair of text === "" ? [] : text.split("&")) {
    const equals = pair.indexOf("=");
    const rawName = equals === -1 ? pair : pair.slice(0, equals);
    const name = decode(rawName);
    if (name === undefined) {
      read.problems.push(badEncoding(rawName));
      continue;
    }
    const parameter = plan.get(name);
    if (parameter !== undefined) {
      addValue(read, { name, parameter, value: decode(equals === -1 ? "" : pair.slice(equals + 1)) });
    }
  }
  return read;
};

interface GivenValue {
  name: string;
  parameter: ParameterPlan;
  /** Undefined when it could not be decoded. */
  value: string | undefined;
}

const addValue = ({ values, problems }: ReadParameters, { name, parameter, value }: GivenValue): void => {
  const earlier = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) {
    problems.push(badEncoding(name));
    return;
  }
  if (value.includes("\u0000")) {
    problems.push(nulProblem("query", name));
  }
  if (parameter.isList) {
    const items = value
      .split(",")
      .filter((each) => each !== "")
      .map((each) => coerce(each, parameter));
    values[name] = Array.isArray(earlier) ? [...earlier, ...items] : items;
  } else if (earlier === undefined) {
    values[name] = coerce(value, parameter);
  } else if (!problems.some(({ keyword, where }) => keyword === "repeated" && where === name)) {
    problems.push(
      inputProblem("query", [name], {
        keyword: "repeated",
        message: "must be given once",
        value: [earlier, value],
      }),
    );
  }
};

/** Path parameters arrive decoded, by the router's names; `names` pairs those of the operation with them. */
export const readPath = (
  textOf: (routerName: string) => string,
  names: readonly (readonly [string, string])[],
  plan: QueryPlan,
): ReadParameters => {
  const values: Record<string, unknown> = {};
  const problems: InputProblem[] = [];
  for (const [name, routerName] of names) {
    const text = textOf(routerName);
    const parameter = plan.get(name);
    values[name] = parameter === undefined ? text : coerce(text, parameter);
    if (text.includes("\u0000")) {
      problems.push(nulProblem("path", name));
    }
  }
  return { values, problems };
};

const decode = (text: string): string | undefined => {
  if (!text.includes("%") && !text.includes("+")) {
    return text;
  }
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
};

const badEncoding = (name: string): InputProblem =>
  inputProblem("query", [name.slice(0, 100)], {
    keyword: "encoding",
    message: "is not valid percent-encoded UTF-8",
  });

const nulProblem = (place: "query" | "path", name: string): InputProblem =>
  inputProblem(place, [name], { keyword: "text", message: "must not contain the NUL character" });

const planOf = (schema: unknown): ParameterPlan => {
  const types = typesOf(schema);
  const items: unknown = arrayItems(schema);
  return items === undefined
    ? { isList: false, types, isTime: field(schema, "format") === "date-time" }
    : { isList: true, types: typesOf(items), isTime: false };
};

const field = (schema: unknown, name: string): unknown =>
  typeof schema === "object" && schema !== null ? Reflect.get(schema, name) : undefined;

const alternatives = (schema: unknown): unknown[] => {
  const union = field(schema, "anyOf") ?? field(schema, "oneOf");
  return Array.isArray(union) ? union : [schema];
};

const arrayItems = (schema: unknown): unknown => {
  const list = alternatives(schema).find((each) => [field(each, "type")].flat().includes("array"));
  return list === undefined ? undefined : (field(list, "items") ?? {});
};

const typesOf = (schema: unknown): ReadonlySet<string> =>
  new Set(alternatives(schema).flatMap((each) => [field(each, "type")].flat().map(String)));

const numeric = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The value that a text stands for under the wanted types; the text itself when it stands for none, so that the schema
 * refuses it and says why. Stricter than the validator's own coercion, which takes " 5 " and "0x10" for numbers.
 */
/** Clients in Python write a parameter's value as the language does. */
const truths: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
]);

const coerce = (text: string, { types, isTime }: ParameterPlan): unknown => {
  const wants = (type: ScalarType): boolean => types.has(type);
  // What no number can hold stays text, which the schema refuses.
  if ((wants("integer") || wants("number")) && numeric.test(text) && Number.isFinite(Number(text))) {
    return Number(text);
  }
  const truth = wants("boolean") ? truths.get(text) : undefined;
  if (truth !== undefined) {
    return truth;
  }
  if (wants("null") && !wants("string") && text === "") {
    return null;
  }
  // A plus sign that was not percent-encoded reads as a space, and every offset of a time east of Greenwich has one.
  return isTime ? text.replace(/ (?=\d\d:?\d\d$)/, "+") : text;
};
