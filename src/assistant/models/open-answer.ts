/** One request to a model's provider up to the head of its response, with retries and errors as Failures. */
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../platform/errors/failure.ts";
import { type Mask, createMask, type PieceMask } from "../../platform/lib/secrets/mask.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { OutboundStream } from "../../platform/outbound/stream.ts";
import type { RunSettings } from "../settings.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import { readRetryAfter } from "../../platform/outbound/retry.ts";
import { assistantFailure } from "../error-codes.ts";
import { bodyProblem } from "../body-problems.ts";
import type { ModelConfig } from "./read-model.ts";
import { secretsIn } from "../../platform/outbound/sent-secrets.ts";
import type { ModelPart } from "./model.ts";

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
      const mayPass = isTransient(answer.status) && refused.code !== "context_too_long";
      pauseMs = mayPass ? retryDelay(retryAfter, window) : null;
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

// Error responses of providers as Failures, and when to retry.

interface ProviderRefusal {
  status: number;
  /** The beginning of the body as text, with our secrets masked. */
  body: string;
}

/** Words of providers for a request with too many tokens; each is from the source or the documents of one of them. */
const contextWords = new RegExp(
  [
    "context[_ ](?:length|window|size|limit)",
    "maximum (?:context|model length)",
    "max_model_len",
    "too many tokens",
    "(?:prompt|input) is too long",
    "too large to process",
    "exceeds? the (?:model|context|maximum number of tokens)",
    "must have less than \\d+ tokens",
    "tokens`? \\+ `?max_new_tokens",
  ].join("|"),
  "i",
);
const filterWords = /content[_ ]?(?:filter|policy|management)|responsible ?ai/i;
const rateWords = /rate_?limit|too_?many_?requests|resource_?exhausted|quota/i;
const keyWords =
  /api[_ ]key[_ ](?:is )?(?:not valid|invalid|expired)|(?:incorrect|invalid)[_ ]api[_ ]key|authentication_?error|unauthenticated/i;

function refusalOf({ status, body }: ProviderRefusal): Failure {
  const error = errorIn(parsed(body));
  const said = status === 400 ? body : error.message;
  return refusalFor({ ...error, status, said }, `The model answered with status ${status}.`);
}

/** The refusal in a record of a stream whose status was 200. Our secrets are masked in it. */
export function refusalInStream(record: unknown): Failure {
  const error = errorIn(record);
  return refusalFor({ ...error, said: error.message }, "The model broke off its answer with an error.");
}

interface Refusal extends ProviderError {
  /** Where the provider may say what is wrong with the request. */
  said: string;
}

function refusalFor({ status, kind, message, said }: Refusal, otherwise: string): Failure {
  const number = status === 0 ? "" : ` (${status})`;
  const shown = message.slice(0, maxWords);
  const words = shown === "" ? "" : ` It said: ${shown}`;
  const isOfRequest = status === 0 || status === 400 || status === 422;
  if (status === 401 || status === 403 || (isOfRequest && keyWords.test(`${kind} ${shown}`))) {
    return assistantFailure("model_auth", {
      message: `The provider of the model refused the credentials${number}.`,
    });
  }
  if (status === 429 || rateWords.test(kind)) {
    return assistantFailure("model_rate_limited", {
      message: `The provider of the model takes no more requests just now${number}.${words}`,
    });
  }
  if (status === 413 || contextWords.test(`${kind} ${said}`)) {
    return assistantFailure("context_too_long", {
      message: `The conversation is too long for the model.${words}`,
    });
  }
  if (isOfRequest && filterWords.test(`${kind} ${said}`)) return contentFiltered();
  return unavailable(`${otherwise}${words}`);
}

export const contentFiltered = (): Failure =>
  assistantFailure("content_filtered", {
    message: "The provider's content filter stopped the answer.",
    problems: [bodyProblem(["message"], "was stopped by the provider's content filter")],
  });

export const unavailable = (message: string): Failure => assistantFailure("model_unavailable", { message });

/** Whether a retry of the same request may succeed. */
const isTransient = (status: number): boolean =>
  status === 429 || status === 408 || (status >= 500 && status !== 501);

const maxWords = 300;

/** What is no JSON, such as an HTML page of a gateway, is not shown. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

interface ProviderError {
  message: string;
  kind: string;
  /** 0 where it is not said. */
  status: number;
}

/** The error of a body in the forms that there are: of OpenAI, of Gemini (in a list), of vLLM and Mistral (flat), and of FastAPI. */
function errorIn(body: unknown): ProviderError {
  const whole: unknown = Array.isArray(body) ? body[0] : body;
  if (!isRecord(whole)) return { message: "", kind: "", status: 0 };
  const error = whole["error"] ?? whole;
  const { code, type, status, message, detail } = isRecord(error) ? error : whole;
  const number = [code, status].map(Number).find((each) => each >= 400 && each < 600);
  return {
    message: isRecord(error) ? textIn(message) || textIn(detail) : textIn(error),
    kind: [code, type, status].filter((value) => typeof value === "string").join(" "),
    status: number ?? 0,
  };
}

/** FastAPI lists what is wrong with a body. */
function textIn(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const text = isRecord(first) ? (first["msg"] ?? first["message"]) : first;
  return typeof text === "string" ? text : "";
}

/** Delay before the next attempt; null when it is longer than `maxMs`. `now` is in ms. */
function retryDelay(
  retryAfter: string | undefined,
  { attempt, now, maxMs }: { attempt: number; now: number; maxMs: number },
): number | null {
  const wanted = readRetryAfter(retryAfter, now);
  if (wanted === null) return Math.min(500 * 2 ** attempt, maxMs);
  return wanted > maxMs ? null : wanted;
}

// The address and headers of a model, by its provider.

interface ChatEndpoint {
  url: string;
  headers: Record<string, string>;
  /** The name of the model in the body. */
  model: string;
}

/** Providers that speak Chat Completions; the others have packages of their own. */
export const chatProviders = ["openai", "azure_openai", "openai-compatible"] as const;

/**
 * The field that limits the length of an answer. OpenAI's reasoning models refuse `max_tokens`; some compatible servers, and Azure with an
 * `api-version` before 2024-09-01, know no other name.
 */
export function answerLimit(
  { provider, apiVersion }: Pick<ModelConfig, "provider" | "apiVersion">,
  tokens: number,
): object {
  const isOld = provider === "azure_openai" && /^\d{4}-/.test(apiVersion) && apiVersion < "2024-09-01";
  return provider === "openai-compatible" || isOld
    ? { max_tokens: tokens }
    : { max_completion_tokens: tokens };
}

const usualEndpoint = "https://api.openai.com/v1";

export function chatEndpoint(config: ModelConfig, operation = "chat/completions"): ChatEndpoint {
  const isAzure = config.provider === "azure_openai";
  const auth: Record<string, string> =
    config.apiKey === ""
      ? {}
      : isAzure
        ? { "api-key": config.apiKey }
        : { authorization: `Bearer ${config.apiKey}` };
  const headers = { "content-type": "application/json", accept: "text/event-stream", ...auth };
  for (const [name, value] of config.customHeaders) Object.assign(headers, { [name.toLowerCase()]: value });
  if (config.endpoint === "" && config.provider !== "openai") {
    throw unavailable(`The configuration of the model has no endpoint, which ${config.provider} needs.`);
  }
  const base = (config.endpoint || usualEndpoint).replace(/\/+$/, "");
  const model = config.model || config.deployment;
  if (!isAzure) {
    const url = base.endsWith(`/${operation}`) ? base : `${base}/${operation}`;
    return { url, headers, model };
  }
  const root = base.replace(/\/openai(?:\/v1)?$/, "");
  const deployment = config.deployment || config.model;
  if (config.apiVersion === "" || config.apiVersion === "v1") {
    return { url: `${root}/openai/v1/${operation}`, headers, model: deployment };
  }
  const version = encodeURIComponent(config.apiVersion);
  const path = `${root}/openai/deployments/${encodeURIComponent(deployment)}/${operation}`;
  return { url: `${path}?api-version=${version}`, headers, model };
}

// Masks the secrets of a call wherever the provider repeats them, in texts and in arguments of tools.

export function maskOf({ apiKey, customHeaders }: Pick<ModelConfig, "apiKey" | "customHeaders">): Mask {
  const own = secretsIn({ headers: { "api-key": apiKey } });
  return createMask([...own, ...secretsIn({ headers: Object.fromEntries(customHeaders) })]);
}

interface PartFilter {
  push(parts: ModelPart[]): ModelPart[];
  /** The parts that were held back, when the response breaks off. */
  rest(): ModelPart[];
}

const unchanged: PartFilter = { push: (parts) => parts, rest: () => [] };

/** A filter for the parts of one response. */
export function createSecretFilter(mask: Mask): PartFilter {
  if (mask.isEmpty) return unchanged;
  const text = mask.pieces();
  const thoughts = mask.pieces();
  const calls = new Map<number, PieceMask>();
  const rest = (): ModelPart[] => [
    ...textPart("text", text.end()),
    ...textPart("thoughts", thoughts.end()),
    ...[...calls].flatMap(([index, filter]) => argumentsPart(index, filter.end())),
  ];
  const shown = (part: ModelPart): ModelPart[] => {
    if (part.type === "text") return textPart(part.type, text.push(part.delta));
    if (part.type === "thoughts") return textPart(part.type, thoughts.push(part.delta));
    if (part.type === "arguments") {
      const filter = calls.get(part.index) ?? mask.pieces();
      calls.set(part.index, filter);
      return argumentsPart(part.index, filter.push(part.delta));
    }
    if (part.type === "call") {
      const { id, name, meta } = part;
      const retained = meta === undefined ? {} : { meta: mask.json(meta) };
      return [{ ...part, id: mask.text(id), name: mask.text(name), ...retained }];
    }
    return [...rest(), part];
  };
  return { rest, push: (parts) => parts.flatMap(shown) };
}

const textPart = (type: "text" | "thoughts", delta: string): ModelPart[] =>
  delta === "" ? [] : [{ type, delta }];

const argumentsPart = (index: number, delta: string): ModelPart[] =>
  delta === "" ? [] : [{ type: "arguments", index, delta }];
