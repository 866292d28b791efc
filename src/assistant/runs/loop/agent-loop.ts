/**
 * The loop of one agent: a model turn, its tool calls, their results, the next model turn. All state is in the frame, which
 * is stored between turns; so a run that waits for the user, or whose process is gone, continues from there.
 */
import type { Frame, OpenCall } from "./run-state.ts";
import type { RunAgent } from "../../agents/run-agent.ts";
import { answerCalls } from "./calls.ts";
import type { ModelTool } from "../../models/model.ts";
import { withoutCalls } from "./memory.ts";
import { compact, estimateTokens, lastTurnPrompt, systemPrompt, totalTokens } from "./prompt.ts";
import { LimitReached, type RunContext } from "./run-context.ts";
import { selectTools, type ToolSelection } from "./tool-selection.ts";
import { runModelTurn } from "./model-turn.ts";
import { toolboxOf } from "./toolbox.ts";

/** The answer; null when the agent waits for an approval. */
export async function runAgent(context: RunContext, frame: Frame): Promise<string | null> {
  const agent = await context.loadAgent(frame.agentId);
  if (agent === null || !agent.enabled) return "This agent is not available any more.";
  if (frame.path.length === 0) frame.path.push(agent.label);
  const { settings, state } = context;
  const depth = frame.path.length;
  for (;;) {
    const selection = await selectTools(context, { agent, frame });
    const toolbox = toolboxOf({ agent, selection, mayAsk: depth < settings.budgets.depth });
    if (frame.calls.length > 0) {
      await answerCalls(context, { agent, frame, selection, toolbox, runChild: runAgent });
      if (frame.calls.some(({ result }) => result === null)) return null;
      for (const { id, result } of frame.calls) {
        frame.messages.push({ role: "tool", callId: id, content: result ?? "" });
      }
      frame.calls = [];
      if (depth === 1) await context.checkpoint();
      continue;
    }
    const isLast = state.steps + 1 >= settings.budgets.steps && toolbox.tools.length > 0;
    const tools = isLast ? [] : toolbox.tools;
    const { text, calls } = await runModelTurn(context, {
      agent: agent.name,
      messages: messagesOf(context, { agent, frame, selection, tools, isLast }),
      tools,
      isShown: depth === 1,
    });
    if (calls.length === 0) {
      if (isLast && state.toolCalls > 0) throw new LimitReached("steps");
      return text;
    }
    if (isLast) throw new LimitReached("steps");
    const limited = calls.slice(0, Math.max(settings.budgets.toolCalls - state.toolCalls, 0));
    if (limited.length === 0) throw new LimitReached("tool calls");
    state.toolCalls += limited.length;
    frame.messages.push({ role: "assistant", content: text, calls: limited });
    frame.calls = limited.map((call): OpenCall => ({ ...call, result: null, child: null, approvalId: null }));
  }
}

/** The share of the context for the prompt; the rest is for the answer and for errors of the estimate. */
const windowShare = 0.75;

function messagesOf(
  { settings, state, situation }: RunContext,
  {
    agent,
    frame,
    selection,
    tools,
    isLast,
  }: {
    agent: RunAgent;
    frame: Frame;
    selection: ToolSelection;
    tools: readonly ModelTool[];
    isLast: boolean;
  },
) {
  const content = systemPrompt(agent, {
    loaded: frame.loaded,
    skills: selection.shownSkills,
    situation,
    nonce: state.nonce,
  });
  const system = { role: "system", content: isLast ? `${content}\n\n${lastTurnPrompt}` : content } as const;
  const offered = estimateTokens(JSON.stringify(tools));
  const limit = settings.models.contextTokens * windowShare - totalTokens([system]) - offered;
  const messages = compact(frame.messages, limit);
  return [system, ...(tools.length === 0 ? withoutCalls(messages, state.nonce) : messages)];
}
