/**
 * Calls a Plinth server over HTTP. Anything but a success response is thrown as a Failure with a readable
 * message.
 */
import { Failure } from "../../platform/errors/failure.ts";
import { explainCredentials } from "./credentials.ts";
import { toFailure } from "./refusal.ts";

export interface Server {
  /** Without a slash at its end. */
  url: string;
  token?: string | undefined;
  /** Where the token comes from: an option, a variable, a context. */
  tokenFrom?: string | undefined;
  /** Whether `plinth login` has stored the token. */
  isSignIn?: boolean | undefined;
  /** The token that is good now, of a sign-in that is renewed by itself; asked for before each call. */
  renewedToken?: (() => Promise<string | undefined>) | undefined;
  /** Ends every call. */
  signal: AbortSignal;
}

export interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  query?: Record<string, string | boolean | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  /** How long the whole answer may take; two minutes unless given. */
  timeoutMs?: number;
}

export interface Answer<T> {
  body: T;
  headers: Headers;
}

const usualTimeoutMs = 120_000;

export async function callServer<T>(server: Server, call: Call): Promise<Answer<T>> {
  const signal = AbortSignal.any([server.signal, AbortSignal.timeout(call.timeoutMs ?? usualTimeoutMs)]);
  const response = await send(server, call, { signal });
  const text = await response.text().catch((error: unknown) => {
    throw server.signal.aborted ? error : unreachable(server, error);
  });
  const body = parse(text, response.headers);
  if (!response.ok) throw refused(server, response, body);
  const isWhole = text === "" || (isJson(response.headers) && body !== text);
  if (!isWhole) throw notPlinth(server);
  return { body: body as T, headers: response.headers };
}

/** Downloads a file. */
export async function downloadFile(server: Server, path: string): Promise<Buffer> {
  const signal = AbortSignal.any([server.signal, AbortSignal.timeout(usualTimeoutMs)]);
  const headers = { accept: "application/gzip, application/json" };
  const response = await send(server, { method: "GET", path }, { signal, headers });
  const bytes = await response.arrayBuffer().catch((error: unknown) => {
    throw server.signal.aborted ? error : unreachable(server, error);
  });
  if (!response.ok) throw refused(server, response, parse(Buffer.from(bytes).toString(), response.headers));
  if (response.headers.get("content-type") !== "application/gzip") throw notPlinth(server);
  return Buffer.from(bytes);
}

/** The open body of an event stream, after an id when that is given. */
export async function openStream(
  server: Server,
  path: string,
  lastEventId?: string,
): Promise<ReadableStream<Uint8Array>> {
  const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  return openStreamOf(server, { method: "GET", path }, headers);
}

/** The open body of the event stream with which the server responds to any call. */
export const openStreamOf = (
  server: Server,
  call: Call,
  more: Record<string, string> = {},
): Promise<ReadableStream<Uint8Array>> =>
  openBody(server, call, { type: "text/event-stream", headers: more });

/** The open body of a response of that type. */
export async function openBody(
  server: Server,
  call: Call,
  { type, headers: more = {} }: { type: string; headers?: Record<string, string> },
): Promise<ReadableStream<Uint8Array>> {
  const headers = { accept: type, ...more };
  const response = await send(server, call, { signal: server.signal, headers });
  if (!response.ok) throw refused(server, response, parse(await response.text(), response.headers));
  if (!response.body || !response.headers.get("content-type")?.startsWith(type)) {
    await response.body?.cancel();
    throw notPlinth(server);
  }
  return response.body;
}

/** The parts of a body that has to come whole. */
export async function* readWhole(
  server: Server,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw server.signal.aborted ? error : unreachable(server, error);
  }
}

async function send(
  server: Server,
  { method, path, query, body, form, headers: own }: Call,
  init: { signal: AbortSignal; headers?: Record<string, string> },
): Promise<Response> {
  const url = new URL(server.url + path);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers: Record<string, string> = { accept: "application/json", ...own, ...init.headers };
  if (server.renewedToken) server.token = await server.renewedToken();
  if (server.token) headers["authorization"] = `Bearer ${server.token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  const payload = form ?? (body === undefined ? null : JSON.stringify(body));
  try {
    return await fetch(url, { method, headers, body: payload, signal: init.signal, redirect: "error" });
  } catch (error) {
    throw server.signal.aborted ? error : unreachable(server, error);
  }
}

const isJson = (headers: Headers): boolean => /\bjson\b/.test(headers.get("content-type") ?? "");

function parse(text: string, headers: Headers): unknown {
  if (!isJson(headers)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const refused = (server: Server, response: Response, body: unknown): Failure =>
  toFailure({
    status: response.status,
    body,
    credentials: response.status === 401 ? explainCredentials(server, new Date()) : [],
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: response.headers.get("retry-after") ?? undefined,
  });

const unreachable = ({ url }: Server, cause: unknown): Failure =>
  new Failure({
    kind: "unavailable",
    code: "CLI_UNREACHABLE",
    message: `No server answers at ${url}: ${reasonOf(cause)}.`,
    solutions: [
      isUntrusted(cause)
        ? "Name the PEM file of its certificate authority with --cacert, PLINTH_CACERT or `plinth context set`."
        : "Start one with `plinth start`, or name another with --url, PLINTH_URL or --context.",
    ],
    cause,
  });

/** An answer that no Plinth server gives. */
export const notPlinth = ({ url }: Server): Failure =>
  new Failure({
    kind: "upstream",
    code: "CLI_UNREACHABLE",
    message: `What answers at ${url} is not a Plinth server.`,
    solutions: ["Name the server with --url or PLINTH_URL, without a path."],
  });

const reasons: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name cannot be looked up now",
  ETIMEDOUT: "it did not answer in time",
  UND_ERR_CONNECT_TIMEOUT: "it did not answer in time",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no route to the network",
};

const certificateCode = /CERT|SSL|TLS|UNABLE_TO_/;
/** Codes of a certificate that no trusted authority has signed. */
const untrustedCode = /SELF_SIGNED|UNABLE_TO_/;

function isUntrusted(error: unknown): boolean {
  for (const { code } of causesOf(error)) if (untrustedCode.test(code)) return true;
  return false;
}

/** Why a call failed, as a clause that fits after a colon or `because`. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "it did not answer in time";
  for (const { code, message } of causesOf(error)) {
    if (reasons[code]) return reasons[code];
    if (/unexpected redirect/.test(message)) return "it redirects to another address";
    if (message === "bad port") return "browsers and this program do not call that port";
    if (certificateCode.test(code)) return `its certificate is not accepted (${code})`;
  }
  return "the call failed";
}

/** Whether the same call may succeed a moment later. */
export const isPassing = ({ kind, code }: Failure): boolean =>
  kind === "unavailable" || kind === "limit" || code === "CLI_UNREACHABLE";

/** The error and its causes; an empty text where there is no code. */
export function* causesOf(error: unknown): Generator<{ code: string; message: string }> {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1)
    yield { code: "code" in each ? String(each.code) : "", message: each.message };
}
