import type { RequestListener, Server } from "node:http";
import type { Duplex } from "node:stream";
import { fastify, type FastifyInstance } from "fastify";
import type { Failure } from "../errors/failure.ts";
import { databaseWaitMs } from "../lib/database-wait.ts";
import type { Logger } from "../lib/logger.ts";
import { withinRequest } from "../lib/request-scope.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { AdmissionSettings } from "./admission/admission.ts";
import { answerFailure, toFailure } from "./responses/answer-failure.ts";
import { mountArea, type MountedArea } from "./area-scope.ts";
import { createNodeServer, type EarlyListener } from "./listening/early-listener.ts";
import {
  inputFailure,
  methodNotAllowed,
  notFound,
  rateLimited,
  requestTooSlow,
  statusOf,
  unsupportedCharset,
} from "./errors.ts";
import { referencePaths, serveReference, type OtherDocument } from "./document/serve-reference.ts";
import { clientAddressReader } from "./requests/client-address.ts";
import { createLedger, exchangeOf, type Ledger } from "./requests/exchange.ts";
import { headProblem } from "./requests/request-head.ts";
import { addHealthRoutes, type Readiness } from "./health.ts";
import { areaFinder, type AccessControl, type Kit } from "./kit.ts";
import { createRateLimit, type DivisibleRateLimit, type RateLimit } from "./admission/rate-limit.ts";
import { createCallerNetworks } from "./admission/caller-network.ts";
import { createRefusedCredentials } from "./admission/refused-credentials.ts";
import { listenOn, type Address, type Listening } from "./listening/listen.ts";
import type { Area } from "./operation.ts";
import { createOverloadGuard, type OverloadGuard } from "./admission/overload.ts";
import { createPages, type Pages } from "./pages/serve-pages.ts";
import type { PageFolder } from "./pages/read-folder.ts";
import { healthPaths, toPattern } from "./paths.ts";
import { answerBrokenRequest, answerSlowRequest } from "./responses/raw-errors.ts";
import { prefixOf, serverUrlOf } from "./public-address.ts";
import { requestIdOf } from "./requests/request-id.ts";
import { decorateReplies } from "./responses/send-json.ts";
import { arrivalLimits, watchSlowRequests, type SlowRequests } from "./listening/slow-requests.ts";
import { createEventStreams, type EventStreams } from "./responses/sse.ts";
import { streamAccess } from "./responses/stream-access.ts";

export interface HttpSettings {
  host: string;
  /** Address under which others reach the server, with the path that a proxy serves it below. */
  baseUrl?: string | undefined;
  /** 0 takes a free one. */
  port: number;
  bodyLimitBytes: number;
  shutdownGraceMs: number;
  /** Per actor, or per address where nobody is known; 0 means no limit. */
  rateLimitPerMinute: number;
  trustProxy: boolean;
  /** Longest arrival of a request's head, and longest standstill of its body. */
  requestIdleMs?: number;
  /** Tells browsers to use HTTPS only; without maxAgeSeconds the header is not sent. */
  hsts?: { maxAgeSeconds?: number | undefined; includeSubDomains: boolean };
  maxEventStreams?: number;
  /** How long a request waits for the database until its answer begins. */
  databaseWaitMs?: { read: number; write: number };
  /** `null` admits every request: for in-process calls, whose callers were admitted already. */
  admission?: AdmissionSettings | null;
}

export interface HttpServerOptions {
  server: HttpSettings;
  areas: readonly Area[];
  /** Shown on the reference pages beside those of the areas. */
  otherDocuments?: readonly OtherDocument[];
  log: Logger;
  metrics: Metrics;
  access: AccessControl;
  /** The built console, null where it was not built; without it no pages are served. */
  console?: PageFolder | null | undefined;
  /** Already listens on the address; without it `listen` opens the address of the settings. */
  earlyListener?: EarlyListener;
  readiness: () => Promise<Readiness>;
  /** Whether requests queue for something that all of them need, such as database connections. */
  isBehind?: () => boolean;
  now?: () => Date;
  /** Where a request came from; what the connection and a trusted proxy say, unless given. */
  clientAddressOf?: Kit["clientAddressOf"];
  /** Divides the rate limit with other processes; without it the limit is this process's own. */
  shareRate?: (limit: DivisibleRateLimit) => Promise<void>;
  /** Turns errors of other parts (the database driver) into a Failure; undefined becomes a 500. */
  translate?: (error: unknown) => Failure | undefined;
}

export interface HttpServer {
  /** Starts to serve requests. Throws a Failure `PLATFORM_LISTEN` when it cannot listen on the address. */
  listen: () => Promise<Address>;
  /** Serves a connection that did not come over the network. */
  adopt: (connection: Duplex) => void;
  /** Stops accepting, ends streams, waits for what is in flight (at most the grace), then cuts the rest. */
  close: () => Promise<void>;
  readonly areas: readonly MountedArea[];
  readonly openStreams: () => number;
}

const defaultMaxEventStreams = 5000;
/** URNs in paths may be long; the line and the headers together have Node's limit of 16 KiB. */
const maxParamLength = 2048;

/** Builds the server with all its areas; nothing listens yet. Throws when an area's operations are not valid. */
export const createHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { server: settings, log, metrics } = options;
  const ledger = createLedger(log, metrics);
  const state = { isDraining: false };
  const rateLimit = createRateLimit(settings.rateLimitPerMinute, () => performance.now());
  await options.shareRate?.(rateLimit);
  const kit = createKit(options, rateLimit, () => state.isDraining);
  const limits = arrivalLimits(settings.requestIdleMs);
  const slow = watchSlowRequests(limits, (request, response) => answerSlowRequest(request, response, kit));
  const areas: MountedArea[] = [];
  const overload = guardAgainstOverload(options, kit, areas);
  const { root, listener } = createRoot(settings, {
    kit,
    ledger,
    slow,
    overload,
    earlyListener: options.earlyListener,
  });
  const streams = createEventStreams(settings.maxEventStreams ?? defaultMaxEventStreams, {
    isAllowed: streamAccess(kit.access),
    onCount: (count) => metrics.openStreams.set(count),
  });
  root.decorate("eventStreams", streams);
  root.decorate("streamLog", log);
  root.decorate("publicPrefix", prefixOf(settings.baseUrl));
  root.decorateRequest("actor", null);
  decorateReplies(root);
  leaveBodiesToOperations(root);
  refuseAmbiguousHeads(root);
  const otherDocuments = options.otherDocuments ?? [];
  const pagePaths = (): string[] => [...healthPaths, ...referencePaths(areas, otherDocuments)];
  const pages = consolePages(options, kit, pagePaths);
  shapeOuterFailures(root, kit, { areas, pagePaths, pages });
  addHealthRoutes(root, kit, { readiness: options.readiness, metrics });
  for (const area of options.areas) {
    refuseUnsoundArea(area);
    areas.push(await mountArea(root, area, kit));
  }
  serveReference(root, areas, otherDocuments);
  await root.ready();
  let closed: Promise<void> | undefined;
  let listening: Listening | undefined;
  const listen = async (): Promise<Address> => {
    options.earlyListener?.serve(listener());
    listening = options.earlyListener ?? (await listenOn(root.server, settings));
    return listening.address;
  };
  const close = async (): Promise<void> => {
    state.isDraining = true;
    listening?.stop();
    await stopServing(root.server, { ledger, streams, graceMs: settings.shutdownGraceMs });
    overload?.stop();
    slow.stop();
    await root.close();
  };
  return {
    areas,
    openStreams: () => streams.count,
    listen,
    adopt: (connection) => void root.server.emit("connection", connection),
    close: () => (closed ??= close()),
  };
};

const consolePages = (
  { console: folder, server }: HttpServerOptions,
  kit: Kit,
  otherPaths: () => readonly string[],
): Pages | undefined =>
  folder === undefined
    ? undefined
    : createPages({ folder, basePath: prefixOf(server.baseUrl), kit, otherPaths });

const createKit = (options: HttpServerOptions, rateLimit: RateLimit, isDraining: () => boolean): Kit => ({
  log: options.log,
  now: options.now ?? (() => new Date()),
  access: options.access,
  rateLimit,
  callerNetwork: createCallerNetworks(),
  credentials: createRefusedCredentials(rateLimit, () => performance.now()),
  isDraining,
  clientAddressOf: options.clientAddressOf ?? clientAddressReader(options.server.trustProxy),
  serverUrl: serverUrlOf(options.server.baseUrl),
  bodyLimitBytes: options.server.bodyLimitBytes,
  databaseWaitMs: options.server.databaseWaitMs ?? databaseWaitMs,
  translate: options.translate,
  areaOf: areaFinder(options.areas),
});

interface RootDeps {
  kit: Kit;
  ledger: Ledger;
  slow: SlowRequests;
  overload: OverloadGuard | undefined;
  earlyListener: EarlyListener | undefined;
}

interface Root {
  root: FastifyInstance;
  /** Handles the requests of an address that somebody else listens on. */
  listener: () => RequestListener;
}

const createRoot = (
  settings: HttpSettings,
  { kit, ledger, slow, overload, earlyListener }: RootDeps,
): Root => {
  const hsts = hstsOf(settings);
  let listener: RequestListener = () => undefined;
  const root = fastify({
    logger: false,
    bodyLimit: settings.bodyLimitBytes,
    trustProxy: settings.trustProxy,
    requestIdHeader: false,
    genReqId: requestIdOf,
    // Our own answer while draining is in the area's words; the framework's is not.
    return503OnClosing: false,
    routerOptions: { maxParamLength, querystringParser: () => noQuery },
    frameworkErrors: (error, request, reply) => {
      const failure = toFailure(error, { kit });
      answerFailure(reply, { failure, kit, area: kit.areaOf(request.url) });
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, kit),
    serverFactory: (handler) => {
      const serve: RequestListener = (request, response) =>
        withinRequest(exchangeOf(response), () => handler(request, response));
      listener = (request, response) => {
        ledger.open(request, response);
        slow.watch(request, response);
        // Here it goes along with every kind of answer: streams, files and failures too.
        if (hsts !== undefined) response.setHeader("strict-transport-security", hsts);
        if (overload === undefined) serve(request, response);
        else overload.enter(request, response, serve);
      };
      return earlyListener?.server ?? createNodeServer(settings, listener);
    },
  });
  return { root, listener: () => listener };
};

const hstsOf = ({ hsts }: HttpSettings): string | undefined =>
  hsts?.maxAgeSeconds === undefined
    ? undefined
    : `max-age=${hsts.maxAgeSeconds}${hsts.includeSubDomains ? "; includeSubDomains" : ""}`;

const guardAgainstOverload = (
  { server: { admission }, metrics, isBehind }: HttpServerOptions,
  kit: Kit,
  areas: readonly MountedArea[],
): OverloadGuard | undefined => {
  if (admission === null) return undefined;
  let urgent: { method: string; pattern: RegExp }[] | undefined;
  const isUrgent = (method: string, path: string): boolean => {
    urgent ??= areas.flatMap(({ operations }) =>
      operations
        .filter(({ operation }) => operation.urgent === true)
        .map(({ operation, fullPath }) => ({ method: operation.method, pattern: toPattern(fullPath) })),
    );
    return urgent.some((each) => each.method === method && each.pattern.test(path));
  };
  return createOverloadGuard({ settings: admission, kit, metrics, isBehind, isUrgent });
};

/** Operations read their own query from the URL, by their own schema. */
const noQuery = Object.freeze({});

/**
 * JSON bodies are kept as bytes until the operation reads its whole input, so that a malformed body and a wrong query
 * are answered together. Other bodies are left unread; an area adds what it needs (multipart) in its scope.
 */
const leaveBodiesToOperations = (root: FastifyInstance): void => {
  root.removeAllContentTypeParsers();
  root.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json\b/,
    { parseAs: "buffer" },
    (_request, body, done) => done(null, body),
  );
  root.addContentTypeParser("*", (_request, _payload, done) => done(null));
};

/** Before anything looks at them. */
const refuseAmbiguousHeads = (root: FastifyInstance): void => {
  root.addHook("onRequest", ({ raw }, _reply, done) => {
    const problem = headProblem(raw);
    done(problem && inputFailure([problem]));
  });
};

/** What this server answers, once all of it is registered. */
interface Offered {
  areas: readonly MountedArea[];
  pagePaths: () => readonly string[];
  /** The console; undefined where it is not served. */
  pages: Pages | undefined;
}

/** Failures outside the routes of any area; below an area's prefix they are still in its words. */
const shapeOuterFailures = (root: FastifyInstance, kit: Kit, offered: Offered): void => {
  root.setErrorHandler((error, request, reply) => {
    const failure = toFailure(error, { kit });
    answerFailure(reply, { failure, kit, area: kit.areaOf(request.url) });
  });
  root.setNotFoundHandler((request, reply) => {
    const area = kit.areaOf(request.url);
    const path = request.url.split("?", 1)[0] ?? "/";
    const wait = kit.rateLimit.take("network", kit.callerNetwork(kit.clientAddressOf(request) ?? ""));
    if (wait > 0) {
      answerFailure(reply, { failure: rateLimited(wait), kit, area });
      return;
    }
    const isKnown = (): boolean => methodsAt(path, offered).length > 0;
    if (offered.pages?.answer(request, reply, isKnown) === true) return;
    const allowed = methodsAt(path, offered);
    if (allowed.length > 0) {
      const failure = methodNotAllowed(request.method, path, allowed);
      answerFailure(reply, { failure, kit, area, headers: { allow: allowed.join(", ") } });
    } else {
      answerFailure(reply, { failure: notFound(path), kit, area });
    }
  });
};

const methodsAt = (path: string, { areas, pagePaths }: Offered): string[] => {
  const methods = new Set<string>();
  const known = areas.flatMap(({ area, operations }) => [
    { method: "GET", path: `${area.prefix}/openapi.json` },
    ...operations.map(({ operation, fullPath }) => ({ method: operation.method, path: fullPath })),
  ]);
  const pages = pagePaths().map((own) => ({ method: "GET", path: own }));
  for (const each of [...known, ...pages]) {
    if (toPattern(each.path).test(path)) {
      methods.add(each.method);
      if (each.method === "GET") {
        methods.add("HEAD");
      }
    }
  }
  return [...methods];
};

/** Statuses that no failure kind has must come out of the area's own function, or its bodies would contradict them. */
const refuseUnsoundArea = (area: Area): void => {
  const view = { id: "check", method: "GET", url: area.prefix };
  const failures = [
    methodNotAllowed("PUT", area.prefix, ["GET"]),
    rateLimited(1),
    unsupportedCharset("x"),
    requestTooSlow(),
  ];
  for (const failure of failures) {
    const { status } = area.toBody(failure, view);
    if (status !== statusOf(failure)) {
      throw new Error(
        `area ${area.name}: toBody gives ${failure.code} status ${status}; take it from statusOf()`,
      );
    }
  }
};

interface Stopping {
  ledger: Ledger;
  streams: EventStreams;
  graceMs: number;
}

const stopServing = async (node: Server, { ledger, streams, graceMs }: Stopping): Promise<void> => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  if (node.listening) {
    node.close(() => resolve());
  } else {
    resolve();
  }
  streams.endAll();
  await ledger.idle(graceMs);
  node.closeAllConnections();
  await closed;
  // Aborted requests end a moment later: their signals abort and their log lines are written.
  await ledger.idle(abortedGraceMs);
};

const abortedGraceMs = 1000;
