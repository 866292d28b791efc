/** A client of the Chat Completions protocol: OpenAI, Azure OpenAI and compatible servers. */
import type { ModelConfig } from "./read-model.ts";
import {
  answerLimit,
  chatEndpoint,
  failureOf,
  openAnswer,
  readWhole,
  type ModelDeps,
  contentFiltered,
  unavailable,
  createSecretFilter,
  maskOf,
} from "./open-answer.ts";
import type { ModelClient, ModelPart, ModelMessage, ModelRequest, ModelUsage } from "./model.ts";

export function createChatClient(deps: ModelDeps, config: ModelConfig): ModelClient {
  const { url, headers, model } = chatEndpoint(config);
  const mask = maskOf(config);
  return {
    model,
    async *stream(request, signal) {
      const body = JSON.stringify(chatBody({ ...config, model }, request));
      const hiding = createSecretFilter(mask);
      const answer = await openAnswer(deps, { url, headers, body, signal, mask });
      try {
        if (answer.headers["content-type"]?.startsWith("application/json") === true) {
          yield hiding.push(completionParts(await readWhole(answer)));
          return;
        }
        const read = recordReader(deps.limits.answerBytes);
        for await (const piece of answer.body) {
          const { parts, broken, isEnd } = read(piece);
          const shown = hiding.push(parts);
          if (shown.length > 0) yield shown;
          if (broken !== null) throw broken;
          if (isEnd) return;
        }
        const { parts, broken } = read(null);
        if (broken !== null) throw broken;
        yield hiding.push(parts);
      } catch (error) {
        const rest = hiding.rest();
        if (rest.length > 0) yield rest;
        throw failureOf(error) ?? error;
      }
    },
  };
}

interface Records {
  parts: ModelPart[];
  /** The error after these parts. */
  broken: Error | null;
  isEnd: boolean;
}

/** Takes one piece of the body after the other, and null at its end. */
function recordReader(maxBytes: number): (piece: Buffer | null) => Records {
  const lines = dataLines(maxBytes);
  const chunks = createChunkReader();
  return (piece) => {
    const parts: ModelPart[] = [];
    try {
      for (const data of piece === null ? ["[DONE]"] : lines.push(piece)) {
        if (data === "[DONE]") {
          parts.push(chunks.end());
          return { parts, broken: null, isEnd: true };
        }
        parts.push(...chunks.read(data));
      }
      return { parts, broken: null, isEnd: false };
    } catch (error) {
      return { parts, broken: error as Error, isEnd: true };
    }
  };
}

export interface LineReader {
  /** The data of the lines that this piece completes; pieces may be cut anywhere. */
  push(piece: Buffer): string[];
}

/** Reads Server-Sent Events. Only `data` lines matter: each record of a model is one. Lines longer than `maxChars` throw a RangeError. */
export function dataLines(maxChars: number): LineReader {
  const decoder = new TextDecoder();
  let rest = "";
  return {
    push(piece) {
      const text = rest + decoder.decode(piece, { stream: true });
      const found: string[] = [];
      let start = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
        if (text.startsWith("data:", start)) found.push(text.slice(start + 5, end).trim());
        start = end + 1;
      }
      rest = text.slice(start);
      if (rest.length > maxChars) throw new RangeError("a line is too long");
      return found;
    },
  };
}

// Requests of the Chat Completions protocol, and the chunks of its responses.

function chatBody(
  config: Pick<ModelConfig, "provider" | "model" | "apiVersion">,
  { messages, tools, maxTokens }: ModelRequest,
): object {
  return {
    model: config.model,
    messages: messages.map(wireMessage),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: "function", function: tool })) }),
    ...(maxTokens === undefined ? {} : answerLimit(config, maxTokens)),
  };
}

function wireMessage(message: ModelMessage): object {
  if (message.role === "tool")
    return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "assistant" || message.calls.length === 0) {
    return { role: message.role, content: message.content };
  }
  const calls = message.calls.map(({ id, name, arguments: text }) => ({
    id,
    type: "function",
    function: { name, arguments: text },
  }));
  return { role: "assistant", content: message.content === "" ? null : message.content, tool_calls: calls };
}

interface WireCall {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown };
}

interface WireChunk {
  choices?: { delta?: WireDelta; message?: WireDelta; finish_reason?: unknown }[];
  usage?: WireUsage | null;
  error?: { message?: unknown };
}

interface WireDelta {
  content?: unknown;
  refusal?: unknown;
  tool_calls?: WireCall[] | null;
}

interface WireUsage {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown } | null;
}

interface ChunkReader {
  /** The parts of one chunk. Throws a Failure when it can't be read. */
  read(data: string): ModelPart[];
  /** The last part. Throws when the response ended without a finish reason. */
  end(): ModelPart;
}

function createChunkReader(): ChunkReader {
  const numberOf = createCallNumbers();
  let hasCalls = false;
  let finish: "stop" | "calls" | "length" | null = null;
  let usage: ModelUsage | null = null;

  const readCall = (call: WireCall, position: number, parts: ModelPart[]): void => {
    const name = textOf(call.function?.name);
    const id = textOf(call.id);
    const found = numberOf({ place: typeof call.index === "number" ? call.index : position, id, name });
    if (found === null) return;
    const { index, isNew } = found;
    if (isNew) parts.push({ type: "call", index, id, name });
    hasCalls = true;
    const text = call.function?.arguments;
    if (typeof text === "string" && text !== "") parts.push({ type: "arguments", index, delta: text });
  };

  return {
    read(data) {
      const chunk = parse(data);
      if (chunk.error !== undefined) throw unavailable("The model broke off its answer with an error.");
      if (chunk.usage) usage = usageOf(chunk.usage);
      const choice = chunk.choices?.[0];
      if (choice === undefined) return [];
      const parts: ModelPart[] = [];
      const delta = choice.delta ?? choice.message;
      const text = delta?.content ?? delta?.refusal;
      if (typeof text === "string" && text !== "") parts.push({ type: "text", delta: text });
      if (Array.isArray(delta?.tool_calls)) {
        delta.tool_calls.forEach((call, position) => readCall(call, position, parts));
      }
      if (typeof choice.finish_reason === "string") finish = finishOf(choice.finish_reason);
      return parts;
    },
    end() {
      if (finish === null) throw unavailable("The answer of the model was cut off.");
      return { type: "end", finish: hasCalls && finish === "stop" ? "calls" : finish, usage };
    },
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Numbers the calls of an answer from 0 on. Each piece of a call has its index, but some servers give all calls the same one: there,
 * a piece with a name and another id begins a call. Null for a piece of no call.
 */
function createCallNumbers() {
  const byId = new Map<string, number>();
  const latest = new Map<number, { index: number; id: string }>();
  let next = 0;
  return ({ place, id, name }: { place: number; id: string; name: string }) => {
    const key = `${place} ${id}`;
    const last = latest.get(place);
    const isOther = last !== undefined && id !== "" && id !== last.id;
    const index = isOther ? byId.get(key) : last?.index;
    if (index !== undefined) return { index, isNew: false };
    if (name === "") return last === undefined ? null : { index: last.index, isNew: false };
    latest.set(place, { index: next, id });
    byId.set(key, next);
    return { index: next++, isNew: true };
  };
}

function parse(data: string): WireChunk {
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Thrown below.
  }
  throw unavailable("The model answered with something that is no JSON.");
}

/** The parts of a response of a server that does not stream. */
function completionParts(text: string): ModelPart[] {
  const reader = createChunkReader();
  const parts = reader.read(text);
  return [...parts, reader.end()];
}

function finishOf(reason: string): "stop" | "calls" | "length" {
  if (reason === "content_filter") throw contentFiltered();
  if (reason === "tool_calls" || reason === "function_call") return "calls";
  return reason === "length" ? "length" : "stop";
}

const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;

const usageOf = (usage: WireUsage): ModelUsage => ({
  input: count(usage.prompt_tokens),
  output: count(usage.completion_tokens),
  cached: count(usage.prompt_tokens_details?.cached_tokens),
});
