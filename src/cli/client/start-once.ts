/**
 * Starts an operation with an idempotency key, so that a start whose response was lost can be repeated
 * safely.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../platform/errors/failure.ts";
import { callServer, causesOf, isPassing, type Answer, type Call, type Server } from "./http.ts";

/** A server that restarts is back within seconds. */
const usual = { repeats: 6, firstDelayMs: 250 };

/** For operations that take an `Idempotency-Key`. Throws when the server refuses, or does not come back. */
export async function startOnce<T>(server: Server, call: Call, pace = usual): Promise<Answer<T>> {
  const keyed = { ...call, headers: { "idempotency-key": randomUUID() } };
  let mayHaveStarted = false;
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await callServer<T>(server, keyed);
    } catch (error) {
      if (server.signal.aborted || !(error instanceof Failure)) throw error;
      mayHaveStarted ||= isAnswerLost(error);
      // A request that did not reach the server, or was refused, fails at once.
      if (!mayHaveStarted || !isPassing(error)) throw error;
      if (repeats >= pace.repeats) throw notKnown(error);
    }
    await wait(pace.firstDelayMs * 2 ** repeats, undefined, { signal: server.signal });
  }
}

/** Errors after which the server cannot have received the request. */
const unsent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
const lost = new Set([
  "ECONNRESET",
  "EPIPE",
  "UND_ERR_SOCKET",
  "ETIMEDOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

function isAnswerLost({ code, cause }: Failure): boolean {
  if (code !== "CLI_UNREACHABLE") return false;
  if (cause instanceof Error && cause.name === "TimeoutError") return true;
  for (const { code: reason } of causesOf(cause)) {
    if (unsent.has(reason)) return false;
    if (lost.has(reason)) return true;
  }
  return false;
}

const notKnown = (cause: Failure): Failure =>
  new Failure({
    kind: "unavailable",
    code: "CLI_UNREACHABLE",
    message: `The server was asked to start, and its answer was lost: whether it has started is not known. ${cause.message}`,
    solutions: ["Look what is under way before you start again, with `plinth status` or the lists."],
    cause,
  });
