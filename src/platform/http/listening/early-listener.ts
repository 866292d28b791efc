/**
 * Listens on the server's address before any other part starts: a port in use ends the start while there is nothing to
 * undo, and clients get an answer (alive, not ready yet) until the server takes over.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { httpErrors } from "../errors.ts";
import { listenOn, type Listening } from "./listen.ts";
import { answerHeaders } from "../responses/send-json.ts";
import { arrivalLimits } from "./slow-requests.ts";

export interface EarlyListener extends Listening {
  server: Server;
  /** From now on `listener` handles the requests. */
  serve(listener: RequestListener): void;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Longer than the idle time of common load balancers (60 s), so that it is they who close. */
const keepAliveMs = 72_000;

export interface ArrivalSettings {
  /** Longest silence of a connection while a request is expected. */
  requestIdleMs?: number;
}

export const createNodeServer = ({ requestIdleMs }: ArrivalSettings, listener: RequestListener): Server => {
  const limits = { keepAliveTimeout: keepAliveMs, ...arrivalLimits(requestIdleMs) };
  // Node would refuse a request without a host by itself: unlogged, and without a body (request-head.ts does it).
  const server = createServer({ ...limits, requireHostHeader: false }, listener);
  // Likewise an expectation that it does not know, which a server may ignore (RFC 9110 10.1.1).
  return server.on("checkExpectation", listener);
};

/**
 * Throws a Failure `PLATFORM_LISTEN` when it cannot listen on the address. `waitsFor` names the parts that
 * are still starting.
 */
export const openEarlyListener = async (
  settings: ArrivalSettings & { host: string; port: number },
  waitsFor: () => string[],
): Promise<EarlyListener> => {
  let current: RequestListener = (request, response) => {
    const { status, body } = answerWhileStarting(request, waitsFor);
    const text = JSON.stringify(body);
    // An unread body must not be parsed as the next request.
    const headers = status === 200 ? {} : { "retry-after": "1", connection: "close" };
    response.writeHead(status, {
      ...answerHeaders,
      ...headers,
      "content-length": Buffer.byteLength(text),
      "x-request-id": randomUUID(),
    });
    response.end(text);
  };
  const server = createNodeServer(settings, (request, response) => current(request, response));
  const listening = await listenOn(server, settings);
  return {
    ...listening,
    server,
    serve: (listener) => void (current = listener),
    async close() {
      listening.stop();
      if (!server.listening) return;
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await closed;
    },
  };
};

const answerWhileStarting = (
  { url = "/" }: IncomingMessage,
  waitsFor: () => string[],
): { status: number; body: unknown } => {
  const path = url.split("?", 1)[0];
  if (path === "/healthz") return { status: 200, body: { status: "ok" } };
  const names = waitsFor();
  const reason = names.length === 0 ? "the server starts" : `the start is at: ${names.join(", ")}`;
  if (path === "/readyz")
    return { status: 503, body: { status: "not ready", checks: [{ name: "start", ok: false, reason }] } };
  const { meaning: message, solution } = httpErrors.PLATFORM_STARTING;
  const error = { code: "PLATFORM_STARTING", message, problems: [], solutions: [solution] };
  return { status: 503, body: { error } };
};
