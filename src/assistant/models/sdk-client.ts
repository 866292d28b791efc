/** Models of Anthropic, Google and Bedrock through their packages, each of which is loaded at its first call. */
import type { AmazonBedrockProvider } from "@ai-sdk/amazon-bedrock";
import type { GoogleProvider } from "@ai-sdk/google";
import type { Failure } from "../../platform/errors/failure.ts";
import type { Mask } from "../../platform/lib/secrets/mask.ts";
import type { OutboundStream } from "../../platform/outbound/stream.ts";
import type { ModelConfig } from "./read-model.ts";
import { createChatClient } from "./chat-completions.ts";
import {
  chatProviders,
  createSecretFilter,
  maskOf,
  failureOf,
  openAnswer,
  refusalInStream,
  type ModelDeps,
  contentFiltered,
  unavailable,
} from "./open-answer.ts";
import {
  originOf,
  sendable,
  tracedModel,
  type ModelClient,
  type ModelPart,
  type ModelMessage,
  type ModelRequest,
} from "./model.ts";
import type { AnthropicProvider } from "@ai-sdk/anthropic";

const chatCompletionProviders: ReadonlySet<string> = new Set(chatProviders);

/** The client for the configured model. */
export const createModelClient = (deps: ModelDeps, config: ModelConfig): ModelClient =>
  tracedModel(
    chatCompletionProviders.has(config.provider)
      ? createChatClient(deps, config)
      : createSdkClient(deps, config),
    config.provider,
  );

function createSdkClient(deps: ModelDeps, config: ModelConfig): ModelClient {
  let loaded: Promise<SdkModel> | undefined;
  const mask = maskOf(config);
  const origin = originOf(config);
  return {
    model: config.model || config.deployment,
    origin,
    async *stream({ messages, tools, maxTokens }, signal) {
      const model = await (loaded ??= loadModel(config, createFetch(deps, mask)));
      const hiding = createSecretFilter(mask);
      try {
        const { stream } = await model.doStream({
          prompt: sdkPrompt(sendable(messages, origin)),
          tools: sdkTools(tools),
          abortSignal: signal,
          ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
        });
        const read = createPartReader(mask);
        for await (const part of stream as unknown as AsyncIterable<SdkPart>) {
          const parts = hiding.push([...read.push(part)]);
          if (parts.length > 0) yield parts;
        }
        yield hiding.push([read.end()]);
      } catch (error) {
        signal.throwIfAborted();
        const rest = hiding.rest();
        if (rest.length > 0) yield rest;
        throw failureOf(error) ?? unavailable("The model's answer cannot be read.");
      }
    },
  };
}

async function loadModel(config: ModelConfig, fetch: typeof globalThis.fetch): Promise<SdkModel> {
  const { apiVersion, provider } = config;
  const model = config.model || config.deployment;
  if (provider === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const { base, given } = settingsOf(config, fetch);
    const version: Record<string, string> = apiVersion === "" ? {} : { "anthropic-version": apiVersion };
    const root = (base || "https://api.anthropic.com").replace(/\/v1$/, "");
    const headers = { ...version, ...given.headers };
    return createAnthropic({ ...given, baseURL: `${root}/v1`, headers })(model);
  }
  if (provider === "google") return (await googleProvider(config, fetch))(model);
  return (await bedrockProvider(config, fetch))(model);
}

const settingsOf = ({ apiKey, endpoint, customHeaders }: ModelConfig, fetch: typeof globalThis.fetch) => ({
  base: endpoint.replace(/\/+$/, ""),
  given: { apiKey, fetch, headers: Object.fromEntries(customHeaders) },
});

export async function googleProvider(
  config: ModelConfig,
  fetch: typeof globalThis.fetch,
): Promise<GoogleProvider> {
  const { createGoogle } = await import("@ai-sdk/google");
  const { base, given } = settingsOf(config, fetch);
  return createGoogle({ ...given, ...(base === "" ? {} : { baseURL: base }) });
}

export async function bedrockProvider(
  config: ModelConfig,
  fetch: typeof globalThis.fetch,
): Promise<AmazonBedrockProvider> {
  const { base, given } = settingsOf(config, fetch);
  if (base === "" || config.apiKey === "")
    throw unavailable("Bedrock needs the endpoint of a region and a key.");
  const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
  return createAmazonBedrock({ ...given, region: "us-east-1", baseURL: base });
}

/** `fetch` for the packages: one request with retries; only successful responses are returned, errors are thrown. */
export function createFetch(deps: ModelDeps, mask: Mask): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const answer = await openAnswer(deps, {
      url: input instanceof Request ? input.url : String(input),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === "string" ? init.body : "",
      signal: init.signal ?? new AbortController().signal,
      mask,
    });
    return new Response(bodyOf(answer), { status: answer.status, headers: answer.headers });
  };
}

function bodyOf(answer: OutboundStream): ReadableStream<Uint8Array> {
  const iterator = answer.body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(new Uint8Array(value));
      } catch (error) {
        controller.error(failureOf(error) ?? error);
      }
    },
    cancel: () => answer.cancel(),
  });
}

function createPartReader(mask: Mask) {
  let calls = 0;
  let last: ModelPart | null = null;
  return {
    *push(part: SdkPart): Generator<ModelPart> {
      if (part.type === "text-delta" && part.delta !== "") yield { type: "text", delta: part.delta };
      else if (part.type === "tool-call") {
        const { toolCallId: id, toolName: name, input, providerMetadata: meta } = part;
        const index = calls++;
        yield { type: "call", index, id, name, ...(meta ? { meta } : {}) };
        yield { type: "arguments", index, delta: input };
      } else if (part.type === "error") throw failureOfPart(part.error, mask);
      else if (part.type === "finish") last = endOf(part, calls);
    },
    end(): ModelPart {
      if (last === null) throw unavailable("The answer of the model was cut off.");
      return last;
    },
  };
}

/** The packages pass on what a stream says as it is; what they and we throw are errors. */
const failureOfPart = (error: unknown, mask: Mask): Failure =>
  (error instanceof Error ? failureOf(error) : null) ?? refusalInStream(mask.json(error));

function endOf({ finishReason, usage }: Extract<SdkPart, { type: "finish" }>, calls: number): ModelPart {
  const { unified } = finishReason;
  if (unified === "content-filter") throw contentFiltered();
  if (unified === "error" || unified === "interrupted")
    throw unavailable("The answer of the model was cut off.");
  const finish = calls > 0 ? "calls" : unified === "length" ? "length" : "stop";
  const { inputTokens, outputTokens } = usage;
  const isReported = inputTokens.total !== undefined || outputTokens.total !== undefined;
  const reported = {
    input: inputTokens.total ?? 0,
    output: outputTokens.total ?? 0,
    cached: inputTokens.cacheRead ?? 0,
  };
  return { type: "end", finish, usage: isReported ? reported : null };
}

/** All these packages have the same model interface. */
type SdkModel = ReturnType<AnthropicProvider["languageModel"]>;
type SdkOptions = Parameters<SdkModel["doStream"]>[0];
type SdkMessage = SdkOptions["prompt"][number];
type SdkStream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];
type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never;

function sdkTools(tools: ModelRequest["tools"]): NonNullable<SdkOptions["tools"]> {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    inputSchema: parameters,
  }));
}

function sdkPrompt(messages: readonly ModelMessage[]): SdkOptions["prompt"] {
  const names = new Map<string, string>();
  const prompt: SdkMessage[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const { id, name } of message.calls) names.set(id, name);
      prompt.push({ role: "assistant", content: assistantContent(message) });
    } else if (message.role === "tool") {
      const output = { type: "text", value: message.content } as const;
      const toolName = names.get(message.callId) ?? "";
      const result = { type: "tool-result", toolCallId: message.callId, toolName, output } as const;
      const last = prompt.at(-1);
      // The results of one model turn are one message.
      if (last?.role === "tool") last.content.push(result);
      else prompt.push({ role: "tool", content: [result] });
    } else if (message.role === "system") prompt.push({ role: "system", content: message.content });
    else prompt.push({ role: "user", content: [{ type: "text", text: message.content }] });
  }
  return prompt;
}

type AssistantContent = Extract<SdkMessage, { role: "assistant" }>["content"];

/** Some providers refuse empty texts, so they are left out. */
const assistantContent = ({
  content,
  calls,
}: Extract<ModelMessage, { role: "assistant" }>): AssistantContent => [
  ...(content === "" ? [] : [{ type: "text" as const, text: content }]),
  ...calls.map((call) => ({
    type: "tool-call" as const,
    toolCallId: call.id,
    toolName: call.name,
    // It was made JSON of an object by `sendable`.
    input: JSON.parse(call.arguments) as object,
    ...(call.meta ? { providerOptions: call.meta as Record<string, never> } : {}),
  })),
];
