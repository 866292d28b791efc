import type { IncomingMessage, ServerResponse } from "node:http";

/** Names of the limits are those of `server.requestIdleMs` and of what follows from it. */
export interface ArrivalLimits {
  /** For the head of a request, and for a connection's silence before it. */
  headersTimeout: number;
  /** For the whole request, however steadily it comes. */
  requestTimeout: number;
  /** How often requests that are on their way are looked at. */
  connectionsCheckingInterval: number;
}

/** Longest arrival of one request; the largest archive takes it over a line of a few megabits. */
const longestRequestMs = 300_000;
const maxLookMs = 5_000;

const usualIdleMs = 30_000;

/** A look comes up to an interval late: together they are `idleMs`. */
export const arrivalLimits = (idleMs = usualIdleMs): ArrivalLimits => {
  const connectionsCheckingInterval = Math.min(maxLookMs, Math.max(1, Math.floor(idleMs / 6)));
  const headersTimeout = idleMs - connectionsCheckingInterval;
  return {
    headersTimeout,
    requestTimeout: Math.max(longestRequestMs, headersTimeout),
    connectionsCheckingInterval,
  };
};

/** A body that brings less than this in the time of its limit stands still: drops keep no connection open. */
const leastBytes = 32 * 1024;

/**
 * One request whose body still arrives. A class, since V8 would allocate a literal that lives as long as a request in the old generation:
 * docs/decisions/2026-11-27-objects-of-a-request.md.
 */
class Arriving {
  readonly request: IncomingMessage;
  /** Bytes that the connection had read when the limit began to count. */
  bytes: number;
  since: number;

  constructor(request: IncomingMessage, since: number) {
    this.request = request;
    this.bytes = request.socket.bytesRead;
    this.since = since;
  }
}

export interface Arrivals {
  /** Called for every request when its head has arrived. */
  watch: (request: IncomingMessage, response: ServerResponse) => void;
  /** Finds those that stand still. */
  look: () => void;
}

export interface ArrivalOptions {
  idleMs: number;
  nowMs: () => number;
  onStill: (request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * Finds bodies that stand still. A body that comes faster than it is read here is not one of them: then bytes wait on our
 * side.
 */
export const createArrivals = ({ idleMs, nowMs, onStill }: ArrivalOptions): Arrivals => {
  const arriving = new Map<ServerResponse, Arriving>();
  // Removes a request as soon as it is answered: by the next look V8 would have moved it to the old generation, about 5 KB each.
  const forget = function (this: ServerResponse): void {
    arriving.delete(this);
  };
  return {
    watch(request, response) {
      if (!hasBody(request)) return;
      arriving.set(response, new Arriving(request, nowMs()));
      response.on("close", forget);
    },
    look() {
      for (const [response, each] of arriving) {
        const { request } = each;
        if (request.complete || request.destroyed || response.destroyed) {
          arriving.delete(response);
          continue;
        }
        // Only now: a request that was destroyed while it was read has no socket any more.
        const { bytesRead } = request.socket;
        if (bytesRead - each.bytes >= leastBytes || request.readableLength > 0) {
          each.bytes = bytesRead;
          each.since = nowMs();
        } else if (nowMs() - each.since >= idleMs) {
          arriving.delete(response);
          onStill(request, response);
        }
      }
    },
  };
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

export interface SlowRequests extends Pick<Arrivals, "watch"> {
  stop: () => void;
}

export const watchSlowRequests = (
  { headersTimeout, connectionsCheckingInterval }: ArrivalLimits,
  onStill: ArrivalOptions["onStill"],
): SlowRequests => {
  const nowMs = (): number => performance.now();
  const { watch, look } = createArrivals({ idleMs: headersTimeout, nowMs, onStill });
  const timer = setInterval(look, connectionsCheckingInterval);
  timer.unref();
  return { watch, stop: () => clearInterval(timer) };
};
