import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "../../errors/failure.ts";
import type { Actor } from "../../lib/actor.ts";
import { rateLimited, unavailable } from "../errors.ts";
import { identify, remoteOf } from "../requests/client-address.ts";
import { credentialsOf } from "./refused-credentials.ts";
import { exchangeOf } from "../requests/exchange.ts";
import { isRepeated } from "../requests/request-head.ts";
import { nameRequestSpan } from "../requests/request-span.ts";
import type { Kit } from "../kit.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | null;
  }
}

type Guard = (request: FastifyRequest, reply: FastifyReply, proceed: (error?: Error) => void) => void;

interface Guarded {
  id: string;
  rule: string;
  basicAuth?: boolean;
  readsCaller?: boolean;
}

/** Who acts in a public operation. */
export const anonymous: Actor = { ref: "user:default/anonymous", roles: [], provider: "none" };

export const actorOf = (request: FastifyRequest): Actor => request.actor ?? anonymous;

/**
 * Runs before any byte of the body is read: shutdown, authentication, authorisation, rate limit. Synchronous
 * when authentication is, which saves a tick of the event loop.
 */
export const guard = ({ id, rule, basicAuth = false, readsCaller = false }: Guarded, kit: Kit): Guard => {
  const { access } = kit;
  const isPublic = access.isPublic(rule);
  const headersOf = ({ headers }: FastifyRequest): IncomingHttpHeaders =>
    basicAuth ? withBearer(headers) : headers;
  const admit = (request: FastifyRequest, reply: FastifyReply, actor: Actor): void => {
    exchangeOf(reply.raw).actor = actor.ref;
    request.actor = actor;
    limitRate(kit, reply, actor);
    if (!isPublic) {
      access.authorize(actor, rule);
    }
  };
  return (request, reply, proceed) => {
    const refuse = (error: unknown): void => proceed(asError(error));
    try {
      begin(reply, id, kit);
      refuseWhenDraining(kit);
      const actor = !isPublic
        ? authenticate(request, headersOf(request), { reply, kit, isPublic })
        : readsCaller
          ? callerOf(request, reply, kit)
          : anonymous;
      if (actor instanceof Promise) {
        void actor.then((known) => admit(request, reply, known)).then(() => proceed(), refuse);
        return;
      }
      admit(request, reply, actor);
    } catch (error) {
      refuse(error);
      return;
    }
    proceed();
  };
};

/** Synchronous when the check of the credentials is. */
const authenticate = (
  request: FastifyRequest,
  received: IncomingHttpHeaders,
  { reply, kit, isPublic }: { reply: FastifyReply; kit: Kit; isPublic: boolean },
): Actor | Promise<Actor> => {
  const { access, credentials, rateLimit } = kit;
  const headers = withAllCredentials(received, request);
  // Cookies hold secrets that this server has drawn, which nobody guesses: people who sign in are never in the way of each other.
  const given = headers.authorization;
  if (given !== undefined) credentials.check(given, networkOf(reply, kit));
  const accept = (actor: Actor): Actor => {
    credentials.accepted(credentialsOf(headers), actor);
    return actor;
  };
  // Refused ones, and requests without any, count against the network, so that nobody tries at full speed. Whoever calls a public
  // operation is counted when it is let in.
  const refuse = (error: unknown): never => {
    if (!(error instanceof Failure) || error.kind !== "unauthenticated") throw error;
    if (given === undefined && isPublic) throw error;
    const network = networkOf(reply, kit);
    const wait = given === undefined ? rateLimit.take("network", network) : credentials.refused(network);
    throw wait > 0 ? rateLimited(wait) : error;
  };
  try {
    const actor = access.authenticate(headers, remoteOf(request), request.method);
    return actor instanceof Promise ? actor.then(accept, refuse) : accept(actor);
  } catch (error) {
    return refuse(error);
  }
};

/** With all Authorization headers as one (RFC 9110 5.3), which no check takes for credentials: nobody can say which is meant. */
const withAllCredentials = (headers: IncomingHttpHeaders, { raw }: FastifyRequest): IncomingHttpHeaders =>
  headers.authorization === undefined || !isRepeated(raw, "authorization")
    ? headers
    : { ...headers, authorization: (raw.headersDistinct["authorization"] ?? []).join(", ") };

/**
 * Nobody where the credentials are not accepted. What can't be found out now is a failure all the same, but for the session of a browser: to
 * sign out of it nobody needs its identity provider, and the operation says what it makes of the cookie.
 */
const callerOf = async (request: FastifyRequest, reply: FastifyReply, kit: Kit): Promise<Actor> => {
  try {
    return await authenticate(request, request.headers, { reply, kit, isPublic: true });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const isSession = request.headers.authorization === undefined;
    if (error.kind === "unauthenticated" || (error.kind === "unavailable" && isSession)) return anonymous;
    throw error;
  }
};

/** The password of HTTP Basic as the bearer token that it is; the user name says nothing. */
const withBearer = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const basic = /^Basic {1,8}([A-Za-z0-9+/=]{1,12000})$/i.exec(headers.authorization ?? "")?.[1];
  if (basic === undefined) return headers;
  const text = Buffer.from(basic, "base64").toString("utf8");
  return { ...headers, authorization: `Bearer ${text.slice(text.indexOf(":") + 1)}` };
};

const begin = (reply: FastifyReply, operationId: string, kit: Kit): void => {
  const exchange = exchangeOf(reply.raw);
  exchange.operation = operationId;
  identify(reply, kit);
  if (exchange.span !== undefined) nameRequestSpan(exchange.span, exchange, routeOf(reply.request));
};

/** As the document of the interface has it. */
const routeOf = (request: FastifyRequest): string | undefined =>
  request.routeOptions.config.template ?? request.routeOptions.url;

const refuseWhenDraining = (kit: Kit): void => {
  if (kit.isDraining()) {
    throw unavailable("PLATFORM_SHUTTING_DOWN", 1);
  }
};

const limitRate = (kit: Kit, reply: FastifyReply, actor: Actor): void => {
  const { rateLimit } = kit;
  const isKnown = actor !== anonymous;
  const wait = isKnown
    ? rateLimit.take("actor", actor.ref)
    : rateLimit.take("network", networkOf(reply, kit));
  if (wait > 0) {
    throw rateLimited(wait);
  }
};

/** Once the request is identified. */
const networkOf = ({ raw }: FastifyReply, { callerNetwork }: Kit): string =>
  callerNetwork(exchangeOf(raw).clientAddress ?? "");

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error("The guard failed.", { cause: error });
