/**
 * One recorded HTTP call to the adapter under test. Uses node:http directly, so that malformed requests can
 * be sent and malformed responses seen: no redirects, no decompression, a time limit for the whole call and a
 * size limit.
 */
import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";

export interface Exchange {
  method: string;
  path: string;
  /** The start of what was sent and came back; secrets are masked. */
  sent: { headers: Record<string, string>; body: string };
  /** Absent when there was no complete response; then `fault` says why. */
  answer?: Answer;
  fault?: string;
  /** Whether the fault is a timeout, not a closed connection. */
  timedOut?: boolean;
  ms: number;
}

export interface Answer {
  status: number;
  contentType: string;
  contentEncoding: string;
  /** The whole body as it came; reports show `shown`. */
  text: string;
  /** The start of the body, secrets masked. */
  shown: string;
}

export interface Call {
  method: string;
  path: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
  /** Instead of the valid credentials; null sends none. */
  authorization?: string | null;
}

export interface CallerOptions {
  /** A prefix of every path. */
  url: string;
  timeoutMs: number;
  /** The value of the authorization header, when the adapter has a secret. */
  authorization: () => Promise<string | null>;
  /** Masks what no report may show. */
  mask: (text: string) => string;
  now: () => number;
}

export type Caller = (call: Call, signal?: AbortSignal) => Promise<Exchange>;

/** What the coordinator takes of an answer by default. */
const largestAnswerBytes = 10 * 1024 * 1024;
const shownBytes = 2048;

export function createCaller(options: CallerOptions): Caller {
  const prefix = options.url.replace(/\/+$/, "");
  return async (call, signal) => {
    const { mask } = options;
    const authorization =
      call.authorization === undefined ? await options.authorization() : call.authorization;
    const headers: Record<string, string> = {
      accept: "application/json, text/plain;q=0.9",
      "accept-encoding": "identity",
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...(authorization === null ? {} : { authorization }),
      ...call.headers,
    };
    const startedAt = options.now();
    const limit = AbortSignal.timeout(options.timeoutMs);
    const ends = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    const sent = {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)])),
      body: mask(call.body === undefined ? "" : start(call.body)),
    };
    const exchange: Exchange = { method: call.method, path: call.path, sent, ms: 0 };
    try {
      const answer = await send(prefix + call.path, { ...call, headers }, ends);
      exchange.answer = { ...answer, shown: mask(start(answer.text)) };
    } catch (error) {
      exchange.timedOut = limit.aborted;
      exchange.fault = limit.aborted
        ? `no complete answer came within ${options.timeoutMs / 1000} s`
        : mask(reasonOf(error));
    }
    exchange.ms = Math.round(options.now() - startedAt);
    return exchange;
  };
}

function send(
  url: string,
  call: Call & { headers: Record<string, string> },
  signal: AbortSignal,
): Promise<Omit<Answer, "shown">> {
  return new Promise((resolve, reject) => {
    const make = url.startsWith("https:") ? httpsRequest : httpRequest;
    const request = make(url, {
      method: call.method,
      headers: {
        ...call.headers,
        ...(call.body === undefined ? {} : { "content-length": String(Buffer.byteLength(call.body)) }),
      },
      signal,
      // A connection of its own, so that one check cannot break the next.
      agent: false,
    });
    let answering = false;
    request.on("response", (response) => {
      answering = true;
      readAnswer(response).then(resolve, (error: unknown) => {
        request.destroy();
        reject(error);
      });
    });
    // An adapter may refuse a large body before it has all of it; its answer counts, not the broken pipe.
    request.on("error", (error) => {
      if (!answering) reject(error);
    });
    request.end(call.body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Omit<Answer, "shown">> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > largestAnswerBytes) throw new Error("the answer is larger than 10 MiB");
    chunks.push(chunk);
  }
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers["content-type"] ?? "",
    contentEncoding: response.headers["content-encoding"] ?? "",
    text: Buffer.concat(chunks).toString("utf8"),
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  const message = error instanceof AggregateError ? (error.errors[0] as Error).message : error.message;
  return message.includes(code.slice(2, -1)) && code !== "" ? message : `${message}${code}`;
}

const start = (body: string | Buffer): string =>
  body.length > shownBytes
    ? `${body.slice(0, shownBytes).toString()}… (${body.length} bytes)`
    : body.toString();
