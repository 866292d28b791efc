/** A model behind the Chat Completions protocol: OpenAI, Azure OpenAI, and all that speak the same. */
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../platform/errors/failure.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { OutboundStream } from "../../platform/outbound/stream.ts";
import type { ModelConfig } from "../models/read-model.ts";
import type { RunSettings } from "../settings.ts";
import { chatBody, completionParts, createChunkReader } from "./chat-wire.ts";
import { chatEndpoint } from "./endpoints.ts";
import type { ModelClient, ModelPart } from "./model.ts";
import { isPassing, refusalOf, unavailable, waitBefore } from "./refusals.ts";
import { dataLines } from "./sse-lines.ts";

export interface ChatMeans {
  outbound: Outbound;
  limits: RunSettings["models"];
  now: () => Date;
}

export function createChatClient(means: ChatMeans, config: ModelConfig): ModelClient {
  const { url, headers, model } = chatEndpoint(config);
  return {
    model,
    async *stream(request, signal) {
      const body = JSON.stringify(chatBody(model, request));
      const answer = await open(means, { url, headers, body, signal, apiKey: config.apiKey });
      yield* partsOf(answer, means.limits.answerBytes);
    },
  };
}

interface Call {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  apiKey: string;
}

/** Errors are read up to here. */
const errorBytes = 16_384;

/** Tries again what was refused for the moment only, within bounds; nothing of an answer has been seen until then. */
async function open(means: ChatMeans, call: Call): Promise<OutboundStream> {
  const { limits, now } = means;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= limits.attempts;
    let refused: Failure;
    let pauseMs: number | null;
    const answer = await send(means, call);
    if (answer instanceof Failure) {
      refused = answer;
      pauseMs = waitBefore(undefined, { attempt, now: 0, maxMs: limits.retryAfterMaxMs });
    } else {
      if (answer.status === 200) return answer;
      const body = await beginningOf(answer);
      refused = refusalOf({ status: answer.status, body, apiKey: call.apiKey });
      const retryAfter = answer.headers["retry-after"];
      const window = { attempt, now: now().getTime(), maxMs: limits.retryAfterMaxMs };
      pauseMs = isPassing(answer.status) ? waitBefore(retryAfter, window) : null;
    }
    if (isLast || pauseMs === null) throw refused;
    await wait(pauseMs, undefined, { signal: call.signal });
  }
}

/** A Failure when no answer came that could have done anything; throws when trying again makes no sense. */
async function send(
  { outbound, limits }: ChatMeans,
  { url, headers, body, signal }: Call,
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
    const isFinal = error instanceof OutboundError && ["refused_by_policy", "timeout"].includes(error.reason);
    if (isFinal) throw failure;
    return failure;
  }
}

/** Null for an abort, which is the caller's own. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof Failure) return error;
  if (!(error instanceof OutboundError)) return unavailable("The model could not be called.");
  return error.reason === "aborted" ? null : unavailable(`The model can't be reached: ${error.message}`);
}

async function beginningOf(answer: OutboundStream): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of answer.body) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= errorBytes) break;
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(parts).toString("utf8").slice(0, errorBytes);
}

async function* partsOf(answer: OutboundStream, maxBytes: number): AsyncGenerator<ModelPart> {
  try {
    if (answer.headers["content-type"]?.startsWith("application/json") === true) {
      const parts: Buffer[] = [];
      for await (const part of answer.body) parts.push(part);
      yield* completionParts(Buffer.concat(parts).toString("utf8"));
      return;
    }
    const lines = dataLines(maxBytes);
    const chunks = createChunkReader();
    for await (const piece of answer.body) {
      for (const data of lines.push(piece)) {
        if (data === "[DONE]") {
          yield chunks.end();
          return;
        }
        yield* chunks.read(data);
      }
    }
    yield chunks.end();
  } catch (error) {
    throw failureOf(error) ?? error;
  }
}
