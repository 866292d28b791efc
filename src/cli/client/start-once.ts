/** Starts something under a key of its own, so that a start whose answer was lost is sent again and happens once. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../platform/errors/failure.ts";
import { callServer, causesOf, type Answer, type Call, type Server } from "./http.ts";
import { isPassing } from "./passing.ts";

/** A server that is started anew is back within seconds. */
const usual = { repeats: 6, firstDelayMs: 250 };

/** For operations that take an `Idempotency-Key`. Throws what the server refuses, and when it does not come back. */
export async function startOnce<T>(server: Server, call: Call, pace = usual): Promise<Answer<T>> {
  const keyed = { ...call, headers: { "idempotency-key": randomUUID() } };
  let mayHaveStarted = false;
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await callServer<T>(server, keyed);
    } catch (error) {
      if (server.signal.aborted || !(error instanceof Failure)) throw error;
      mayHaveStarted ||= isAnswerLost(error);
      // What has not reached the server, or was refused by it, is told at once.
      if (!mayHaveStarted || !isPassing(error)) throw error;
      if (repeats >= pace.repeats) throw notKnown(error);
    }
    await wait(pace.firstDelayMs * 2 ** repeats, undefined, { signal: server.signal });
  }
}

/** Whoever refuses a connection, or is not found, has not seen the request. */
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
