import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger, LogLevel } from "../../lib/logger.ts";
import type { RequestScope } from "../../lib/request-scope.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { endRequestSpan, startRequestSpan, type RequestSpan } from "./request-span.ts";

/** What is known of one request from its first line to the end of its answer. */
export interface Exchange extends RequestScope {
  startedAt: number;
  method: string;
  /** Without the query, which may hold a token. */
  path: string;
  operation: string;
  actor: string | undefined;
  span: RequestSpan | undefined;
  isStream: boolean;
  /** Refused for overload; such requests are logged together, not in a line each. */
  isRefused: boolean;
  /** The request's slot in the admission; `leave` releases it for a waiting request. Undefined where every request is admitted. */
  place: { leave(): void } | undefined;
  /** The controller of the context's signal. */
  controller: AbortController | undefined;
}

const exchangeKey = Symbol("exchange");

const responseKey = Symbol("response");

const earlierKey = Symbol("earlier response");

declare module "node:http" {
  interface ServerResponse {
    [exchangeKey]?: Exchange;
    /** Of the connection's request before, which was still open when this one came. */
    [earlierKey]?: ServerResponse | undefined;
  }
}

declare module "node:stream" {
  interface Duplex {
    [responseKey]?: ServerResponse | undefined;
  }
}

export interface Ledger {
  /** Called by the server for every request, before routing. */
  open: (request: IncomingMessage, response: ServerResponse) => void;
  /** Requests whose answer has not ended. */
  inFlight: () => number;
  /** Resolves true once nothing is in flight, or false after the given time. */
  idle: (withinMs: number) => Promise<boolean>;
}

/**
 * Counts requests and writes the one line that each leaves in the log. It listens to the response's `close`, the only
 * event that comes for every request: answered, streamed, cut by the client or never routed.
 */
export const createLedger = (log: Logger, metrics: Metrics): Ledger => {
  let inFlight = 0;
  let wake: (() => void) | undefined;
  const onClose = function (this: ServerResponse): void {
    inFlight -= 1;
    if (inFlight === 0) {
      wake?.();
    }
    const exchange = this[exchangeKey];
    letGo(this);
    if (exchange !== undefined) {
      exchange.isOver = true;
      exchange.place?.leave();
      // The timer that closes an idle connection keeps the async context of the last request alive, and with it this exchange.
      exchange.place = undefined;
      if (exchange.isStream || !this.writableFinished) {
        exchange.controller?.abort();
      }
      record({ exchange, response: this, log, metrics });
    }
  };
  return {
    open(request, response) {
      inFlight += 1;
      const exchange = newExchange(request);
      exchange.span = startRequestSpan(request, exchange.path);
      response[exchangeKey] = exchange;
      const earlier = request.socket[responseKey];
      if (earlier !== undefined && !isOver(earlier)) response[earlierKey] = earlier;
      request.socket[responseKey] = response;
      response.on("close", onClose);
    },
    inFlight: () => inFlight,
    idle: async (withinMs) => {
      if (inFlight > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, withinMs);
        await promise;
        clearTimeout(timer);
        wake = undefined;
      }
      return inFlight === 0;
    },
  };
};

/** Removes what refers to an answered response, so that a keep-alive connection does not keep it and its request in memory. */
const letGo = (response: ServerResponse): void => {
  const { complete } = response.req;
  // Node sets `socket` to null when a request is destroyed while it is being read.
  const socket: Duplex | null = response.req.socket;
  // While the request still arrives it can be found by its connection.
  if (complete && socket?.[responseKey] === response) socket[responseKey] = undefined;
  // Else those of a connection that always has an open one would all be kept.
  if (response[earlierKey] !== undefined) response[earlierKey] = undefined;
};

/** The exchange of a response that the server has opened. */
export const exchangeOf = (response: ServerResponse): Exchange => {
  const exchange = response[exchangeKey];
  if (exchange === undefined) {
    throw new Error("This response was not opened by the server.");
  }
  return exchange;
};

const isOver = (response: ServerResponse): boolean => response[exchangeKey]?.isOver !== false;

/** The response to the request that is still arriving on a connection, of which the head is known. */
export const arrivingOn = (socket: Duplex): ServerResponse | undefined => {
  const newest = socket[responseKey];
  return newest?.req.complete === false ? newest : undefined;
};

/** The open response to the last request that has arrived on a connection: nothing else may be written before it has ended. */
export const openResponseOn = (socket: Duplex): ServerResponse | undefined => {
  const newest = socket[responseKey];
  const last = arrivingOn(socket) === undefined ? newest : newest?.[earlierKey];
  return last === undefined || isOver(last) ? undefined : last;
};

const maxLoggedPath = 500;

/** Such a text is a credential (approvals/request-id.ts), so it is never logged. */
const capability = /cap_[\w.-]+/g;

/** The path of a URL as it may be in the log: not too long, without its query, and without the credential in it. */
export const loggedPath = (url: string): string => {
  const query = url.indexOf("?");
  const path = url.slice(0, Math.min(query === -1 ? url.length : query, maxLoggedPath));
  return path.includes("cap_") ? path.replace(capability, "cap_***") : path;
};

const newExchange = (request: IncomingMessage): Exchange => ({
  startedAt: performance.now(),
  method: request.method ?? "GET",
  path: loggedPath(request.url ?? "/"),
  requestId: "",
  clientAddress: undefined,
  isOver: false,
  databaseWait: undefined,
  operation: "none",
  actor: undefined,
  span: undefined,
  isStream: false,
  isRefused: false,
  place: undefined,
  controller: undefined,
});

interface Ended {
  exchange: Exchange;
  response: ServerResponse;
  log: Logger;
  metrics: Metrics;
}

/** The status that the log and the metrics use when the client was gone before the answer had ended. */
const clientGone = 499;

const record = ({ exchange, response, log, metrics }: Ended): void => {
  const isCut = !response.writableFinished && !exchange.isStream;
  const status = isCut ? clientGone : response.statusCode;
  const ms = performance.now() - exchange.startedAt;
  metrics.observeRequest(exchange.operation, status, ms / 1000);
  if (exchange.span !== undefined) endRequestSpan(exchange.span, status);
  if (exchange.isRefused) return;
  const line = {
    requestId: exchange.requestId,
    clientAddress: exchange.clientAddress,
    method: exchange.method,
    path: exchange.path,
    operation: exchange.operation,
    status,
    ms: Math.round(ms * 100) / 100,
    actor: exchange.actor,
  };
  const level = levelOf(status, exchange);
  if (log.plain === undefined) log[level](line, "request");
  else log.plain(level, line, "request");
};

const levelOf = (status: number, { operation }: Exchange): LogLevel =>
  status >= 500 ? "error" : status >= 400 ? "warn" : quiet.has(operation) ? "debug" : "info";

/** Asked every few seconds by machines; a line for each would bury the rest. */
const quiet = new Set(["healthz", "readyz", "metrics"]);
