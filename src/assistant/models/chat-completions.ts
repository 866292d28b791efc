/** A client of the Chat Completions protocol: OpenAI, Azure OpenAI and compatible servers. */
import { Failure } from "../../platform/errors/failure.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import type { Mask } from "../../platform/lib/secrets/mask.ts";
import type { OutboundStream } from "../../platform/outbound/stream.ts";
import type { ModelConfig } from "./read-model.ts";
import {
  answerLimit,
  chatEndpoint,
  failureOf,
  openAnswer,
  readWhole,
  refusalInStream,
  type ModelDeps,
  contentFiltered,
  unavailable,
  createSecretFilter,
  maskOf,
} from "./open-answer.ts";
import {
  isJsonObject,
  originOf,
  sendable,
  type ModelClient,
  type ModelPart,
  type ModelMessage,
  type ModelRequest,
  type ModelUsage,
} from "./model.ts";

export function createChatClient(deps: ModelDeps, config: ModelConfig): ModelClient {
  const { url, headers, model } = chatEndpoint(config);
  const mask = maskOf(config);
  const origin = originOf(config);
  let insistsOnThoughts = false;
  const open = (request: ModelRequest, signal: AbortSignal): Promise<OutboundStream> => {
    const messages = sendable(request.messages, origin).map((each) => wireMessage(each, insistsOnThoughts));
    const body = JSON.stringify(chatBody({ ...config, model }, request, messages));
    return openAnswer(deps, { url, headers, body, signal, mask });
  };
  const openOrRepeat = (request: ModelRequest, signal: AbortSignal): Promise<OutboundStream> =>
    open(request, signal).catch((error: unknown) => {
      if (insistsOnThoughts || !wantsThoughts(error)) throw error;
      insistsOnThoughts = true;
      return open(request, signal);
    });
  return {
    model,
    origin,
    async *stream(request, signal) {
      const hiding = createSecretFilter(mask);
      const answer = await openOrRepeat(request, signal);
      try {
        if (answer.headers["content-type"]?.startsWith("application/json") === true) {
          yield hiding.push(completionParts(await readWhole(answer), mask));
          return;
        }
        const read = recordReader(deps.limits.answerBytes, mask);
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

/** DeepSeek and Kimi refuse calls without thoughts while they think themselves: those that another model, or an older program, has made. */
const wantsThoughts = (error: unknown): boolean =>
  error instanceof Failure && error.code === "model_unavailable" && /reasoning_content/.test(error.message);

interface Records {
  parts: ModelPart[];
  /** The error after these parts. */
  broken: Error | null;
  isEnd: boolean;
}

/** Takes one piece of the body after the other, and null at its end. */
function recordReader(maxBytes: number, mask: Mask): (piece: Buffer | null) => Records {
  const lines = dataLines(maxBytes);
  const chunks = createChunkReader(mask);
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

/**
 * Reads Server-Sent Events. Only `data` lines matter: each record of a model is one, and empty ones are none. Lines end with CR, LF or
 * both; those longer than `maxChars` throw a RangeError.
 */
export function dataLines(maxChars: number): LineReader {
  const decoder = new TextDecoder();
  let rest = "";
  return {
    push(piece) {
      const ended = (rest + decoder.decode(piece, { stream: true })).split(/[\r\n]/);
      rest = ended.pop() ?? "";
      if (rest.length > maxChars) throw new RangeError("a line is too long");
      return ended
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice("data:".length).trim())
        .filter((data) => data !== "");
    },
  };
}

// Requests of the Chat Completions protocol, and the chunks of its responses.

function chatBody(
  config: Pick<ModelConfig, "provider" | "model" | "apiVersion">,
  { tools, maxTokens }: ModelRequest,
  messages: object[],
): object {
  return {
    model: config.model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: "function", function: tool })) }),
    ...(maxTokens === undefined ? {} : answerLimit(config, maxTokens)),
  };
}

/** In place of thoughts that were not kept; servers that insist on them refuse an empty text. */
const noThoughts = "(not kept)";

function wireMessage(message: ModelMessage, insistsOnThoughts: boolean): object {
  if (message.role === "tool")
    return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "assistant" || message.calls.length === 0) {
    return { role: message.role, content: message.content };
  }
  const thoughts = message.thoughts ?? (insistsOnThoughts ? noThoughts : undefined);
  return {
    role: "assistant",
    content: message.content === "" ? null : message.content,
    ...(thoughts === undefined ? {} : { reasoning_content: thoughts }),
    tool_calls: message.calls.map(({ id, name, arguments: text, meta }) => ({
      id,
      type: "function",
      function: { name, arguments: text },
      // What an older program has kept, without an origin, was of a provider with a package.
      ...(meta === undefined || message.origin === undefined ? {} : { extra_content: meta }),
    })),
  };
}

interface WireCall {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
  /** Gemini's signature of its thoughts, for one. */
  extra_content?: unknown;
}

interface WireChunk {
  /** "error" in the flat form of vLLM's and Mistral's errors. */
  object?: unknown;
  choices?: { delta?: WireDelta; message?: WireDelta; finish_reason?: unknown }[] | null;
  usage?: WireUsage | null;
  error?: unknown;
}

interface WireDelta {
  /** Text, or a list of parts. */
  content?: unknown;
  reasoning_content?: unknown;
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

function createChunkReader(mask: Mask): ChunkReader {
  const calls = createCallReader();
  let finish: "stop" | "calls" | "length" | null = null;
  let usage: ModelUsage | null = null;
  return {
    read(data) {
      const chunk = parse(data);
      if (chunk === null) return [];
      if (Boolean(chunk.error) || chunk.object === "error") throw refusalInStream(mask.json(chunk));
      if (chunk.usage) usage = usageOf(chunk.usage);
      const choice = chunk.choices?.[0];
      if (choice === undefined) return [];
      const parts: ModelPart[] = [];
      const delta = choice.delta ?? choice.message;
      const thoughts = textOf(delta?.reasoning_content);
      if (thoughts !== "") parts.push({ type: "thoughts", delta: thoughts });
      const text = contentOf(delta?.content) || textOf(delta?.refusal);
      if (text !== "") parts.push({ type: "text", delta: text });
      if (Array.isArray(delta?.tool_calls)) {
        parts.push(...delta.tool_calls.flatMap((call, position) => calls.read(call, position)));
      }
      // Some servers have an empty one in each chunk.
      if (textOf(choice.finish_reason) !== "") finish = finishOf(textOf(choice.finish_reason));
      return parts;
    },
    end() {
      if (finish === null) throw unavailable("The answer of the model was cut off.");
      return { type: "end", finish: calls.hasAny() && finish === "stop" ? "calls" : finish, usage };
    },
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Of a list of parts, such as Mistral's, the texts; its thoughts are not asked for again. */
const contentOf = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part) => (isRecord(part) && part["type"] === "text" ? textOf(part["text"]) : "")).join("")
    : textOf(content);

/** Some servers give the arguments as an object instead of its JSON. */
const argumentsOf = (value: unknown): string => (isRecord(value) ? JSON.stringify(value) : textOf(value));

/** The calls of one answer, put together from their pieces. */
function createCallReader() {
  const callOf = createCallFinder();
  let hasAny = false;
  return {
    hasAny: () => hasAny,
    read(wire: WireCall, position: number): ModelPart[] {
      const id = textOf(wire.id);
      const name = textOf(wire.function?.name);
      const given = argumentsOf(wire.function?.arguments);
      const place = typeof wire.index === "number" ? wire.index : position;
      const found = callOf({ place, id, name, given });
      if (found === null) return [];
      const { call, isNew } = found;
      hasAny = true;
      call.given += given;
      const meta = wire.extra_content;
      const parts: ModelPart[] = [];
      if (isNew) {
        parts.push({ type: "call", index: call.index, id, name, ...(isRecord(meta) ? { meta } : {}) });
      }
      if (given !== "") parts.push({ type: "arguments", index: call.index, delta: given });
      return parts;
    },
  };
}

interface ReadCall {
  index: number;
  id: string;
  name: string;
  /** Its arguments so far. */
  given: string;
}

interface CallPiece {
  place: number;
  id: string;
  name: string;
  given: string;
}

/**
 * Numbers the calls of an answer from 0 on. Each piece of a call has its index, but some servers give all calls the same one: there, a
 * piece with a name and another id begins a call, or one without an id after a call that is complete. Null for a piece of no call.
 */
function createCallFinder() {
  const byId = new Map<string, ReadCall>();
  const latest = new Map<number, ReadCall>();
  let next = 0;
  return ({ place, id, name, given }: CallPiece): { call: ReadCall; isNew: boolean } | null => {
    const key = `${place} ${id}`;
    const last = latest.get(place);
    const isOther = last !== undefined && id !== "" && id !== last.id;
    const isAfter = last !== undefined && id === "" && beginsAnother(last, { name, given });
    const known = isOther ? byId.get(key) : isAfter ? undefined : last;
    if (known !== undefined) return { call: known, isNew: false };
    if (name === "") return last === undefined ? null : { call: last, isNew: false };
    const call = { index: next++, id, name, given: "" };
    latest.set(place, call);
    byId.set(key, call);
    return { call, isNew: true };
  };
}

/** Whether a piece without an id is of another call. A server may repeat the name at the end of the same one. */
const beginsAnother = (last: ReadCall, { name, given }: Pick<CallPiece, "name" | "given">): boolean =>
  name !== "" &&
  (given !== "" || name !== last.name) &&
  last.given.trimEnd().endsWith("}") &&
  isJsonObject(last.given);

/** Null for what is no object, which says nothing. */
function parse(data: string): WireChunk | null {
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) ? value : null;
  } catch {
    throw unavailable("The model answered with something that is no JSON.");
  }
}

/** The parts of a response of a server that does not stream. */
function completionParts(text: string, mask: Mask): ModelPart[] {
  const reader = createChunkReader(mask);
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
