import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "../../lib/logger.ts";
import { tooManyStreamsOf, unavailable } from "../errors.ts";
import { exchangeOf } from "../requests/exchange.ts";
import { createAccessRounds, type StreamAccess } from "./stream-access.ts";

export interface StreamRecord {
  /** What a client sends back as `Last-Event-ID` to go on after this record. */
  id?: string | number;
  event?: string;
  /** Text as it is, anything else as JSON. */
  data: unknown;
}

export interface EventStreams {
  readonly count: number;
  /** Whether the server stops. */
  readonly isEnded: boolean;
  /** Whether the caller of that request may still read the stream that it opened. */
  readonly isAllowed: StreamAccess;
  readonly add: (stream: OpenStream) => void;
  readonly remove: (stream: OpenStream) => void;
  /** Ends every stream; those that are opened later end at once. */
  readonly endAll: () => void;
}

interface OpenStream {
  /** Whose it is, by which those of one caller are counted. */
  caller: string;
  response: ServerResponse;
  heartbeatMs: number;
  nextBeatAt: number;
  /** Heartbeats in a row that found the client's buffer still full. */
  stalled: number;
  end: () => void;
  /** For who opened it. */
  isAllowed: () => boolean | Promise<boolean>;
  refuse: () => void;
}

declare module "fastify" {
  interface FastifyInstance {
    eventStreams: EventStreams;
    streamLog: Logger;
  }
}

/** Beyond it a client that reads nothing is cut off: four heartbeats with a full buffer. */
const maxStalledBeats = 4;
const tickMs = 500;
/** No caller has more than this part of the streams, so that others can always open some. */
const callerShare = 1 / 5;

/**
 * The open streams of one server. One timer serves all of them, so an idle client costs its connection, its iterator
 * and one small object.
 */
export const createEventStreams = (
  maxClients: number,
  { isAllowed, onCount }: { isAllowed: StreamAccess; onCount: (count: number) => void },
): EventStreams => {
  const open = new Set<OpenStream>();
  const maxOfCaller = Math.max(1, Math.floor(maxClients * callerShare));
  const ofCaller = new Map<string, number>();
  const checkAccess = createAccessRounds(open);
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const beatAll = (): void => {
    const now = performance.now();
    for (const stream of open) {
      if (stream.nextBeatAt <= now) {
        stream.nextBeatAt = now + stream.heartbeatMs;
        beat(stream);
      }
    }
    checkAccess(now);
  };
  return {
    isAllowed,
    get count() {
      return open.size;
    },
    get isEnded() {
      return ended;
    },
    add(stream) {
      if (ended) {
        throw unavailable("PLATFORM_SHUTTING_DOWN", 1);
      }
      if (open.size >= maxClients) {
        throw unavailable("PLATFORM_TOO_MANY_STREAMS", 5);
      }
      const own = ofCaller.get(stream.caller) ?? 0;
      if (own >= maxOfCaller) {
        throw tooManyStreamsOf(stream.caller, maxOfCaller);
      }
      open.add(stream);
      ofCaller.set(stream.caller, own + 1);
      timer ??= setInterval(beatAll, tickMs).unref();
      onCount(open.size);
    },
    remove(stream) {
      if (!open.delete(stream)) {
        return;
      }
      const left = (ofCaller.get(stream.caller) ?? 1) - 1;
      if (left === 0) ofCaller.delete(stream.caller);
      else ofCaller.set(stream.caller, left);
      onCount(open.size);
      if (open.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
    },
    endAll() {
      ended = true;
      for (const stream of open) {
        stream.end();
      }
    },
  };
};

const beat = (stream: OpenStream): void => {
  if (!stream.response.writableNeedDrain) {
    stream.stalled = 0;
    stream.response.write(": \n\n");
    return;
  }
  stream.stalled += 1;
  if (stream.stalled >= maxStalledBeats) {
    stream.response.destroy();
  }
};

/**
 * Answers a request with Server-Sent Events until the source ends, the client leaves, the credentials of the request are not good any
 * more, or the server stops. A comment goes out every `heartbeatMs` (15 s unless told). The source is read no faster than the client
 * takes records.
 *
 * Check everything that can fail before: once the first byte is out there is no status left. When the source throws, the stream
 * ends without a further record, and the client resumes after the last id it has seen. `last` is for clients that do not resume: its
 * records are sent when the server ends the stream before the source has ended. The source must watch the request's `signal`, which
 * is aborted when the stream ends, or it stays waiting for its next record.
 */
export const streamEvents = (
  reply: FastifyReply,
  source: AsyncIterable<StreamRecord>,
  options: { heartbeatMs?: number; last?: () => StreamRecord[] } = {},
): void => {
  const { request } = reply;
  const { eventStreams, streamLog } = request.server;
  const response = reply.raw;
  const heartbeatMs = options.heartbeatMs ?? 15_000;
  const iterator = source[Symbol.asyncIterator]();
  const exchange = exchangeOf(response);
  // The client has left meanwhile: its connection has closed, and would never take the stream out again.
  if (exchange.isOver) {
    reply.hijack();
    iterator.return?.()?.catch(ignore);
    return;
  }
  const cut = (comment: string): void => {
    if (response.writableEnded) return;
    response.end((options.last?.() ?? []).map(formatRecord).join("") + comment);
  };
  const stream: OpenStream = {
    caller: exchange.actor ?? request.ip,
    response,
    heartbeatMs,
    nextBeatAt: performance.now() + heartbeatMs,
    stalled: 0,
    end: () => cut(""),
    isAllowed: () => eventStreams.isAllowed(request),
    refuse() {
      // It did not take the end that it was sent in the round before.
      if (response.writableEnded) {
        response.destroy();
        return;
      }
      streamLog.info(
        { requestId: request.id, actor: exchange.actor, operation: exchange.operation },
        "an event stream was ended, because its caller may not have it any more",
      );
      cut(": the credentials are not accepted any more\n\n");
    },
  };
  eventStreams.add(stream);
  response.once("close", () => {
    eventStreams.remove(stream);
    iterator.return?.()?.catch(ignore);
  });
  exchange.isStream = true;
  // From here on it waits for events most of its time.
  exchange.place?.leave();
  reply.hijack();
  response.writeHead(200, { ...headersOf(reply), ...streamHeaders, "x-request-id": request.id });
  response.flushHeaders();
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  pump(iterator, response).catch((error: unknown) => {
    streamLog.error({ error, requestId: request.id }, "the source of an event stream failed");
    response.end();
  });
};

/** Where a client wants to go on: the `Last-Event-ID` header, else the query parameter `after`. */
export const resumeAfter = (request: FastifyRequest): string | undefined => {
  const header = request.headers["last-event-id"];
  const given = typeof header === "string" && header !== "" ? header : afterOf(request.url);
  return given !== null && given !== "" && given.length <= maxIdLength ? given : undefined;
};

const maxIdLength = 256;

const afterOf = (url: string): string | null => {
  const query = url.indexOf("?");
  return query === -1 ? null : new URLSearchParams(url.slice(query)).get("after");
};

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

const headersOf = (reply: FastifyReply): Record<string, string | string[]> => {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) {
      headers[name] = Array.isArray(value) ? value : String(value);
    }
  }
  return headers;
};

const ignore = (): void => undefined;

const pump = async (iterator: AsyncIterator<StreamRecord>, response: ServerResponse): Promise<void> => {
  for (;;) {
    const next = await iterator.next();
    if (next.done === true || response.writableEnded || response.destroyed) {
      break;
    }
    if (!response.write(formatRecord(next.value))) {
      await drained(response);
    }
  }
  response.end();
};

const drained = async (response: ServerResponse): Promise<void> => {
  if (response.destroyed) {
    return;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => {
    response.off("drain", settle);
    response.off("close", settle);
    resolve();
  };
  response.on("drain", settle);
  response.on("close", settle);
  await promise;
};

/** One record in the wire form of the HTML standard; no field can smuggle in a line of its own. */
export const formatRecord = ({ id, event, data }: StreamRecord): string => {
  const text = typeof data === "string" ? data : JSON.stringify(data ?? null);
  const lines = text.includes("\n") || text.includes("\r") ? text.split(/\r\n|\r|\n/) : [text];
  const head = id === undefined ? [] : [`id: ${oneLine(String(id))}`];
  if (event !== undefined) {
    head.push(`event: ${oneLine(event)}`);
  }
  return `${[...head, ...lines.map((line) => `data: ${line}`)].join("\n")}\n\n`;
};

const oneLine = (text: string): string => text.replaceAll(/[\r\n\0]/g, " ");
