/**
 * Pure: gives the schemas of an OpenAPI document names. Equal schemas are one component, whatever their description
 * and default are; those stay beside the reference.
 *
 * A name is given by a place where its schema is: `getPlan 200 dag waiting` is the schema of the property `waiting` of the
 * property `dag` in what `getPlan` answers with 200, `createAgent request tools []` an entry of a list in a body,
 * `listPlans ?operations []` of a parameter, and `{}` the values of an object with free keys. Bodies that have no name
 * are called after their operation.
 */
import { canonicalJson } from "../../lib/canonical-json.ts";
import { isRecord } from "../../lib/is-record.ts";

type Json = Record<string, unknown>;

/** Names of operations that the document does not have are left out: a server may have a part of an interface. */
export const nameSchemas = (document: Json, places: Record<string, string> = {}): Json => {
  const components = recordOf(document["components"]);
  const naming = createNaming(recordOf(components["schemas"]));
  const operations = operationsOf(document);
  for (const [name, place] of Object.entries(places)) {
    const [id = "", ...path] = place.split(" ");
    const operation = operations.get(id);
    if (operation === undefined) continue;
    const schema = schemaAt(operation, path, naming.resolve);
    if (schema === undefined) throw new Error(`The document has no schema at "${place}" (${name}).`);
    naming.add(name, schema);
  }
  const paths = mapValues(recordOf(document["paths"]), (methods) =>
    mapValues(recordOf(methods), (operation) => nameWithin(recordOf(operation), naming)),
  );
  return { ...document, paths, components: { ...components, schemas: naming.components() } };
};

/** The operations of a document by their id. */
export const operationsOf = (document: Json): Map<string, Json> =>
  new Map(
    Object.values(recordOf(document["paths"]))
      .flatMap((methods) => Object.values(recordOf(methods)))
      .filter(isRecord)
      .map((operation) => [String(operation["operationId"]), operation]),
  );

export const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});

interface Naming {
  add: (name: string, schema: Json) => void;
  /** The schema with references in place of what has a name; it gets this name itself where it has none. */
  refer: (schema: Json, ownName?: string) => Json;
  resolve: (schema: Json) => Json;
  components: () => Json;
}

const createNaming = (given: Json): Naming => {
  const names = new Map<string, string>();
  const schemas = new Map<string, Json>();
  const finished = new Map<string, Json>();
  const add = (name: string, schema: Json): void => {
    const key = keyOf(schema);
    const other = names.get(key);
    if (other !== undefined || schemas.has(name)) {
      throw new Error(`The schema ${name} and ${other ?? name} are to be one schema with one name.`);
    }
    names.set(key, name);
    schemas.set(name, schema);
  };
  for (const [name, schema] of Object.entries(given)) add(name, recordOf(schema));

  const referenceTo = (name: string, schema: Json): Json => {
    if (!finished.has(name)) {
      // Set before its parts are named, so that a schema may be within itself.
      finished.set(name, {});
      finished.set(
        name,
        mapSubschemas(schemas.get(name) ?? schema, (each) => refer(each)),
      );
    }
    const { description, default: value, deprecated } = schema;
    const isSaid = description === undefined || description === schemas.get(name)?.["description"];
    return {
      $ref: `${prefix}${name}`,
      ...(isSaid ? {} : { description }),
      ...(value === undefined ? {} : { default: value }),
      ...(deprecated === undefined ? {} : { deprecated }),
    };
  };
  const refer = (schema: Json, ownName?: string): Json => {
    const { $ref } = schema;
    const name = typeof $ref === "string" ? $ref.slice(prefix.length) : names.get(keyOf(schema));
    if (name !== undefined) return referenceTo(name, schema);
    const nonNull = withoutNull(schema);
    const inner = nonNull === undefined ? undefined : names.get(keyOf(nonNull));
    if (nonNull !== undefined && inner !== undefined) {
      const { description, ...reference } = referenceTo(inner, nonNull);
      return { anyOf: [reference, { type: "null" }], ...(description === undefined ? {} : { description }) };
    }
    if (ownName === undefined || !hasFields(schema)) return mapSubschemas(schema, (each) => refer(each));
    add(ownName, schema);
    return referenceTo(ownName, schema);
  };
  return {
    add,
    refer,
    resolve: (schema) =>
      typeof schema["$ref"] === "string"
        ? (schemas.get(schema["$ref"].slice(prefix.length)) ?? schema)
        : schema,
    components: () => Object.fromEntries([...finished].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

const prefix = "#/components/schemas/";

/** What stands beside a reference and is no part of the component. */
const besides = new Set(["description", "default", "deprecated"]);

/** What two schemas have in common that are one component. */
const keyOf = (schema: Json): string =>
  canonicalJson(Object.fromEntries(Object.entries(schema).filter(([key]) => !besides.has(key))));

/** A schema that is worth a name: an object with properties, or several of them. */
const hasFields = (schema: Json): boolean =>
  Object.keys(recordOf(schema["properties"])).length > 0 ||
  listOf(schema["anyOf"]).some((each) => hasFields(recordOf(each)));

/** The schema of what is not null, where a type list allows null. */
const withoutNull = (schema: Json): Json | undefined => {
  const { type, enum: values } = schema;
  if (!Array.isArray(type) || !type.includes("null")) return undefined;
  const others = type.filter((each) => each !== "null");
  return {
    ...schema,
    type: others.length === 1 ? others[0] : others,
    ...(Array.isArray(values) ? { enum: values.filter((each) => each !== null) } : {}),
  };
};

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const mapValues = (object: Json, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

const singleSchemas = new Set(["items", "additionalProperties", "not", "contains", "propertyNames"]);
const listsOfSchemas = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const mapsOfSchemas = new Set(["properties", "patternProperties", "$defs"]);

/** Changes the schemas directly within a schema; values such as defaults stay as they are. */
const mapSubschemas = (schema: Json, change: (schema: Json) => Json): Json =>
  mapValues(schema, (value, key) => {
    if (singleSchemas.has(key) && isRecord(value)) return change(value);
    if (listsOfSchemas.has(key)) return listOf(value).map((each) => (isRecord(each) ? change(each) : each));
    if (mapsOfSchemas.has(key) && isRecord(value))
      return mapValues(value, (each) => (isRecord(each) ? change(each) : each));
    return value;
  });

const nameWithin = (operation: Json, naming: Naming): Json => {
  const id = String(operation["operationId"]);
  const base = id.charAt(0).toUpperCase() + id.slice(1);
  const { parameters, requestBody } = operation;
  return {
    ...operation,
    ...(Array.isArray(parameters)
      ? {
          parameters: parameters.map((each) => ({
            ...each,
            schema: naming.refer(recordOf(recordOf(each)["schema"])),
          })),
        }
      : {}),
    ...(isRecord(requestBody) ? { requestBody: withContent(requestBody, naming, `${base}Request`) } : {}),
    responses: mapValues(recordOf(operation["responses"]), (response, status) =>
      withContent(recordOf(response), naming, Number(status) < 300 ? `${base}Response` : undefined),
    ),
  };
};

const withContent = (part: Json, naming: Naming, ownName: string | undefined): Json =>
  isRecord(part["content"])
    ? {
        ...part,
        content: mapValues(part["content"], (media) => {
          const { schema, ...rest } = recordOf(media);
          return { schema: namedBody(recordOf(schema), naming, ownName), ...rest };
        }),
      }
    : part;

/** A list gets no name, but its entries do. */
const namedBody = (schema: Json, naming: Naming, ownName: string | undefined): Json => {
  const { items } = schema;
  return schema["type"] === "array" && isRecord(items) && ownName !== undefined
    ? { ...schema, items: naming.refer(items, ownName.replace(/(Request|Response)$/, "Item")) }
    : naming.refer(schema, ownName);
};

const schemaAt = (
  operation: Json,
  [start = "", ...path]: string[],
  resolve: Naming["resolve"],
): Json | undefined => {
  const body = (part: unknown): Json =>
    recordOf(recordOf(Object.values(recordOf(recordOf(part)["content"]))[0])["schema"]);
  let schema = start.startsWith("?")
    ? recordOf(
        listOf(operation["parameters"])
          .map(recordOf)
          .find((each) => each["name"] === start.slice(1))?.["schema"],
      )
    : start === "request"
      ? body(operation["requestBody"])
      : body(recordOf(operation["responses"])[start]);
  for (const step of path) {
    schema = stepInto(resolve(schema), step);
  }
  schema = alternativesOf(schema).length === 1 ? recordOf(alternativesOf(schema)[0]) : schema;
  const found = withoutNull(schema) ?? schema;
  return Object.keys(found).length > 0 && found["$ref"] === undefined ? found : undefined;
};

/** The schemas of a union that are not null. */
const alternativesOf = (schema: Json): unknown[] =>
  listOf(schema["anyOf"]).filter((each) => recordOf(each)["type"] !== "null");

const stepInto = (schema: Json, step: string): Json => {
  const [first, ...more] = alternativesOf(schema);
  const from = first !== undefined && more.length === 0 ? recordOf(first) : schema;
  if (step === "[]") return recordOf(from["items"]);
  if (step === "{}")
    return recordOf(Object.values(recordOf(from["patternProperties"]))[0] ?? from["additionalProperties"]);
  if (/^\d+$/.test(step)) return recordOf(listOf(schema["anyOf"])[Number(step)]);
  return recordOf(recordOf(from["properties"])[step]);
};
