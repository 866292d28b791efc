/** Pure: an area's operations as its OpenAPI 3.1 document. */
import type { TObject, TSchema } from "typebox";
import { isRecord } from "../../lib/is-record.ts";
import { asInput, pathSchema } from "../input/check-input.ts";
import { otherAnswer, type Area, type Operation, type ResponseSpec } from "../operation.ts";
import { placeholdersOf } from "../paths.ts";
import { addExamples } from "./examples.ts";
import { nameSchemas } from "./schema-names.ts";

export interface DocumentedOperation {
  operation: Operation;
  /** The path with the area's prefix and `{name}` placeholders. */
  fullPath: string;
  /** The operation at the area's second base, which the document does not repeat. */
  isCopy?: true;
}

type Json = Record<string, unknown>;

/**
 * Schemas go into the document as they are (both speak JSON Schema 2020-12), each under one name; what validates and
 * serialises has no names, so that they cost a request nothing.
 */
export const openApiDocument = (
  area: Area,
  operations: readonly DocumentedOperation[],
  links: { isPublic: (rule: string) => boolean; serverUrl: string },
): Json => {
  const named = nameSchemas(documentWithoutNames(area, operations, links), area.schemaNames);
  return addExamples(named, area.exampleValues);
};

const documentWithoutNames = (
  area: Area,
  operations: readonly DocumentedOperation[],
  { isPublic, serverUrl }: { isPublic: (rule: string) => boolean; serverUrl: string },
): Json => {
  const paths: Record<string, Json> = {};
  for (const { operation, fullPath, isCopy } of operations) {
    if (isCopy) continue;
    paths[fullPath] = {
      ...paths[fullPath],
      [operation.method.toLowerCase()]: describe(area, operation, isPublic(operation.rule)),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: area.title,
      version: area.version,
      ...(area.description === undefined ? {} : { description: area.description }),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl }],
    ...(area.tags === undefined ? {} : { tags: area.tags }),
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: {
        ...mapValues(area.schemas ?? {}, plain),
        ...(area.errorSchema === undefined ? {} : { Error: plain(area.errorSchema) }),
      },
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    },
  };
};

export const takesBody = ({ body, upload }: Operation): boolean => body !== undefined || upload !== undefined;

/** Statuses an operation can answer because of its shape, not of what it does. */
const impliedErrors = (area: Area, operation: Operation, isPublic: boolean): number[] => {
  const takesInput =
    takesBody(operation) || operation.query !== undefined || placeholdersOf(operation.path).length > 0;
  return [
    ...(takesInput ? [operation.errorBody ? 400 : (area.invalidStatus ?? 400)] : []),
    ...(takesBody(operation) ? [408, 413, 415] : []),
    ...(isPublic ? [] : [401, 403]),
    429,
    500,
    503,
  ];
};

const describe = (area: Area, operation: Operation, isPublic: boolean): Json => {
  const parameters = [
    ...parametersOf("path", operation.params ?? pathSchema(placeholdersOf(operation.path))),
    ...parametersOf("query", operation.query),
    ...parametersOf("header", operation.headers),
  ];
  const body = requestBody(operation);
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.tags === undefined ? {} : { tags: operation.tags }),
    ...(operation.deprecated === true ? { deprecated: true } : {}),
    ...(isPublic ? { security: [] } : {}),
    "x-rule": operation.rule,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(operation, area, impliedErrors(area, operation, isPublic)),
  };
};

const parametersOf = (place: "path" | "query" | "header", schema: TObject | undefined): Json[] => {
  if (schema === undefined) {
    return [];
  }
  const { required } = plain(asInput(schema));
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = plain(asInput(property));
    const isList =
      rest["type"] === "array" || (Array.isArray(rest["type"]) && rest["type"].includes("array"));
    return {
      name,
      in: place,
      required: place === "path" || (Array.isArray(required) && required.includes(name)),
      ...(description === undefined ? {} : { description }),
      ...(isList ? { style: "form", explode: true } : {}),
      schema: rest,
    };
  });
};

const requestBody = ({ body, upload, bodyOptional }: Operation): Json | undefined => {
  if (upload !== undefined) {
    return { required: true, content: { "multipart/form-data": { schema: plain(asInput(upload)) } } };
  }
  return body === undefined
    ? undefined
    : { required: bodyOptional !== true, content: { "application/json": { schema: plain(asInput(body)) } } };
};

const responsesOf = (operation: Operation, area: Area, implied: readonly number[]): Json => {
  const responses: Json = {};
  for (const [status, spec] of Object.entries(operation.response)) {
    responses[status] = successOf(spec);
  }
  if (operation.mayStream === true) {
    const [first] = Object.values(responses);
    Object.assign((first as { content: Json }).content, {
      "text/event-stream": { schema: { type: "string" } },
    });
  }
  const errors = new Set([...implied, ...(operation.errors ?? [])]);
  for (const status of [...errors].sort((a, b) => a - b)) {
    responses[String(status)] ??= errorOf(area, status, operation.errorBody);
  }
  return responses;
};

const successOf = (spec: ResponseSpec): Json => {
  const other = otherAnswer(spec);
  if (other === undefined) {
    const schema = plain(spec);
    const { description } = schema;
    return {
      description: typeof description === "string" ? description : "Success",
      content: { "application/json": { schema } },
    };
  }
  return "noBody" in other
    ? { description: other.description }
    : { description: other.description, content: { [other.contentType]: { schema: { type: "string" } } } };
};

const errorOf = (area: Area, status: number, body?: TSchema): Json => {
  const own = body ?? area.errorSchemas?.[status];
  const schema =
    own === undefined
      ? area.errorSchema === undefined
        ? {}
        : { $ref: "#/components/schemas/Error" }
      : plain(own);
  return {
    description: errorDescriptions[status] ?? "Failure",
    ...(status === 429 || status === 503 ? { headers: retryAfterHeader } : {}),
    content: { "application/json": { schema } },
  };
};

const retryAfterHeader = { "retry-after": { description: "Seconds to wait.", schema: { type: "integer" } } };

const errorDescriptions: Record<number, string> = {
  400: "The input is not valid",
  401: "No valid credentials were sent",
  403: "The caller may not do this",
  404: "Not found",
  408: "The body did not arrive in time",
  409: "In conflict with the present state",
  413: "The body or what it unpacks to is too large",
  415: "The body is in another charset than UTF-8",
  422: "The input is not valid",
  429: "Too many requests",
  500: "A failure on the server's side",
  502: "A service that is needed answered wrongly",
  503: "Not available at the moment",
};

/** A schema as plain JSON, references to shared schemas pointing into the document. */
const plain = (schema: TSchema): Json => {
  const copy = rewrite(schema);
  return isJson(copy) ? copy : {};
};

const rewrite = (node: unknown): unknown => {
  if (Array.isArray(node)) {
    return node.map(rewrite);
  }
  return isJson(node)
    ? Object.fromEntries(
        Object.entries(node).map(([key, value]) => [
          key,
          key === "$ref" && typeof value === "string" ? componentRef(value) : rewrite(value),
        ]),
      )
    : node;
};

const componentRef = (ref: string): string =>
  ref.startsWith("#") ? ref : `#/components/schemas/${ref.replace(/#$/, "")}`;

const isJson = (value: unknown): value is Json => isRecord(value);

const mapValues = <T>(object: Record<string, T>, change: (value: T) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
