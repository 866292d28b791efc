import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Static, TObject, TSchema } from "typebox";
import type { Failure, Problem } from "../errors/failure.ts";
import type { RequestContext } from "../lib/request-context.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The part of a request that an area needs to shape a failure; raw sockets have no more than this. */
export interface RequestView {
  readonly id: string;
  readonly method: string;
  readonly url: string;
}

export type InputPlace = "body" | "query" | "path" | "header";

/**
 * A problem of an HTTP input, with what an area needs to say it in its own words. `where` is a JSON
 * pointer (body) or a name (query, path, header). `keyword` is the JSON Schema keyword that refused, or one of
 * `json`, `empty`, `contentType`, `contentEncoding`, `repeated`, `encoding`, `text`, `depth`, `truncated`.
 * `value` is what was given, absent when nothing was; `around` is the value that a required property is missing in. Both may
 * be secrets, so never log them.
 */
export interface InputProblem extends Problem {
  place: InputPlace;
  path: string[];
  keyword: string;
  params: Record<string, unknown>;
  value?: unknown;
  around?: unknown;
}

export const isInputProblem = (problem: Problem): problem is InputProblem =>
  "place" in problem && "keyword" in problem;

/** An answer that is not JSON: no body at all, or a body of another type (`text/event-stream`). */
export type OtherAnswer =
  | { description: string; noBody: true }
  | { description: string; contentType: string };

/** A success answer of an operation: the schema of its JSON body, or what it is instead. */
export type ResponseSpec = TSchema | OtherAnswer;

export const otherAnswer = (spec: ResponseSpec | undefined): OtherAnswer | undefined => {
  if (spec !== undefined && "description" in spec && typeof spec.description === "string") {
    const { description } = spec;
    if ("noBody" in spec) {
      return { description, noBody: true };
    }
    if ("contentType" in spec && typeof spec.contentType === "string") {
      return { description, contentType: spec.contentType };
    }
  }
  return undefined;
};

export interface OperationInput<P extends TObject, Q extends TObject, B extends TSchema> {
  params: Static<P>;
  query: Static<Q>;
  body: Static<B>;
  raw: FastifyRequest;
  reply: FastifyReply;
}

/**
 * One HTTP operation. A handler returns the value of the first success response (serialised through its
 * schema), or answers by `reply.sendJson(text)` or `streamEvents(...)` and returns undefined.
 *
 * A property of `params`, `query` or `body` that has a `default` is optional for the caller and always present for
 * the handler; write it without `Type.Optional`. An array in the query may be given repeated or with commas.
 */
export interface Operation<
  Ctx extends RequestContext = RequestContext,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> {
  /** Unique within the area; the OpenAPI operationId and the metrics label. */
  id: string;
  method: Method;
  /** Below the area's prefix, with `{name}` placeholders: `/v1/deployment-units/{deployment-unit-id}`. */
  path: string;
  /** One of the area's `aliases`, when the path is below that instead of the prefix. */
  base?: string;
  summary: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  /** Entry of the policy table; an operation without one cannot be registered. */
  rule: string;
  /** Of a public operation that says who the caller is: credentials are looked at, and those that are not accepted count as none. */
  readsCaller?: boolean;
  /** Takes HTTP Basic too, with the bearer token as password, and asks for it: git programs know nothing else. */
  basicAuth?: boolean;
  /** Parameters that the `WWW-Authenticate` header of its 401 and 403 has besides the usual ones. */
  challenge?: () => Record<string, string>;
  /** Defaults to non-empty strings for each placeholder. */
  params?: P;
  query?: Q;
  body?: B;
  /** The body may be left out; the handler then sees undefined. */
  bodyOptional?: boolean;
  /** Documents a multipart/form-data body, which the handler reads from `raw` itself. */
  upload?: TSchema;
  /** Default: the server's, and 32 KiB for a public operation; of a public one at most 256 KiB. */
  bodyLimitBytes?: number;
  /** The failure of a path that `params` refuses, where nothing else is wrong and it is not to be told from an unknown one. */
  invalidPath?: () => Failure;
  /**
   * In an overload it goes before the others and is not refused because of them, so that an operator can end what causes the
   * overload. So it is only for callers whose credentials this process has accepted lately. Only operations that end work may be
   * urgent, and never public ones, or anybody could go before the rest.
   */
  urgent?: boolean;
  /** Request headers that the operation reads, for the document. */
  headers?: TObject;
  /** Success answers by status. The first one is what the handler's return value is sent as. */
  response: Record<number, ResponseSpec>;
  /** Whether the first success may also be an event stream, when the caller asks for that in the body. */
  mayStream?: boolean;
  /** The body of its errors where that is not the area's, for the document; invalid input is then a 400. */
  errorBody?: TSchema;
  /** Statuses that it answers beyond those that follow from its shape (400/422, 401, 403, 413, 429, 500, 503). */
  errors?: number[];
  handler(ctx: Ctx, input: OperationInput<P, Q, B>): unknown;
}

/** The HTTP response of a failure. */
export interface FailureBody {
  status: number;
  body: unknown;
}

/**
 * One HTTP interface with its own error body, not-found answer and OpenAPI document. `extra` is merged into the
 * context of every request of the area (its database, its services).
 */
export interface Area<Extra extends object = object> {
  name: string;
  /** E.g. `/api/coordinator`; the document is served at `<prefix>/openapi.json`. */
  prefix: string;
  title: string;
  version: string;
  description?: string;
  /** Further path prefixes whose unknown paths answer in this area's body (`/api/scaffolder`). */
  aliases?: string[];
  /** Where every operation of the prefix is served as well, under the same rule; an empty text is the root. */
  secondBases?: readonly string[] | undefined;
  /** Status of an invalid input; default 400 (the assistant answers 422). */
  invalidStatus?: 400 | 422;
  /** Body of every failure, for the document. */
  errorSchema?: TSchema;
  /** Bodies that differ by status, for the document; wins over `errorSchema`. */
  errorSchemas?: Record<number, TSchema>;
  /** Named schemas that others point to with `Type.Ref(name)`; they become components of the document. */
  schemas?: Record<string, TSchema>;
  tags?: { name: string; description: string }[];
  /** Names of schemas in the document, by a place where the schema is: `getPlan 200 dag` (document/schema-names.ts). */
  schemaNames?: Record<string, string>;
  /** What the examples of the document are made of (document/examples.ts). */
  exampleValues?: Record<string, unknown>;
  extra?: Extra;
  register(app: AreaApp<Extra>): void | Promise<void>;
  /** Use `statusOf(failure)` from errors.ts for the status: it knows 405 and 429, which no kind has. */
  toBody(failure: Failure, request: RequestView): FailureBody;
}

/** What `register` gets; `route(app, …)` is the only way to add an operation. */
export interface AreaApp<Extra extends object = object> {
  readonly area: Area<Extra>;
  /** The area's own scope, for plugins that only it needs (multipart). */
  readonly fastify: FastifyInstance;
  /** Adds an operation; use `route()`, which types it. */
  add(operation: Operation<RequestContext & Extra>): void;
}

/**
 * Adds one operation to an area. Refuses at start: an unknown rule, a repeated id, a path whose placeholders and
 * `params` disagree.
 */
export const route = <
  Extra extends object,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(
  app: AreaApp<Extra>,
  operation: Operation<RequestContext & Extra, P, Q, B>,
): void => {
  app.add(operation);
};
