/**
 * The loop of one agent: a model turn, its tool calls, their results, the next model turn. All state is in the frame, which
 * is stored between turns; so a run that waits for the user, or whose process is gone, continues from there.
 */
import { inSpan, type SpanStart } from "../../../platform/telemetry/spans.ts";
import type { RunEvent } from "../log/ag-ui.ts";
import type { Frame, OpenCall } from "./run-state.ts";
import type { RunAgent } from "../../agents/run-agent.ts";
import { answerCalls, endOpenCalls } from "./calls.ts";
import type { ModelTool } from "../../models/model.ts";
import { withoutCalls } from "./memory.ts";
import { closingPrompt, compact, estimateTokens, systemPrompt, totalTokens } from "./prompt.ts";
import { LimitReached, type RunContext } from "./run-context.ts";
import { selectTools, type ToolSelection } from "./tool-selection.ts";
import { maxCalls, runModelTurn, type ModelTurn } from "./model-turn.ts";
import { toolboxOf } from "./toolbox.ts";

/** The answer; null when the agent waits for an approval. */
export async function runAgent(context: RunContext, frame: Frame): Promise<string | null> {
  const agent = await context.loadAgent(frame.agentId);
  if (agent === null || !agent.enabled) {
    const text = "This agent is not available any more.";
    if (frame.path.length <= 1) writeMessage(context, text);
    return text;
  }
  if (frame.path.length === 0) frame.path.push(agent.label);
  const name = `invoke_agent ${agent.name}`;
  const named = { "gen_ai.agent.name": agent.name, "gen_ai.agent.id": agent.id };
  if (frame.path.length === 1) {
    context.span?.rename(name);
    context.span?.set(named);
    return loop(context, agent, frame);
  }
  const { id, sessionId } = context.run;
  const start: SpanStart<"agent"> = {
    name,
    attributes: () => ({
      ...named,
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.conversation.id": sessionId,
      "plinth.run.id": id,
    }),
  };
  return inSpan("agent", start, () => loop(context, agent, frame));
}

/** Shows an answer of the run that is not of the model. */
export function writeMessage({ run, writer }: RunContext, text: string): void {
  const messageId = `${run.id}-end`;
  writer.push({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" });
  writer.push({ type: "TEXT_MESSAGE_CONTENT", messageId, delta: text });
  writer.push({ type: "TEXT_MESSAGE_END", messageId });
}

async function loop(context: RunContext, agent: RunAgent, frame: Frame): Promise<string | null> {
  const { settings } = context;
  const depth = frame.path.length;
  for (;;) {
    const selection = await selectTools(context, { agent, frame });
    const toolbox = toolboxOf({ agent, selection, mayAsk: depth < settings.budgets.depth });
    if (frame.calls.length > 0) {
      await answerCalls(context, { agent, frame, selection, toolbox, runChild: runAgent });
      if (frame.calls.some(({ result }) => result === null)) return null;
      const isUseless = takeResults(frame);
      if (depth === 1) await context.checkpoint();
      if (isUseless) throw new LimitReached("tool calls");
      continue;
    }
    const { tools } = toolbox;
    const turn = await runModelTurn(context, {
      agent: agent.name,
      messages: messagesOf(context, { agent, frame, selection, tools }),
      tools,
      isShown: depth === 1,
    });
    if (turn.calls.length === 0) {
      if (depth === 1) context.state.truncated = turn.isTruncated;
      return turn.text;
    }
    takeCalls(context, frame, turn);
  }
}

/** Moves the results of a turn to its messages; true when none of its calls was made. */
function takeResults(frame: Frame): boolean {
  const isUseless = frame.calls.every(({ dropped }) => dropped !== undefined);
  for (const { id, result } of frame.calls) {
    frame.messages.push({ role: "tool", callId: id, content: result ?? "" });
  }
  frame.calls = [];
  return isUseless;
}

/** Opens the calls of a turn. Those over a limit are answered without being made, so that the model learns of them. */
function takeCalls({ settings, state, writer }: RunContext, frame: Frame, turn: ModelTurn): void {
  const { calls, message, ignoredCalls } = turn;
  const limit = settings.budgets.toolCalls;
  const made = Math.min(calls.length, Math.max(limit - state.toolCalls, 0));
  state.toolCalls += made;
  frame.messages.push(message);
  const dropped = `Error: this call was not made: the run may make ${limit} tool calls, and has none left for it.`;
  frame.calls = calls.map(({ id, name, arguments: given }, index): OpenCall => ({
    id,
    name,
    arguments: given,
    result: null,
    child: null,
    approvalId: null,
    ...(index < made ? {} : { dropped }),
  }));
  const last = frame.calls.at(-1);
  if (last !== undefined && ignoredCalls > 0) {
    last.note = `${ignoredCalls} more calls of your answer were not made: at most ${maxCalls} are taken at once. Ask again for them.`;
  }
  const ids = calls.slice(made).map(({ id }) => id);
  if (ids.length > 0) writer.push(droppedEvent("tool calls", { count: ids.length, ids }));
  if (ignoredCalls > 0) writer.push(droppedEvent("calls of one answer", { count: ignoredCalls, ids: [] }));
}

const droppedEvent = (limit: string, { count, ids }: { count: number; ids: string[] }): RunEvent => ({
  type: "CUSTOM",
  name: "calls_dropped",
  value: { limit, count, tool_call_ids: ids },
});

const closingMs = 30_000;

/**
 * The answer of the first agent at a limit: one model turn without tools. Null when it fails, or takes too long; then the best
 * answer so far stands. Rejects when the run is cancelled or lost meanwhile; `stop` is aborted then.
 */
export async function closeWithAnswer(
  context: RunContext,
  limit: string,
  stop: AbortSignal,
): Promise<string | null> {
  const { state } = context;
  const { root: frame, best } = state;
  endOpenCalls(context, frame, limit);
  takeResults(frame);
  const signal = AbortSignal.any([stop, AbortSignal.timeout(closingMs)]);
  const closing = { ...context, signal };
  try {
    const agent = await context.loadAgent(frame.agentId);
    if (agent === null) return null;
    const selection = { shownSkills: [] };
    const turn = await runModelTurn(closing, {
      agent: agent.name,
      messages: messagesOf(closing, { agent, frame, selection, tools: [], limit }),
      tools: [],
      isShown: true,
      isClosing: true,
    });
    state.truncated = turn.isTruncated;
    return turn.text.trim() === "" ? null : turn.text;
  } catch (error) {
    stop.throwIfAborted();
    state.best = best;
    context.log.warn({ runId: context.run.id, reason: (error as Error).message }, "the closing step failed");
    return null;
  }
}

/** The share of the context for the prompt; the rest is for the answer and for errors of the estimate. */
const windowShare = 0.75;

interface Prompt {
  agent: RunAgent;
  frame: Frame;
  selection: Pick<ToolSelection, "shownSkills">;
  tools: readonly ModelTool[];
  /** The limit that was reached, in the closing step. */
  limit?: string;
}

function messagesOf(
  { settings, state, situation }: RunContext,
  { agent, frame, selection, tools, limit }: Prompt,
) {
  const content = systemPrompt(agent, {
    loaded: frame.loaded,
    skills: selection.shownSkills,
    situation,
    nonce: state.nonce,
  });
  const system = {
    role: "system",
    content: limit === undefined ? content : `${content}\n\n${closingPrompt(limit)}`,
  } as const;
  const offered = estimateTokens(JSON.stringify(tools));
  const left = settings.models.contextTokens * windowShare - totalTokens([system]) - offered;
  const messages = compact(frame.messages, left);
  return [system, ...(tools.length === 0 ? withoutCalls(messages, state.nonce) : messages)];
}
