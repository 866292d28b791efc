/**
 * Pure: checks a value against a JSON schema by reading the schema. Libraries compile schemas into code, which the policy for pages
 * refuses to run. What is not known here is left to the server, which checks every value again.
 */
import { formatFault } from "./formats.ts";
import { definitionOf, isRecord, isSame, textsOf, type Values } from "./json.ts";

export interface Fault {
  path: readonly (string | number)[];
  message: string;
}

type Path = readonly (string | number)[];

const maxDepth = 40;
/** A pattern of a template could take forever on a long text. */
const longestForPattern = 2000;

export const faultsOf = (schema: unknown, value: unknown, root: unknown = schema): Fault[] =>
  check(schema, value, { path: [], root, depth: 0 });

export const isValid = (schema: unknown, value: unknown, root: unknown): boolean =>
  faultsOf(schema, value, root).length === 0;

interface Place {
  path: Path;
  root: unknown;
  depth: number;
}

const check = (schema: unknown, value: unknown, place: Place): Fault[] => {
  const { path, root, depth } = place;
  if (schema === false) return [{ path, message: "There must be no value." }];
  if (!isRecord(schema) || depth > maxDepth) return [];
  const next = { ...place, depth: depth + 1 };
  const referred =
    typeof schema["$ref"] === "string" ? check(definitionOf(root, schema["$ref"]), value, next) : [];
  if (value === undefined) return referred;
  const wrongType = typeFault(schema["type"], value);
  if (wrongType !== null) return [...referred, { path, message: wrongType }];
  const own = [...constantFaults(schema, value), ...scalarFaults(schema, value)];
  return [
    ...referred,
    ...own.map((message) => ({ path, message })),
    ...(Array.isArray(value) ? arrayFaults(schema, value, next) : []),
    ...(isRecord(value) ? objectFaults(schema, value, next) : []),
    ...combinationFaults(schema, value, next),
  ];
};

const typeNames: Record<string, string> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "yes or no",
  array: "a list",
  object: "a group of values",
  null: "empty",
};

const isOfType = (type: unknown, value: unknown): boolean => {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
};

const typeFault = (type: unknown, value: unknown): string | null => {
  const types = textsOf(type);
  if (types.length === 0 || types.some((each) => isOfType(each, value))) return null;
  return `It must be ${types.map((each) => typeNames[each] ?? each).join(" or ")}.`;
};

const constantFaults = (schema: Values, value: unknown): string[] => {
  if (Object.hasOwn(schema, "const") && !isSame(schema["const"], value))
    return [`It must be ${JSON.stringify(schema["const"])}.`];
  const options: unknown = schema["enum"];
  if (!Array.isArray(options) || options.some((each) => isSame(each, value))) return [];
  return [
    `It must be one of ${options
      .slice(0, 20)
      .map((each) => String(each))
      .join(", ")}.`,
  ];
};

const scalarFaults = (schema: Values, value: unknown): string[] => {
  if (typeof value === "string") return textFaults(schema, value);
  return typeof value === "number" ? numberFaults(schema, value) : [];
};

const textFaults = ({ minLength, maxLength, pattern, format }: Values, value: string): string[] => {
  const faults: string[] = [];
  const length = Array.from(value).length;
  if (typeof minLength === "number" && length < minLength)
    faults.push(minLength === 1 ? "It must not be empty." : `It must have at least ${minLength} characters.`);
  if (typeof maxLength === "number" && length > maxLength)
    faults.push(`It must have at most ${maxLength} characters.`);
  if (typeof pattern === "string" && !fitsPattern(pattern, value)) faults.push(`It must match ${pattern}`);
  const wrong = typeof format === "string" ? formatFault(format, value) : null;
  return wrong === null ? faults : [...faults, wrong];
};

/** An expression that is none accepts everything: the template is wrong then, not the value. */
export const fitsPattern = (pattern: string, value: string): boolean => {
  if (value.length > longestForPattern) return true;
  for (const flags of ["u", ""])
    try {
      return new RegExp(pattern, flags).test(value);
    } catch {
      // Tried without the flag, which is stricter.
    }
  return true;
};

const numberFaults = (schema: Values, value: number): string[] => {
  const limit = (key: string): number | undefined =>
    typeof schema[key] === "number" ? schema[key] : undefined;
  const [minimum, maximum, above, below, step] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
  ].map(limit);
  const faults: string[] = [];
  if (minimum !== undefined && value < minimum) faults.push(`It must be at least ${minimum}.`);
  if (maximum !== undefined && value > maximum) faults.push(`It must be at most ${maximum}.`);
  if (above !== undefined && value <= above) faults.push(`It must be more than ${above}.`);
  if (below !== undefined && value >= below) faults.push(`It must be less than ${below}.`);
  if (step !== undefined && step > 0 && !isMultiple(value, step))
    faults.push(`It must be a multiple of ${step}.`);
  return faults;
};

const isMultiple = (value: number, step: number): boolean => {
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9;
};

const arrayFaults = (schema: Values, value: readonly unknown[], place: Place): Fault[] => {
  const { minItems, maxItems, uniqueItems, items, additionalItems, contains } = schema;
  const { path } = place;
  const faults: Fault[] = [];
  if (typeof minItems === "number" && value.length < minItems)
    faults.push({ path, message: minItems === 1 ? "Add at least one." : `Add at least ${minItems}.` });
  if (typeof maxItems === "number" && value.length > maxItems)
    faults.push({ path, message: `There must be at most ${maxItems}.` });
  if (
    uniqueItems === true &&
    value.some((item, index) => value.slice(0, index).some((each) => isSame(each, item)))
  )
    faults.push({ path, message: "Two of them are the same." });
  if (contains !== undefined && !value.some((item) => isValid(contains, item, place.root)))
    faults.push({ path, message: "None of them is as one has to be." });
  return [
    ...faults,
    ...value.flatMap((item, index) =>
      check(Array.isArray(items) ? (items[index] ?? additionalItems) : items, item, {
        ...place,
        path: [...path, index],
      }),
    ),
  ];
};

const objectFaults = (schema: Values, value: Values, place: Place): Fault[] => {
  const { path } = place;
  const required: unknown = schema["required"];
  const names = Array.isArray(required) ? required.map(String) : [];
  const { minProperties, maxProperties } = schema;
  const count = Object.keys(value).length;
  const faults: Fault[] = names
    .filter((name) => value[name] === undefined)
    .map((name) => ({ path: [...path, name], message: "It is missing." }));
  if (typeof minProperties === "number" && count < minProperties)
    faults.push({ path, message: `Add at least ${minProperties}.` });
  if (typeof maxProperties === "number" && count > maxProperties)
    faults.push({ path, message: `There must be at most ${maxProperties}.` });
  const parts = Object.entries(value).flatMap(([name, item]) =>
    schemasFor(schema, name).flatMap((part) => check(part, item, { ...place, path: [...path, name] })),
  );
  return [...faults, ...parts, ...dependencyFaults(schema, value, place)];
};

/** Those of `properties` and `patternProperties`, else that of all others. */
const schemasFor = (schema: Values, name: string): unknown[] => {
  const { properties, patternProperties, additionalProperties } = schema;
  const found: unknown[] = isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  if (isRecord(patternProperties))
    for (const [pattern, part] of Object.entries(patternProperties))
      if (fitsPattern(pattern, name)) found.push(part);
  return found.length === 0 && additionalProperties !== undefined ? [additionalProperties] : found;
};

const dependencyFaults = (schema: Values, value: Values, place: Place): Fault[] =>
  ["dependencies", "dependentRequired", "dependentSchemas"].flatMap((key) => {
    const rules = schema[key];
    return Object.entries(isRecord(rules) ? rules : {}).flatMap(([name, rule]) => {
      if (value[name] === undefined) return [];
      return check(Array.isArray(rule) ? { required: rule } : rule, value, place);
    });
  });

const combinationFaults = (schema: Values, value: unknown, place: Place): Fault[] => {
  const { allOf, anyOf, oneOf, not, if: condition } = schema;
  const faults: Fault[] = Array.isArray(allOf) ? allOf.flatMap((part) => check(part, value, place)) : [];
  for (const choice of [anyOf, oneOf])
    if (Array.isArray(choice) && choice.length > 0) faults.push(...closest(choice, value, place));
  if (not !== undefined && check(not, value, place).length === 0)
    faults.push({ path: place.path, message: "This value is not allowed." });
  if (condition === undefined) return faults;
  const branch = check(condition, value, place).length === 0 ? schema["then"] : schema["else"];
  return [...faults, ...check(branch, value, place)];
};

/** The faults of the alternative that has the fewest. That more than one of `oneOf` fits is left to the server. */
const closest = (choice: readonly unknown[], value: unknown, place: Place): Fault[] =>
  choice.map((part) => check(part, value, place)).toSorted((a, b) => a.length - b.length)[0] ?? [];
