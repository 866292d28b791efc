/**
 * The HTTP interfaces of a Plinth server for TypeScript. Paths, parameters, bodies and answers are typed from the OpenAPI
 * documents; packages/client/README.md has examples.
 */
import createFetchClient, { type Client, type Middleware } from "openapi-fetch";
import type { paths as AssistantPaths } from "./generated/assistant.ts";
import type { paths as AuthPaths } from "./generated/auth.ts";
import type { paths as BuilderPaths } from "./generated/builder.ts";
import type { paths as CoordinatorPaths } from "./generated/coordinator.ts";
import type { paths as DataLayerPaths } from "./generated/data-layer.ts";
import type { paths as GovernancePaths } from "./generated/governance.ts";
import { PlinthError, resultOf } from "./errors.ts";
import { followStream, type FollowOptions, type StreamEvent } from "./events.ts";

export type { components as AssistantComponents } from "./generated/assistant.ts";
export type { components as AuthComponents } from "./generated/auth.ts";
export type { components as BuilderComponents } from "./generated/builder.ts";
export type { components as CoordinatorComponents } from "./generated/coordinator.ts";
export type { components as DataLayerComponents } from "./generated/data-layer.ts";
export type { components as GovernanceComponents } from "./generated/governance.ts";
export { PlinthError, resultOf, type ErrorProblem } from "./errors.ts";
export type { FollowOptions, StreamEvent } from "./events.ts";

export interface ClientOptions {
  /** Address of the server, with the path that a proxy serves it below. */
  url: string;
  /** The bearer token, or what gives it for each request. Empty or absent for a server without sign-in. */
  token?: string | undefined | (() => string | undefined | Promise<string | undefined>);
  /** Limit of a request with its whole answer, 30 s unless given; `within` sets another one. Streams of events have none. */
  timeoutMs?: number;
  fetch?: (request: Request) => Promise<Response>;
}

export interface PlinthClient {
  builder: Client<BuilderPaths>;
  assistant: Client<AssistantPaths>;
  coordinator: Client<CoordinatorPaths>;
  governance: Client<GovernancePaths>;
  dataLayer: Client<DataLayerPaths>;
  /** Tokens, service accounts, and who the caller is. */
  auth: Client<AuthPaths>;
  /**
   * The data of a GraphQL query to the data layer, in the shape that the caller says it has. Throws a PlinthError where the query
   * was refused, or a part of the answer could not be read.
   */
  query<Data = Record<string, unknown>>(query: string, options?: QueryOptions): Promise<Data>;
  /**
   * The events of a stream, such as `/api/coordinator/v1/execution-plans/{token}/events`. A connection that breaks is
   * opened again after the last event, so that each event comes once. Ends when the stream has its last event.
   */
  follow(path: string, options?: FollowOptions): AsyncGenerator<StreamEvent>;
  /**
   * The `fetch` of a request with a limit of its own, in place of `timeoutMs`, such as of a large upload or a dry run:
   * `plinth.builder.POST(path, { body, fetch: plinth.within(120_000) })`.
   */
  within(timeoutMs: number): (request: Request) => Promise<Response>;
}

export interface QueryOptions {
  variables?: Record<string, unknown>;
  /** Where the document has several operations. */
  operationName?: string;
  signal?: AbortSignal;
}

const defaultTimeoutMs = 30_000;

export const createClient = (options: ClientOptions): PlinthClient => {
  const { url, token, timeoutMs = defaultTimeoutMs, fetch: send = fetch } = options;
  const baseUrl = url.replace(/\/+$/, "");
  const authorize = async (headers: Headers): Promise<void> => {
    const value = typeof token === "function" ? await token() : token;
    if (value !== undefined && value !== "") headers.set("authorization", `Bearer ${value}`);
  };
  const signIn: Middleware = {
    async onRequest({ request }) {
      await authorize(request.headers);
      return request;
    },
  };
  const within = (limitMs: number) => (request: Request) => sendWithin(limitMs, request, send);
  const clientOf = <Paths extends object>(): Client<Paths> => {
    const client = createFetchClient<Paths>({ baseUrl, fetch: within(timeoutMs) });
    client.use(signIn);
    return client;
  };
  const dataLayer = clientOf<DataLayerPaths>();
  return {
    builder: clientOf<BuilderPaths>(),
    assistant: clientOf<AssistantPaths>(),
    coordinator: clientOf<CoordinatorPaths>(),
    governance: clientOf<GovernancePaths>(),
    dataLayer,
    auth: clientOf<AuthPaths>(),
    query: (query, asked) => ask(dataLayer, query, asked),
    follow: (path, follow = {}) =>
      followStream(async (headers, signal) => {
        await authorize(headers);
        return send(new Request(baseUrl + path, { headers, signal }));
      }, follow),
    within,
  };
};

/** A stream of events goes on for as long as there are some: its limit ends with the headers. */
async function sendWithin(
  limitMs: number,
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const timeout = AbortSignal.timeout(limitMs);
  const limit = new AbortController();
  const end = (): void => limit.abort(timeout.reason);
  timeout.addEventListener("abort", end, { once: true });
  const signal = AbortSignal.any([request.signal, limit.signal]);
  const response = await send(new Request(request, { signal }));
  if (isEventStream(response)) timeout.removeEventListener("abort", end);
  return response;
}

const isEventStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

async function ask<Data>(
  client: Client<DataLayerPaths>,
  query: string,
  { variables, operationName, signal }: QueryOptions = {},
): Promise<Data> {
  const body = { query, variables: variables ?? null, operationName: operationName ?? null };
  const answer = await client.POST("/graphql", { body, ...(signal && { signal }) });
  const { data, errors } = await resultOf(Promise.resolve(answer));
  if (errors !== undefined) throw new PlinthError(answer.response.status, { errors });
  return data as Data;
}
