import type { LookupAddress, LookupAllOptions } from "node:dns";
import { lookup } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { Agent } from "undici";
import type { Problem } from "../errors/failure.ts";
import type { Logger } from "../lib/logger.ts";
import { decodeBody, isIdentity, tooLarge } from "./decode-body.ts";
import { OutboundError, refusedAddressCode, toOutboundError } from "./outbound-error.ts";
import type { CompiledPolicy, OutboundPolicy, UrlVerdict } from "./policy.ts";
import { compilePolicy } from "./policy.ts";
import { inCallSpan, type CallTrace } from "./call-span.ts";
import { connectSocket, type SocketTarget } from "./connect-socket.ts";
import { originOf, redactUrl } from "./redact.ts";
import { streamExchange, type OutboundStream } from "./stream.ts";
import { createPace, type Pace } from "./pace.ts";

export interface OutboundRequest {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  /** A list of buffers is sent as one body; large ones are not copied together. */
  body?: string | Buffer | Buffer[];
  /** For the whole call, from the queue to the last byte of the answer. Default: the policy's. */
  timeoutMs?: number;
  /** Limit of the body, as read and as unpacked; the policy's by default. */
  maxResponseBytes?: number;
  signal?: AbortSignal;
  /** What its span says; only called when there is one. A `traceparent` among the headers is its parent, and is replaced by its own. */
  trace?: () => CallTrace;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case; values of a repeated header are joined with a comma. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface Outbound {
  /** One HTTP exchange; redirects are answers, not followed. Throws only OutboundError. */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** The same, with a body that is read while it arrives; `idleMs` is the longest silence. */
  stream(request: OutboundRequest & { idleMs: number }): Promise<OutboundStream>;
  /** The policy's verdict on a URL without connecting; a name may still be refused once it is resolved. */
  check(url: string): Problem | null;
  /** For a program (git) that connects by itself to the checked addresses. Throws only OutboundError. */
  resolve(url: string): Promise<ResolvedTarget>;
  /** A connection to a checked address, for a protocol other than HTTP. Throws only OutboundError. */
  connect(target: SocketTarget): Promise<Socket>;
  close(): Promise<void>;
}

export interface ResolvedTarget {
  /** What the program is given, since it may parse the original text differently. */
  url: URL;
  /** The addresses of its host that may be connected to. */
  addresses: string[];
  /** Logs why the program's call failed, like that of every call, and returns the error to throw. */
  failed(why: string): OutboundError;
}

export interface OutboundOptions {
  /** A parameter so that tests can simulate a hostile name server. */
  resolve?: ResolveAll;
  /** `info` where the user who caused the call gets no details. */
  failureLevel?: "info" | "debug";
  /** What its calls are for, as in `outbound.privateNetworks`; spans have it. */
  purpose?: string;
  /** Whether the path of an address is a secret, which no log line has. */
  hidesPaths?: boolean;
}

/** How names are resolved. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const connectionsPerOrigin = 128;
/**
 * A stream keeps its connection for minutes, so streams have a pool of their own, and no other call waits for
 * them.
 */
const streamsPerOrigin = 2_048;
const maxOrigins = 4_096;
const connectTimeoutMs = 10_000;
/**
 * Up to this size a body is sent in one piece: a copy and one write cost less CPU than a stream of the parts. At about 1 MB
 * both cost the same, and copies of that size would be memory of each call under way. `node bench/tricks.ts` has the figures.
 */
export const copyBelowBytes = 256 * 1024;

/**
 * A plan begins a hundred calls at once. Written in one pass of the event loop, bodies of 300 KB keep it busy for 31 to 47 ms by the
 * clock, in passes of this size for 13 to 19.
 */
const bytesOfPass = 4 * 1024 * 1024;

/** The client for every URL that a user can set. Keeps connections open between calls. */
export function createOutbound(
  policy: OutboundPolicy,
  log: Logger,
  { resolve = lookup, failureLevel = "debug", purpose, hidesPaths = false }: OutboundOptions = {},
): Outbound {
  const compiled = compilePolicy(policy);
  const agentOf = (connections: number): Agent =>
    new Agent({
      allowH2: false,
      connections,
      maxOrigins,
      keepAliveTimeout: 4_000,
      // The timer of the whole call is the only one: these would restart with every byte that arrives.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout: Math.min(connectTimeoutMs, policy.timeoutMs),
        lookup: checkedLookup(compiled, resolve),
      },
    });
  const pace = createPace(bytesOfPass);
  const agent = agentOf(connectionsPerOrigin);
  const streams = agentOf(streamsPerOrigin);

  const note = (failed: OutboundError, { method, url }: { method: string; url: string }): OutboundError => {
    const { reason, requestSent, message } = failed;
    const fields = { method, url: hidesPaths ? originOf(url) : redactUrl(url), reason };
    if (failed.isRefused) log.warn({ ...fields, why: message }, "outbound call refused");
    else log[failureLevel]({ ...fields, requestSent, why: message }, "outbound call failed");
    return failed;
  };

  const checkedCall = async <W extends OutboundRequest, T extends { status: number }>(
    wanted: W,
    call: (url: URL, limited: W & Exchange) => Promise<T>,
  ): Promise<T> => {
    try {
      const url = allowedUrl(compiled.checkUrl(wanted.url));
      return await inCallSpan(wanted, { url, purpose }, (headers) =>
        call(url, {
          ...wanted,
          headers,
          timeoutMs: wanted.timeoutMs ?? policy.timeoutMs,
          maxResponseBytes: wanted.maxResponseBytes ?? policy.maxResponseBytes,
        }),
      );
    } catch (error) {
      throw note(toOutboundError({ error, origin: "the peer", requestSent: true }), wanted);
    }
  };

  const resolved = async (text: string): Promise<ResolvedTarget> => {
    const called = { method: "CONNECT", url: text };
    try {
      const url = allowedUrl(compiled.checkUrl(text));
      const addresses = await resolveHost(url, compiled, resolve);
      return {
        url,
        addresses,
        failed: (why) => note(new OutboundError("connect", false, why), called),
      };
    } catch (error) {
      throw note(toOutboundError({ error, origin: "the peer", requestSent: false }), called);
    }
  };

  return {
    request: (wanted) =>
      checkedCall(wanted, (url, limited) => exchange(agent, dispatchOptions(url, limited, pace), limited)),
    stream: (wanted) =>
      checkedCall(wanted, (url, limited) =>
        streamExchange(
          (handler) => void streams.dispatch(dispatchOptions(url, limited, pace), handler),
          url.origin,
          limited,
        ),
      ),
    check: (url) => compiled.checkUrl(url).problem,
    resolve: resolved,
    connect: (target) => connectChecked(target, { policy: compiled, resolve, note }),
    close: async () => void (await Promise.all([agent.destroy(), streams.destroy()])),
  };
}

interface Connecting {
  policy: CompiledPolicy;
  resolve: ResolveAll;
  /** Logs why it failed, and returns the error to throw. */
  note: (failed: OutboundError, called: { method: string; url: string }) => OutboundError;
}

async function connectChecked(target: SocketTarget, { policy, resolve, note }: Connecting): Promise<Socket> {
  const called = { method: "CONNECT", url: `tcp://${target.host}:${target.port}` };
  try {
    const { hostname } = allowedUrl(policy.checkHost(target.host, target.port));
    return await connectSocket(target, { hostname, lookup: checkedLookup(policy, resolve) });
  } catch (error) {
    throw note(toOutboundError({ error, origin: called.url, requestSent: false }), called);
  }
}

function allowedUrl(verdict: UrlVerdict): URL {
  if (verdict.problem === null) return verdict.url;
  const reason = verdict.isMalformed ? "malformed_url" : "refused_by_policy";
  throw new OutboundError(reason, false, verdict.problem.message);
}

async function resolveHost(
  { hostname, origin }: URL,
  policy: CompiledPolicy,
  resolve: ResolveAll,
): Promise<string[]> {
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  // A literal address has passed the policy above.
  if (isIP(host) !== 0) return [host];
  return new Promise((done, fail) => {
    checkedLookup(policy, resolve)(host, { all: true }, (error, addresses) => {
      if (error !== null) fail(toOutboundError({ error, origin, requestSent: false }));
      else if (typeof addresses === "string") done([addresses]);
      else done(addresses.map(({ address }) => address));
    });
  });
}

type Exchange = OutboundRequest & { timeoutMs: number; maxResponseBytes: number };

/** Sends the request and gathers the answer, under one timer; settles once and then ends the connection's part. */
function exchange(
  agent: Agent,
  options: Dispatcher.DispatchOptions & { origin: string },
  wanted: Exchange,
): Promise<OutboundResponse> {
  const { origin } = options;
  const { timeoutMs, maxResponseBytes, signal } = wanted;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let settled = false;
    let status = 0;
    let received = 0;
    let headers: Record<string, string> = {};
    const chunks: Buffer[] = [];

    const release = () => {
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const fail = (error: unknown) => {
      if (settled) return;
      release();
      const failed = toOutboundError({ error, origin, requestSent: controller !== null });
      reject(failed);
      controller?.abort(failed);
    };
    const onAbort = () =>
      fail(new OutboundError("aborted", controller !== null, `The call to ${origin} was cancelled.`));
    const onTimeout = () => {
      const message = `${origin} did not answer completely within ${timeoutMs} ms.`;
      fail(new OutboundError("timeout", controller !== null, message));
    };
    const succeed = (body: Buffer) => {
      if (settled) return;
      release();
      resolve({ status, headers, body });
    };

    const timer = setTimeout(onTimeout, timeoutMs);
    if (signal?.aborted === true) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      // Called when a connection is there and the first byte is about to be written, not before.
      onRequestStart(started) {
        if (settled) started.abort(new Error("given up while waiting for a connection"));
        else controller = started;
      },
      onResponseStart(_controller, statusCode, raw) {
        status = statusCode;
        headers = flatHeaders(raw);
        if (Number(headers["content-length"]) > maxResponseBytes) fail(tooLarge(origin, maxResponseBytes));
      },
      onResponseData(_controller, chunk) {
        received += chunk.length;
        if (received > maxResponseBytes) fail(tooLarge(origin, maxResponseBytes));
        else chunks.push(chunk);
      },
      onResponseEnd() {
        const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
        const contentEncoding = headers["content-encoding"];
        if (contentEncoding === undefined || isIdentity(contentEncoding)) return succeed(body);
        decodeBody(body, { contentEncoding, origin, maxBytes: maxResponseBytes }).then(succeed, fail);
      },
      onResponseError(_controller, error) {
        fail(error);
      },
    };
    try {
      agent.dispatch(options, handler);
    } catch (error) {
      fail(error);
    }
  });
}

function dispatchOptions(
  url: URL,
  wanted: Exchange,
  pace: Pace,
): Dispatcher.DispatchOptions & { origin: string } {
  const headers: Record<string, string> = { "accept-encoding": "identity", ...wanted.headers };
  const options = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: wanted.method,
    headers,
  };
  if (wanted.body === undefined) return options;
  if (!Array.isArray(wanted.body)) return { ...options, body: wanted.body };
  const bytes = wanted.body.reduce((sum, part) => sum + part.length, 0);
  if (bytes <= copyBelowBytes) return { ...options, body: Buffer.concat(wanted.body, bytes) };
  headers["content-length"] = String(bytes);
  return { ...options, body: Readable.from(inPasses(wanted.body, pace), { objectMode: false }) };
}

async function* inPasses(parts: readonly Buffer[], pace: Pace): AsyncGenerator<Buffer> {
  for (const part of parts) {
    await pace.take(part.length);
    yield part;
  }
}

function flatHeaders(raw: Record<string, string | string[] | undefined>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in raw) {
    const value = raw[name];
    if (value !== undefined) headers[name] = typeof value === "string" ? value : value.join(", ");
  }
  return headers;
}

/** Resolves a name once and hands the socket only addresses that passed the policy; it connects to no other. */
function checkedLookup(policy: CompiledPolicy, resolve: ResolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const refusals = addresses.map(({ address }) => policy.refusalOfAddress(address, hostname));
      const usable = addresses.filter((_address, index) => refusals[index] === null);
      const first = usable[0];
      if (first === undefined) {
        const why = refusals[0] ?? "its name has no address";
        const refused = new Error(`The URL may not be called: ${why}.`);
        return callback(Object.assign(refused, { code: refusedAddressCode }), []);
      }
      if (options.all === true) return callback(null, usable);
      return callback(null, first.address, first.family);
    });
  };
}
