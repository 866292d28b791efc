/**
 * Admits or refuses requests by the time that others wait, and answers refused ones at the least possible
 * cost.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { randomInt } from "node:crypto";
import type { Metrics } from "../../telemetry/metrics.ts";
import {
  createAdmission,
  defaultAdmission,
  type Admission,
  type AdmissionSettings,
  type Refusal,
  type QueuedRequest,
} from "./admission.ts";
import { bodyOf } from "../responses/answer-failure.ts";
import { unavailable } from "../errors.ts";
import { exchangeOf } from "../requests/exchange.ts";
import { healthPaths } from "../paths.ts";
import type { Kit } from "../kit.ts";
import { processTime, type LoopTime } from "./loop-watch.ts";
import { credentialsOf } from "./refused-credentials.ts";
import { requestIdOf } from "../requests/request-id.ts";
import { answerHeaderList } from "../responses/send-json.ts";

export interface OverloadOptions {
  settings: AdmissionSettings | undefined;
  kit: Kit;
  metrics: Metrics;
  /** Whether requests queue for something that the areas need (the database). */
  isBehind: (() => boolean) | undefined;
  /** Whether an operation goes before the others, for a caller that is known; called only while requests wait. */
  isUrgent: (method: string, path: string) => boolean;
  time?: LoopTime;
}

export interface OverloadGuard {
  /** Calls `serve` now, later, or, when it has refused the request itself, not at all. */
  enter: (request: IncomingMessage, response: ServerResponse, serve: RequestListener) => void;
  stop: () => void;
}

export const createOverloadGuard = (options: OverloadOptions): OverloadGuard => {
  const { kit, metrics, isUrgent } = options;
  const report = createRefusalReport(kit);
  const admission = createAdmission({
    settings: options.settings ?? defaultAdmission,
    time: options.time ?? processTime,
    isBehind: options.isBehind ?? (() => false),
    onWaited: (ms) => metrics.observeQueued(ms / 1000),
  });
  metrics.watchRequests(() => ({ active: admission.active, waiting: admission.waiting }));
  const queue: RequestQueue = {
    admission,
    // Nobody has looked at the credentials yet, and whoever has none must not go before the others.
    isUrgent: (request) =>
      isUrgent(request.method ?? "GET", pathOf(request)) &&
      kit.credentials.isKnown(credentialsOf(request.headers)),
    refuse(request, response, reason) {
      metrics.countRefused(reason);
      report.add(reason);
      answerRefusal(request, response, kit);
    },
  };
  return {
    enter(request, response, serve) {
      if (isAnsweredFromMemory(request, pathOf(request), kit)) {
        serve(request, response);
        return;
      }
      const queued = new QueuedExchange(queue, { request, response, serve });
      exchangeOf(response).place = queued;
      admission.enter(queued);
    },
    stop() {
      admission.stop();
      report.stop();
    },
  };
};

/** What the requests of one server share. */
interface RequestQueue {
  admission: Admission;
  isUrgent: (request: IncomingMessage) => boolean;
  refuse: (request: IncomingMessage, response: ServerResponse, reason: Refusal) => void;
}

interface QueuedWork {
  request: IncomingMessage;
  response: ServerResponse;
  serve: RequestListener;
}

/**
 * A request in the admission queue, until its response has ended. This is a class because V8 allocates object literals that often
 * survive a young collection directly in the old generation, where a dead one keeps its request and response in memory until the next
 * full collection. With a literal of closures a small GET took 1.3 times the CPU
 * (`docs/decisions/2026-11-27-objects-of-a-request.md`).
 */
class QueuedExchange implements QueuedRequest {
  state: QueuedRequest["state"] = "new";
  since = 0;
  readonly #queue: RequestQueue;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #serve: RequestListener;

  constructor(queue: RequestQueue, { request, response, serve }: QueuedWork) {
    this.#queue = queue;
    this.#request = request;
    this.#response = response;
    this.#serve = serve;
  }

  begin(): void {
    this.#serve(this.#request, this.#response);
  }

  refuse(reason: Refusal): void {
    this.#queue.refuse(this.#request, this.#response, reason);
  }

  isUrgent(): boolean {
    return this.#queue.isUrgent(this.#request);
  }

  isNeverRefused(): boolean {
    return opensEventStream(this.#request);
  }

  leave(): void {
    this.#queue.admission.leave(this);
  }
}

/**
 * Health, and the pages of the console with their files: an answer costs no more than a refusal, and a page that lacks one of its
 * files stays blank.
 */
const isAnsweredFromMemory = (request: IncomingMessage, path: string, kit: Kit): boolean =>
  healthPaths.includes(path) || (opensPage(request, path) && kit.areaOf(path) === undefined);

const opensPage = ({ method, headers }: IncomingMessage, path: string): boolean =>
  (method === "GET" || method === "HEAD") &&
  (path.startsWith("/assets/") || headers.accept?.includes("text/html") === true);

const pathOf = ({ url = "/" }: IncomingMessage): string => {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
};

/**
 * An `EventSource` does not reconnect after any other response than a stream, so a subscriber would lose its
 * run.
 */
const opensEventStream = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" &&
  (headers["last-event-id"] !== undefined || headers.accept?.includes("text/event-stream") === true);

/** Spreads the retries of callers that were refused together. */
const maxRetryAfterSeconds = 3;

/** Made once, because an error records where it was made, which costs more than the rest of the answer. */
const refusals = Array.from({ length: maxRetryAfterSeconds }, (_, index) =>
  unavailable("PLATFORM_OVERLOADED", index + 1),
);

/** A body up to this size is read and dropped, which costs less than the next connection of its caller. */
const maxDroppedBytes = 64 * 1024;

/** Sends the area's body without the router, the framework or a log line. */
const answerRefusal = (request: IncomingMessage, response: ServerResponse, kit: Kit): void => {
  const failure = refusals[randomInt(maxRetryAfterSeconds)] ?? unavailable("PLATFORM_OVERLOADED", 1);
  const { method = "GET", url = "/" } = request;
  const exchange = exchangeOf(response);
  exchange.isRefused = true;
  exchange.requestId = requestIdOf(request);
  const view = { id: exchange.requestId, method, url };
  const { status, body } = bodyOf(failure, view, { kit, area: kit.areaOf(url) });
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  const own = ["content-length", String(length), "x-request-id", exchange.requestId];
  const headers = [...answerHeaderList, ...own, "retry-after", String(failure.retryAfterSeconds)];
  if (hasLargeBody(request)) headers.push("connection", "close");
  response.writeHead(status, headers);
  // In one piece with the head, as in sendJson.
  response.end(text, text.length === length ? "latin1" : "utf8");
};

const hasLargeBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > maxDroppedBytes;

const reportMs = 1000;

interface RefusalReport {
  add: (reason: Refusal) => void;
  stop: () => void;
}

/**
 * Logs one line a second: a line for each refusal would cost much of what a refusal saves, and bury other
 * lines.
 */
const createRefusalReport = ({ log }: Kit): RefusalReport => {
  let counts: Partial<Record<Refusal, number>> = {};
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    timer = undefined;
    log.warn({ refused: counts }, "requests were refused because of overload");
    counts = {};
  };
  return {
    add(reason) {
      counts[reason] = (counts[reason] ?? 0) + 1;
      timer ??= setTimeout(write, reportMs).unref();
    },
    stop() {
      if (timer === undefined) return;
      clearTimeout(timer);
      write();
    },
  };
};
