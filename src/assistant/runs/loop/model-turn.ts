/** One model turn: streams its text while it arrives and returns its tool calls when they are complete. */
import { Failure } from "../../../platform/errors/failure.ts";
import { abortOutcome } from "../../tools/call-metrics.ts";
import type { ModelMessage, ModelPart, ModelTool, ModelToolCall, ModelUsage } from "../../models/model.ts";
import { addCost, costOf } from "./policy.ts";
import { estimateTokens, totalTokens } from "./prompt.ts";
import { LimitReached, type RunContext } from "./run-context.ts";

export interface ModelTurn {
  text: string;
  calls: ModelToolCall[];
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

/** Longest arguments of one call. */
const maxArgumentChars = 200_000;
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
  const messageId = `${run.id}-${(state.nextMessage += 1)}`;
  let text = "";
  let usage: ModelUsage | null = null;
  let isTruncated = false;
  let ignoredCalls = 0;
  const calls = new Map<number, ModelToolCall>();
  const startedAt = performance.now();
  let outcome = "ok";
  const maxTextChars = tokensLeft * mostCharsPerToken;
  const showText = (delta: string, isFirst: boolean): void => {
    if (isFirst) writer.push({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" });
    writer.push({ type: "TEXT_MESSAGE_CONTENT", messageId, delta });
  };
  const addPart = (part: ModelPart): void => {
    if (part.type === "text") {
      const delta = withoutNul(part.delta);
      if (request.isShown) showText(delta, text === "");
      text += delta;
      if (text.length > maxTextChars) throw new LimitReached("tokens");
    } else if (part.type === "call" && calls.size >= maxCalls) ignoredCalls += 1;
    else if (part.type === "call") {
      calls.set(part.index, {
        id: `call_${run.id.slice(-12)}_${(state.nextCall += 1)}`,
        name: part.name,
        arguments: "",
        ...(part.meta === undefined ? {} : { meta: part.meta }),
      });
    } else if (part.type === "arguments") {
      const call = calls.get(part.index);
      if (call && call.arguments.length < maxArgumentChars) call.arguments += part.delta;
    } else {
      ({ usage } = part);
      isTruncated = part.finish === "length";
    }
  };
  try {
    const asked = { ...request, conversation: run.sessionId };
    for await (const parts of model.stream(asked, context.signal)) {
      for (const part of parts) addPart(part);
      if (text.length >= (request.maxChars ?? Infinity)) break;
      // The model is read no faster than the log is written.
      if (parts.at(-1)?.type !== "end") await writer.beforeNextWrite();
    }
  } catch (error) {
    outcome = outcomeOf(error, context.signal);
    throw error;
  } finally {
    context.metrics.modelTurn(model.model, outcome, (performance.now() - startedAt) / 1_000);
    if (request.isShown && text !== "") {
      writer.push({ type: "TEXT_MESSAGE_END", messageId });
      if (text.trim() !== "") state.best = text;
    }
    recordUse(context, request, usage ?? estimate(request, text));
  }
  return { text, calls: [...calls.values()], ignoredCalls, isTruncated };
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
