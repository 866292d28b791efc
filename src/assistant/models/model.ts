/** The interface of models to the run loop, independent of the provider, and their spans. */
import { errorTypeOf, inSpan, isTracing, startSpan } from "../../platform/telemetry/spans.ts";
import type { Provider } from "./providers.ts";

export interface ModelToolCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it; may be invalid. */
  arguments: string;
  /** Metadata that the provider needs back with the call. */
  meta?: object;
}

export type ModelMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string; calls: ModelToolCall[] }
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
  | { type: "call"; index: number; id: string; name: string; meta?: object }
  | { type: "arguments"; index: number; delta: string }
  | { type: "end"; finish: "stop" | "calls" | "length"; usage: ModelUsage | null };

export interface ModelClient {
  /** The name under which usage is counted. */
  model: string;
  /**
   * Yields the parts that have arrived since the last ones were taken. Throws a Failure with a code of a model; there is no
   * retry after the first part.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart[]>;
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
