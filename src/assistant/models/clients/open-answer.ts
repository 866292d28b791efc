/** One request to a model's provider up to the head of its response, with retries and errors as Failures. */
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../../platform/errors/failure.ts";
import type { Mask } from "../../../platform/lib/secrets/mask.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { OutboundStream } from "../../../platform/outbound/stream.ts";
import type { RunSettings } from "../../settings.ts";
import { isTransient, refusalOf, unavailable, retryDelay } from "./refusals.ts";

export interface ModelDeps {
  outbound: Outbound;
  limits: RunSettings["models"];
  now: () => Date;
}

export interface ModelCall {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** Masks secrets that the provider may repeat. */
  mask: Mask;
}

/** The limit of an error body; the rest is not read. */
const errorBytes = 16_384;

/** Retries transient refusals within the limits; no part of a response has been passed on until then. */
export async function openAnswer(deps: ModelDeps, call: ModelCall): Promise<OutboundStream> {
  const { limits, now } = deps;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= limits.attempts;
    let refused: Failure;
    let pauseMs: number | null;
    const answer = await send(deps, call);
    if (answer instanceof Failure) {
      refused = answer;
      pauseMs = retryDelay(undefined, { attempt, now: 0, maxMs: limits.retryAfterMaxMs });
    } else {
      if (answer.status === 200) return answer;
      const body = call.mask.text(await readBeginning(answer));
      refused = refusalOf({ status: answer.status, body });
      const retryAfter = answer.headers["retry-after"];
      const window = { attempt, now: now().getTime(), maxMs: limits.retryAfterMaxMs };
      pauseMs = isTransient(answer.status) ? retryDelay(retryAfter, window) : null;
    }
    if (isLast || pauseMs === null) throw refused;
    await wait(pauseMs, undefined, { signal: call.signal });
  }
}

/** Returns a Failure when the request may be retried; throws when a retry is useless. */
async function send(
  { outbound, limits }: ModelDeps,
  { url, headers, body, signal }: ModelCall,
): Promise<OutboundStream | Failure> {
  try {
    return await outbound.stream({
      method: "POST",
      url,
      headers,
      body,
      signal,
      timeoutMs: limits.timeoutMs,
      idleMs: limits.idleMs,
      maxResponseBytes: limits.answerBytes,
    });
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    const isFinal = error instanceof OutboundError && (error.isRefused || error.reason === "timeout");
    if (isFinal) throw failure;
    return failure;
  }
}

/** Null for an abort by the caller. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof Failure) return error;
  if (!(error instanceof OutboundError)) return unavailable("The model could not be called.");
  return error.reason === "aborted" ? null : unavailable(`The model can't be reached: ${error.message}`);
}

async function readBeginning(answer: OutboundStream): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of answer.body) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= errorBytes) break;
    }
  } catch {
    // The status is enough without the body.
  }
  return Buffer.concat(parts).toString("utf8").slice(0, errorBytes);
}

/** The body of a response that does not stream, as text. Throws what reading throws. */
export async function readWhole(answer: OutboundStream): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of answer.body) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
