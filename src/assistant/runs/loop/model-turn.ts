/** One model turn: streams its text while it arrives and returns its tool calls when they are complete. */
import { Failure } from "../../../platform/errors/failure.ts";
import { abortOutcome } from "../../tools/call-metrics.ts";
import type {
  AssistantMessage,
  ModelMessage,
  ModelPart,
  ModelTool,
  ModelToolCall,
  ModelUsage,
} from "../../models/model.ts";
import { addCost, costOf } from "./policy.ts";
import { estimateTokens, totalTokens } from "./prompt.ts";
import { LimitReached, type RunContext } from "./run-context.ts";

export interface ModelTurn {
  text: string;
  calls: ModelToolCall[];
  /** The same as a message of the conversation, with what the provider wants back. */
  message: AssistantMessage;
  /** Calls of the answer beyond those that are taken. */
  ignoredCalls: number;
  /** The model stopped in the middle of its answer. */
  isTruncated: boolean;
}

export interface ModelTurnRequest {
  agent: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  /** Whether the text is shown to the user, as that of the first agent is. */
  isShown: boolean;
  /** The one turn that is left at a limit: it counts to no budget, and its length has a limit of its own. */
  isClosing?: boolean;
  /** The answer is not read beyond about so many characters. Other than a limit in tokens, it leaves a model that thinks first its thoughts. */
  maxChars?: number;
}

/** Longest arguments of one call, and longest thoughts that are kept of one turn. */
const maxArgumentChars = 200_000;
const maxThoughtChars = 200_000;
/** Longest id, and longest metadata, that a provider may give a tool call. The signature of a thought has some ten thousand characters. */
const maxRetainedChars = 200_000;
/** Calls of one answer that are taken; providers refuse messages with more. */
export const maxCalls = 128;
const closingTokens = 8_000;

export async function runModelTurn(context: RunContext, request: ModelTurnRequest): Promise<ModelTurn> {
  const { state, settings, model, writer, run } = context;
  const { budgets } = settings;
  const tokensLeft = request.isClosing === true ? closingTokens : budgets.tokens - state.tokens;
  if (request.isClosing !== true && state.steps >= budgets.steps) throw new LimitReached("steps");
  if (tokensLeft <= 0) throw new LimitReached("tokens");
  state.steps += 1;
  const answer = createAnswer(context, request, tokensLeft * mostCharsPerToken);
  const startedAt = performance.now();
  let outcome = "ok";
  try {
    const asked = { ...request, conversation: run.sessionId };
    for await (const parts of model.stream(asked, context.signal)) {
      for (const part of parts) answer.add(part);
      if (answer.read.text.length >= (request.maxChars ?? Infinity)) break;
      // The model is read no faster than the log is written.
      if (parts.at(-1)?.type !== "end") await writer.beforeNextWrite();
    }
  } catch (error) {
    outcome = outcomeOf(error, context.signal);
    throw error;
  } finally {
    context.metrics.modelTurn(model.model, outcome, (performance.now() - startedAt) / 1_000);
    answer.close();
    const { text, thoughts, usage } = answer.read;
    recordUse(context, request, usage ?? estimate(request, text + thoughts));
  }
  const { text, thoughts, ignoredCalls, isTruncated } = answer.read;
  const calls = [...answer.read.calls.values()];
  const retained =
    thoughts === "" || calls.length === 0 ? {} : { thoughts: thoughts.slice(0, maxThoughtChars) };
  const message: AssistantMessage = {
    role: "assistant",
    content: text,
    calls,
    origin: model.origin,
    ...retained,
  };
  return { text, calls, message, ignoredCalls, isTruncated };
}

interface ReadAnswer {
  text: string;
  thoughts: string;
  calls: Map<number, ModelToolCall>;
  ignoredCalls: number;
  isTruncated: boolean;
  usage: ModelUsage | null;
}

/** Takes the parts of an answer and shows its text. Longer texts and thoughts than `maxChars` together throw LimitReached. */
function createAnswer(context: RunContext, { isShown }: ModelTurnRequest, maxChars: number) {
  const { state, writer, run } = context;
  const messageId = `${run.id}-${(state.nextMessage += 1)}`;
  const read: ReadAnswer = {
    text: "",
    thoughts: "",
    calls: new Map(),
    ignoredCalls: 0,
    isTruncated: false,
    usage: null,
  };
  const show = (delta: string): void => {
    if (read.text === "") writer.push({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" });
    writer.push({ type: "TEXT_MESSAGE_CONTENT", messageId, delta });
  };
  const addText = (part: Extract<ModelPart, { type: "text" | "thoughts" }>): void => {
    const delta = withoutNul(part.delta);
    if (isShown && part.type === "text") show(delta);
    read[part.type] += delta;
    if (read.text.length + read.thoughts.length > maxChars) throw new LimitReached("tokens");
  };
  const addCall = (part: Extract<ModelPart, { type: "call" }>): void => {
    if (read.calls.size >= maxCalls) read.ignoredCalls += 1;
    else {
      const id = `call_${run.id.slice(-12)}_${(state.nextCall += 1)}`;
      read.calls.set(part.index, { id, name: part.name, arguments: "", ...retainedOf(part) });
    }
  };
  return {
    read,
    add(part: ModelPart): void {
      if (part.type === "text" || part.type === "thoughts") addText(part);
      else if (part.type === "call") addCall(part);
      else if (part.type === "arguments") {
        const call = read.calls.get(part.index);
        if (call && call.arguments.length < maxArgumentChars) call.arguments += part.delta;
      } else {
        read.usage = part.usage;
        read.isTruncated = part.finish === "length";
      }
    },
    close(): void {
      if (!isShown || read.text === "") return;
      writer.push({ type: "TEXT_MESSAGE_END", messageId });
      if (read.text.trim() !== "") state.best = read.text;
    },
  };
}

/** What the provider of a call wants back with it. */
function retainedOf({
  id,
  meta,
}: Extract<ModelPart, { type: "call" }>): Pick<ModelToolCall, "givenId" | "meta"> {
  return {
    ...(id === "" || id.length > maxRetainedChars ? {} : { givenId: id }),
    ...(meta === undefined || JSON.stringify(meta).length > maxRetainedChars ? {} : { meta }),
  };
}

/** PostgreSQL stores no NUL. Surrogates are left alone: the other half of a pair may come with the next piece. */
const withoutNul = (text: string): string => text.replaceAll("\0", "\ufffd");

function outcomeOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof LimitReached) return "limit";
  if (signal.aborted) return abortOutcome(signal);
  return error instanceof Failure ? error.code : "failed";
}

/** Stops a model that never ends at the token budget, before it reports its usage. */
const mostCharsPerToken = 8;

/** The usage of models that do not report it, and of turns that broke off. */
const estimate = (request: Pick<UsingTurn, "messages">, text: string): ModelUsage => ({
  input: totalTokens(request.messages),
  output: estimateTokens(text),
  cached: 0,
});

/** Counts turns of the first agent that ended with their process. Nobody knows what they used: it is estimated. */
export async function recordBroken(context: RunContext, texts: readonly string[]): Promise<void> {
  const { root } = context.state;
  if (texts.length === 0 || root.calls.length > 0) return;
  const agent = (await context.loadAgent(root.agentId))?.name ?? "";
  const request = { agent, messages: root.messages, isShown: true };
  for (const text of texts) recordUse(context, request, estimate(request, text));
}

type UsingTurn = Pick<ModelTurnRequest, "agent" | "messages" | "isShown">;

function recordUse(context: RunContext, { agent, isShown }: UsingTurn, usage: ModelUsage): void {
  const { model, settings, state, uses, now } = context;
  state.tokens += usage.input + usage.output;
  const cost = costOf(model.model, usage, settings.prices);
  state.used.input_tokens += usage.input;
  state.used.output_tokens += usage.output;
  state.used.cached_tokens += usage.cached;
  state.used.cost = addCost(state.used.cost, cost);
  uses.push({ at: now(), agent, model: model.model, ...usage, cost, isShown });
}
