import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../lib/actor.ts";
import type { RequestContext } from "../../lib/request-context.ts";
import { linesOf } from "../../lib/request-lines.ts";
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
  const { requestId, clientAddress } = exchange;
  exchange.controller = new AbortController();
  return {
    ...extra,
    actor,
    now: kit.now,
    log: linesOf({ requestId, clientAddress }, kit.log),
    signal: exchange.controller.signal,
    requestId,
    clientAddress,
    traceparent: exchange.span?.traceparent ?? childTraceparent(parentOf(request)),
  };
};

const parentOf = ({ headers }: FastifyRequest): ReturnType<typeof parseTraceparent> => {
  const { traceparent } = headers;
  return typeof traceparent === "string" ? parseTraceparent(traceparent) : undefined;
};
