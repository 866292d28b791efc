/**
 * Pure: adds an example of each body and of each parameter to a document. They are put together from values that the area
 * gives under one of these keys, the first that is there:
 *
 * - `getPlan 200` or `getPlan request`: a whole body; of another type than JSON, its text;
 * - `Plan`: every object of that schema; `Plan.status`: its property;
 * - `status`: every property and parameter of that name which it fits.
 *
 * A required value that none of them gives leaves the body without an example, which test/openapi-examples.test.ts reports.
 */
import { isRecord } from "../../lib/is-record.ts";
import { recordOf } from "./schema-names.ts";

type Json = Record<string, unknown>;
type Values = Record<string, unknown>;

export const addExamples = (document: Json, values: Values = {}): Json => {
  const schemas = recordOf(recordOf(document["components"])["schemas"]);
  const composer = { schemas, values };
  return {
    ...document,
    paths: mapRecord(document["paths"], (methods) =>
      mapRecord(methods, (operation) => withExamples(recordOf(operation), composer)),
    ),
  };
};

interface Composer {
  schemas: Json;
  values: Values;
}

const withExamples = (operation: Json, composer: Composer): Json => {
  const id = String(operation["operationId"]);
  const { parameters, requestBody } = operation;
  return {
    ...operation,
    ...(Array.isArray(parameters)
      ? { parameters: parameters.map((each: unknown) => withParameterExample(recordOf(each), id, composer)) }
      : {}),
    ...(isRecord(requestBody)
      ? { requestBody: withBodyExample(requestBody, `${id} request`, composer) }
      : {}),
    responses: mapRecord(operation["responses"], (response, status) =>
      Number(status) < 300
        ? withBodyExample(recordOf(response), `${id} ${status}`, composer)
        : recordOf(response),
    ),
  };
};

const withParameterExample = (parameter: Json, id: string, composer: Composer): Json => {
  const name = String(parameter["name"]);
  const found = valueFor([`${id} ?${name}`, `?${name}`, name], recordOf(parameter["schema"]), composer);
  return found === missing ? parameter : { ...parameter, example: found };
};

const withBodyExample = (part: Json, key: string, composer: Composer): Json =>
  isRecord(part["content"])
    ? {
        ...part,
        content: mapRecord(part["content"], (media, type) => {
          const { schema } = recordOf(media);
          const ownKey = type === "text/event-stream" ? `${key} ${type}` : key;
          const found = valueFor([ownKey], recordOf(schema), composer);
          const example = found === missing ? compose(recordOf(schema), { ...composer, depth: 0 }) : found;
          return example === missing ? media : { ...recordOf(media), example };
        }),
      }
    : part;

const missing = Symbol("no example");

interface Composing extends Composer {
  depth: number;
  /** Name of the component that the schema is a part of. */
  owner?: string | undefined;
}

/** Examples of schemas that are within themselves end here. */
const maxDepth = 12;

const compose = (schema: Json, place: Composing): unknown => {
  if (place.depth > maxDepth) return missing;
  const inside = { ...place, depth: place.depth + 1 };
  const name = componentName(schema);
  if (name !== undefined) {
    return Object.hasOwn(place.values, name)
      ? place.values[name]
      : compose(recordOf(place.schemas[name]), { ...inside, owner: name });
  }
  if (Object.hasOwn(schema, "const")) return schema["const"];
  if (schema["default"] !== undefined) return schema["default"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  for (const keyword of ["anyOf", "oneOf"]) {
    const choices = schema[keyword];
    if (Array.isArray(choices)) return composeFirst(choices.map(recordOf), inside);
  }
  switch (firstType(schema)) {
    case "object":
      return composeObject(schema, inside);
    case "array":
      return composeList(schema, inside);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return schema["format"] === "date-time" ? "2026-11-22T09:30:00.000Z" : missing;
  }
};

const composeFirst = (choices: Json[], place: Composing): unknown => {
  for (const choice of choices) {
    const found = compose(choice, place);
    if (found !== missing) return found;
  }
  return missing;
};

const composeObject = (schema: Json, place: Composing): unknown => {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const example: Json = {};
  for (const [name, property] of Object.entries(recordOf(schema["properties"]))) {
    const found = propertyExample(name, recordOf(property), place);
    if (found !== missing) example[name] = found;
    else if (required.has(name)) return missing;
  }
  return example;
};

const propertyExample = (name: string, schema: Json, place: Composing): unknown => {
  // A property that is only named to be refused has no example.
  if (schema["not"] !== undefined || schema["deprecated"] === true) return missing;
  const owned = place.owner === undefined ? [] : [`${place.owner}.${name}`];
  const found = valueFor([...owned, name], schema, place);
  return found === missing ? compose(schema, { ...place, owner: undefined }) : found;
};

const composeList = (schema: Json, place: Composing): unknown => {
  const entry = isRecord(schema["items"]) ? compose(schema["items"], place) : missing;
  if (entry !== missing) return [entry];
  return Number(schema["minItems"] ?? 0) > 0 || isRecord(schema["items"]) ? missing : [];
};

const valueFor = (keys: string[], schema: Json, composer: Composer): unknown => {
  const key = keys.find((each) => Object.hasOwn(composer.values, each));
  if (key === undefined) return missing;
  const value = composer.values[key];
  return fits(value, schema, composer) ? value : missing;
};

/** Whether a value may be meant: names such as `status` and `id` are used for several things. */
const fits = (value: unknown, given: Json, composer: Composer): boolean => {
  const name = componentName(given);
  const schema = name === undefined ? given : recordOf(composer.schemas[name]);
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return choices.some((each) => fits(value, recordOf(each), composer));
  if (Array.isArray(schema["enum"])) return schema["enum"].includes(value);
  if (Object.hasOwn(schema, "const")) return schema["const"] === value;
  const types = new Set([schema["type"] ?? typeOf(value)].flat());
  if (!types.has(typeOf(value)) && !(types.has("integer") && Number.isInteger(value))) return false;
  if (Array.isArray(value)) return value.every((each) => fits(each, recordOf(schema["items"]), composer));
  if (isRecord(value)) {
    const required = Array.isArray(schema["required"]) ? schema["required"] : [];
    return required.every((each) => Object.hasOwn(value, String(each)));
  }
  return typeof schema["pattern"] !== "string" || new RegExp(schema["pattern"], "u").test(String(value));
};

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

const firstType = (schema: Json): unknown => [schema["type"]].flat()[0];

const componentName = ({ $ref }: Json): string | undefined =>
  typeof $ref === "string" ? $ref.slice("#/components/schemas/".length) : undefined;

const mapRecord = (object: unknown, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(recordOf(object)).map(([key, value]) => [key, change(value, key)]));
