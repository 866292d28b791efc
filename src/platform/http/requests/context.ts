import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../lib/actor.ts";
import type { Logger } from "../../lib/logger.ts";
import type { RequestContext } from "../../lib/request-context.ts";
import { childTraceparent, parseTraceparent } from "../../telemetry/trace.ts";
import { exchangeOf } from "./exchange.ts";
import type { Kit } from "../kit.ts";

/**
 * The context that services get. All its fields are plain values: an object literal with getters gets a hidden class of
 * its own for each request, which the collector finds only in the old generation.
 *
 * `signal` is aborted when the client goes away, when a stream ends, and when the server stops waiting at shutdown. Pass
 * it to what only reads or waits. Never pass it to a write that has started: what the client asked for happens whole,
 * whether or not anybody still waits for the answer.
 */
export const createContext = (
  reply: FastifyReply,
  actor: Actor,
  { kit, extra }: { kit: Kit; extra: object | undefined },
): RequestContext => {
  const { request } = reply;
  const exchange = exchangeOf(reply.raw);
  exchange.controller = new AbortController();
  return {
    ...extra,
    actor,
    now: kit.now,
    log: new RequestLogger(kit.log, request.id),
    signal: exchange.controller.signal,
    requestId: request.id,
    traceparent: exchange.span?.traceparent ?? childTraceparent(parentOf(request)),
  };
};

const parentOf = ({ headers }: FastifyRequest): ReturnType<typeof parseTraceparent> => {
  const { traceparent } = headers;
  return typeof traceparent === "string" ? parseTraceparent(traceparent) : undefined;
};

/** Adds the request id to every line; the child logger is created for the first one. */
class RequestLogger implements Logger {
  #child: Logger | undefined;
  readonly #parent: Logger;
  readonly #requestId: string;

  constructor(parent: Logger, requestId: string) {
    this.#parent = parent;
    this.#requestId = requestId;
  }

  debug(fields: object, message: string): void {
    this.#own().debug(fields, message);
  }

  info(fields: object, message: string): void {
    this.#own().info(fields, message);
  }

  warn(fields: object, message: string): void {
    this.#own().warn(fields, message);
  }

  error(fields: object, message: string): void {
    this.#own().error(fields, message);
  }

  child(fields: object): Logger {
    return this.#own().child(fields);
  }

  #own(): Logger {
    this.#child ??= this.#parent.child({ requestId: this.#requestId });
    return this.#child;
  }
}
