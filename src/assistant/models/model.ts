/** What the run loop asks of a model and gets from it, the same for every provider; mends what is sent, and makes each call a span. */
import { createHash } from "node:crypto";
import { isRecord } from "../../platform/lib/is-record.ts";
import { errorTypeOf, inSpan, isTracing, startSpan } from "../../platform/telemetry/spans.ts";
import type { Provider } from "./providers.ts";
import type { ModelConfig } from "./read-model.ts";

export interface ModelToolCall {
  /** Ours, as in events and logs. */
  id: string;
  name: string;
  /** JSON text as the model wrote it; may be invalid. */
  arguments: string;
  /** The id that the provider gave the call. It is sent back to the same provider only. */
  givenId?: string;
  /** What else the provider gave with the call and needs back, such as the signature of its thoughts. To the same provider only. */
  meta?: object;
}

/** A turn of the model. Users are shown neither its thoughts nor what else is kept for the provider. */
export interface AssistantMessage {
  role: "assistant";
  content: string;
  calls: ModelToolCall[];
  /** Who gave it; see `originOf`. Missing where no model did, or an older program has stored it. */
  origin?: string;
  /** What the model thought before its calls; some providers refuse the calls without. */
  thoughts?: string;
}

/** What is sent with a turn beside its content and arguments, to be counted with them. */
export const retainedTexts = ({ thoughts = "", calls }: AssistantMessage): string[] => [
  thoughts,
  ...calls.flatMap(({ givenId = "", meta }) => [givenId, meta === undefined ? "" : JSON.stringify(meta)]),
];

export type ModelMessage =
  | { role: "system" | "user"; content: string }
  | AssistantMessage
  | { role: "tool"; callId: string; content: string };

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of type object. */
  parameters: object;
}

export interface ModelRequest {
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  maxTokens?: number;
  /** Name of the agent that asks, for the span. */
  agent?: string;
  /** Id of the session, for the span. */
  conversation?: string;
}

export interface ModelUsage {
  input: number;
  output: number;
  /** The part of `input` that the provider had cached. */
  cached: number;
}

/** Parts of a response in the order of arrival; `end` is the last one. */
export type ModelPart =
  | { type: "text"; delta: string }
  /** Not for users. */
  | { type: "thoughts"; delta: string }
  /** The id is the provider's; empty where it gives none. */
  | { type: "call"; index: number; id: string; name: string; meta?: object }
  | { type: "arguments"; index: number; delta: string }
  | { type: "end"; finish: "stop" | "calls" | "length"; usage: ModelUsage | null };

export interface ModelClient {
  /** The name under which usage is counted. */
  model: string;
  /** See `originOf`. */
  origin: string;
  /**
   * Yields the parts that have arrived since the last ones were taken. Throws a Failure with a code of a model; there is no
   * retry after the first part.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart[]>;
}

/** Identifies a model at its endpoint: what it wants back with its turns is sent to nobody else. */
export const originOf = ({ provider, endpoint, deployment, model }: ModelConfig): string =>
  shortHash(JSON.stringify([provider, endpoint.replace(/\/+$/, ""), deployment, model]));

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

const longestName = 64;

/** A name of letters, digits, hyphens and underscores; a changed name gets a part of its hash, so that it stays unique. */
export function modelName(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9_-]+/g, "_");
  if (plain === text && plain.length <= longestName) return plain;
  return `${plain.slice(0, longestName - 9)}_${shortHash(text).slice(0, 8)}`;
}

/**
 * A conversation in a form that every provider takes. Some refuse calls with invented names or broken arguments, others turns that do
 * not alternate, and one refused message would end the session: so all that is known to be refused is mended here, when it is sent.
 */
export function sendable(messages: readonly ModelMessage[], origin: string): ModelMessage[] {
  const idOf = createCallIds();
  const sent: ModelMessage[] = [];
  for (const message of messages) {
    const next = wanted(message, { origin, idOf });
    const last = sent.at(-1);
    if (last !== undefined && mayJoin(last, next)) sent[sent.length - 1] = joined(last, next);
    else sent.push(...missingBetween(last, next), next);
  }
  return sent;
}

interface Sending {
  origin: string;
  idOf: (id: string, call?: { givenId?: string }) => string;
}

function wanted(message: ModelMessage, sending: Sending): ModelMessage {
  if (message.role === "tool") return { ...message, callId: sending.idOf(message.callId) };
  return message.role === "assistant" ? ownTurn(message, sending) : message;
}

function missingBetween(last: ModelMessage | undefined, next: ModelMessage): ModelMessage[] {
  if (next.role === "user" && last?.role === "tool") return [noAnswer];
  return next.role === "assistant" && (last === undefined || last.role === "system") ? [opening] : [];
}

/** After the results of a run that ended without an answer. */
const noAnswer: ModelMessage = { role: "assistant", content: "(There was no answer.)", calls: [] };
/** Before an answer whose question is left out, or that had none. */
const opening: ModelMessage = { role: "user", content: "(The conversation so far:)" };

const mayJoin = (last: ModelMessage, next: ModelMessage): boolean =>
  last.role === next.role && (next.role === "user" || (last.role === "assistant" && last.calls.length === 0));

const joined = (last: ModelMessage, next: ModelMessage): ModelMessage => ({
  ...next,
  content: [last.content, next.content].filter((text) => text !== "").join("\n\n"),
});

/** Without what another provider wants back. What an older program has stored has no origin. */
function ownTurn(message: AssistantMessage, { origin, idOf }: Sending): AssistantMessage {
  const { content, calls, thoughts } = message;
  const isOwn = message.origin === undefined || message.origin === origin;
  return {
    role: "assistant",
    content,
    ...(message.origin === undefined ? {} : { origin: message.origin }),
    ...(isOwn && thoughts !== undefined ? { thoughts } : {}),
    calls: calls.map((call) => ({
      id: idOf(call.id, isOwn ? call : undefined),
      name: modelName(call.name),
      arguments: isJsonObject(call.arguments) ? call.arguments : "{}",
      ...(isOwn && call.meta !== undefined ? { meta: call.meta } : {}),
    })),
  };
}

/**
 * Chooses the ids of the tool calls in one request: the id that the provider gave, or else one made of nine letters and digits, the
 * only form that Mistral takes; all others take it, too.
 */
function createCallIds(): Sending["idOf"] {
  const sent = new Map<string, string>();
  const taken = new Set<string>();
  return (id, { givenId = "" } = {}) => {
    const known = sent.get(id);
    if (known !== undefined) return known;
    // Some servers number the calls of each turn anew, so that an id comes again in a later turn.
    const made = givenId === "" || taken.has(givenId) ? plainId(id) : givenId;
    sent.set(id, made);
    taken.add(made);
    return made;
  };
}

const plainId = (id: string): string =>
  createHash("sha256")
    .update(id)
    .digest("base64")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 9);

/** Whether a text is the JSON of an object. */
export function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

/** A model that makes vectors of texts. */
export interface Embedder {
  /** A vector for each text, in their order. Throws a Failure with a code of a model. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]>;
}

/** As the semantic conventions call them; others have their own name. */
const providerNames: Partial<Record<Provider, string>> = {
  azure_openai: "azure.ai.openai",
  google: "gcp.gemini",
  bedrock: "aws.bedrock",
};

const spanName = (provider: Provider): string => providerNames[provider] ?? provider;

/** A model whose turns are spans. Neither prompts nor answers are recorded. */
export const tracedModel = (client: ModelClient, provider: Provider): ModelClient => ({
  model: client.model,
  origin: client.origin,
  stream: (request, signal) =>
    isTracing() ? tracedStream(client, provider, { request, signal }) : client.stream(request, signal),
});

async function* tracedStream(
  client: ModelClient,
  provider: Provider,
  { request, signal }: { request: ModelRequest; signal: AbortSignal },
): AsyncGenerator<ModelPart[]> {
  const parts = client.stream(request, signal)[Symbol.asyncIterator]();
  const span = startSpan("chat", {
    name: `chat ${client.model}`,
    attributes: () => ({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": spanName(provider),
      "gen_ai.request.model": client.model,
      "gen_ai.agent.name": request.agent,
      "gen_ai.conversation.id": request.conversation,
    }),
  });
  try {
    for (;;) {
      const next = await (span === undefined ? parts.next() : span.run(() => parts.next()));
      if (next.done === true) return;
      const last = next.value.at(-1);
      if (last?.type === "end") span?.set(endValues(last));
      yield next.value;
    }
  } catch (error) {
    span?.fail(signal.aborted ? "cancelled" : errorTypeOf(error));
    throw error;
  } finally {
    await parts.return?.();
    span?.end();
  }
}

const finishReasons = { stop: "stop", calls: "tool_calls", length: "length" };

const endValues = ({ finish, usage }: Extract<ModelPart, { type: "end" }>) => ({
  "gen_ai.response.finish_reasons": [finishReasons[finish]],
  "gen_ai.usage.input_tokens": usage?.input,
  "gen_ai.usage.output_tokens": usage?.output,
  "gen_ai.usage.cache_read.input_tokens": usage?.cached,
});

/** An embedder whose calls are spans. */
export const tracedEmbedder = (
  embedder: Embedder,
  { model, provider }: { model: string; provider: Provider },
): Embedder => ({
  embed: (texts, signal) =>
    inSpan(
      "embeddings",
      {
        name: `embeddings ${model}`,
        attributes: () => ({
          "gen_ai.operation.name": "embeddings",
          "gen_ai.provider.name": spanName(provider),
          "gen_ai.request.model": model,
        }),
      },
      () => embedder.embed(texts, signal),
    ),
});
