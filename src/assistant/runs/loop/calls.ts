/** The tool calls of one model turn: each is checked, authorized, made and answered; errors are results for the model. */
import { isRecord } from "../../../platform/lib/is-record.ts";
import { errorTypeOf, inSpan, type LiveSpan, type SpanStart } from "../../../platform/telemetry/spans.ts";
import { canonicalJson } from "../../../platform/lib/canonical-json.ts";
import { observeToolCall } from "../../tools/call-metrics.ts";
import type { ToolDefinition } from "../../tools/tool-source.ts";
import type { Frame, OpenCall } from "./run-state.ts";
import type { RunAgent } from "../../agents/run-agent.ts";
import { toolId } from "../../record-schema.ts";
import { searchTools, showFirst, type ToolSelection } from "./tool-selection.ts";
import { denialText, permitByUser, toolContext, verdictOfPolicies } from "./approval.ts";
import { permissionOf } from "./policy.ts";
import { asData } from "./prompt.ts";
import { LimitReached, type RunContext } from "./run-context.ts";
import type { Callable, Toolbox } from "./toolbox.ts";

export interface Calling {
  agent: RunAgent;
  frame: Frame;
  selection: ToolSelection;
  toolbox: Toolbox;
  runChild: (context: RunContext, frame: Frame) => Promise<string | null>;
}

/** Gives every open call its result, except those that wait for the user. */
export async function answerCalls(context: RunContext, calling: Calling): Promise<void> {
  const open = calling.frame.calls.filter(({ result }) => result === null);
  const { parallelToolCalls } = context.settings.budgets;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let call = open[next++]; call !== undefined; call = open[next++]) {
      await answerCall(context, calling, call);
      context.signal.throwIfAborted();
    }
  };
  const lanes = Array.from({ length: Math.min(parallelToolCalls, open.length) }, work);
  const ended = await Promise.allSettled(lanes);
  for (const lane of ended) if (lane.status === "rejected") throw lane.reason;
}

async function answerCall(context: RunContext, calling: Calling, call: OpenCall): Promise<void> {
  const isNew = call.shown !== true && call.child === null && call.approvalId === null;
  if (isNew) showCall(context, calling.frame, call);
  const result = call.dropped ?? (await resultOf(context, calling, { call, isNew }));
  if (result !== null) endCall(context, call, result);
}

function showCall({ writer, now }: RunContext, { callId }: Frame, call: OpenCall): void {
  call.shown = true;
  writer.push({
    type: "TOOL_CALL_START",
    toolCallId: call.id,
    toolCallName: call.name,
    ...(callId === undefined ? {} : { parentToolCallId: callId }),
    timestamp: now().getTime(),
  });
  if (call.arguments !== "") {
    writer.push({ type: "TOOL_CALL_ARGS", toolCallId: call.id, delta: call.arguments });
  }
  writer.push({ type: "TOOL_CALL_END", toolCallId: call.id });
}

/** Ends the open calls of a frame at a limit, and with them the steps of the agents that were called. */
export function endOpenCalls(context: RunContext, frame: Frame, limit: string): void {
  for (const call of frame.calls) {
    if (call.result !== null) continue;
    const said = call.child?.messages.findLast(({ role, content }) => role === "assistant" && content !== "");
    if (call.child !== null) {
      endOpenCalls(context, call.child, limit);
      context.writer.push({ type: "STEP_FINISHED", stepName: stepNameOf(call.child, call.id) });
    }
    if (call.shown !== true && call.child === null && call.approvalId === null)
      showCall(context, frame, call);
    const result = `Error: there is no result, because a limit of the run was reached (${limit}).`;
    const partial =
      said === undefined ? "" : ` The agent had said:\n${asData("agent", said.content, context.state.nonce)}`;
    endCall(context, call, result + partial);
  }
}

function endCall({ writer, run, now }: RunContext, call: OpenCall, result: string): void {
  call.result = call.note === undefined ? result : `${result}\n${call.note}`;
  call.child = null;
  writer.push({
    type: "TOOL_CALL_RESULT",
    messageId: `${run.id}-${call.id}`,
    toolCallId: call.id,
    content: call.result,
    role: "tool",
    timestamp: now().getTime(),
  });
}

/** Cuts before the text is marked as data, so that the mark is always closed. */
const cut = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars)}… (cut: ${text.length} characters)`;

/** The same call is made at most this often; the next one is refused, and one more ends the run. */
const maxSameCalls = 2;

async function resultOf(
  context: RunContext,
  calling: Calling,
  { call, isNew }: { call: OpenCall; isNew: boolean },
): Promise<string | null> {
  const { toolbox, frame } = calling;
  const callable = toolbox.find(call.name);
  if (callable === undefined) return `Error: there is no tool ${JSON.stringify(call.name)} here.`;
  const given = parseArguments(call.arguments);
  if (given === null) return "Error: the arguments are no JSON object.";
  if (isNew) {
    const key = `${frame.path.join("/")} ${call.name} ${canonicalJson(given)}`;
    const count = (context.state.seen[key] ?? 0) + 1;
    context.state.seen[key] = count;
    if (count > maxSameCalls + 1) throw new LimitReached("repeated calls");
    if (count > maxSameCalls) {
      return "Error: this very call was made twice already. Use its results, or answer with what you know.";
    }
  }
  return callableResult(context, calling, { callable, call, given });
}

interface Wanted {
  callable: Callable;
  call: OpenCall;
  given: Record<string, unknown>;
}

async function callableResult(
  context: RunContext,
  calling: Calling,
  { callable, call, given }: Wanted,
): Promise<string | null> {
  if (callable.kind === "skill") return loadSkill(context, calling, given);
  if (callable.kind === "find") return searchTools(context, calling, given["query"]);
  if (callable.kind === "agent") return askAgent(context, calling, { callable, call, given });
  return toolResult(context, calling, { tool: callable.tool, call, given });
}

interface WantedTool {
  tool: ToolDefinition;
  call: OpenCall;
  given: Record<string, unknown>;
}

/**
 * Policies first: what they deny is not asked for, and what they doubt is, whatever the settings say. What the user was asked about
 * is decided by the answer, even when nothing would ask any more.
 */
async function toolResult(
  context: RunContext,
  { agent, frame }: Calling,
  { tool, call, given }: WantedTool,
): Promise<string | null> {
  const permission = permissionOf(tool, ...context.policies);
  if (permission === "deny") return "Error: the platform's policy does not allow this tool.";
  const about = { tool, agent: agent.name };
  const ruling = await verdictOfPolicies(context, { ...about, given });
  if (ruling.verdict === "deny") return denialText(ruling);
  const isAllowed = permission === "auto" && ruling.verdict === "allow";
  if (isAllowed && call.approvalId === null) return callTool(context, { tool, call, given });
  if (ruling.verdict === "ask" && call.approvalId === null) {
    const value = { tool_call_id: call.id, reasons: ruling.reasons };
    context.writer.push({ type: "CUSTOM", name: "policies_ask", value });
  }
  const permitted = await permitByUser(context, { frame, tool, call, given });
  if (permitted.kind === "wait") return null;
  if (permitted.kind === "refused") return permitted.text;
  const { arguments: wanted, note } = permitted;
  // The user may have changed the arguments.
  const last = wanted === given ? ruling : await verdictOfPolicies(context, { ...about, given: wanted });
  if (last.verdict === "deny") return note + denialText(last);
  return note + (await callTool(context, { tool, call, given: wanted }));
}

/** Neither arguments nor results are recorded: they are what users and their systems say. */
function callTool(context: RunContext, wanted: WantedTool): Promise<string> {
  const { tool, call } = wanted;
  const start: SpanStart<"tool"> = {
    name: `execute_tool ${tool.name}`,
    attributes: () => ({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool.name,
      "gen_ai.tool.call.id": call.id,
      "gen_ai.tool.type": "function",
      "plinth.tool.server": tool.server,
    }),
  };
  return inSpan("tool", start, (span) => callInSpan(context, wanted, span));
}

async function callInSpan(
  context: RunContext,
  { tool, given }: WantedTool,
  span: LiveSpan<"tool"> | undefined,
): Promise<string> {
  const { run, state, settings, signal } = context;
  const ctx = toolContext(context);
  const source = `tool ${tool.server}:${tool.name}`;
  const timeoutMs = settings.budgets.toolTimeoutMs;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  await context.markActing(tool.readOnly !== true);
  // The log must have the call before anything is changed by it.
  if (tool.destructive) await context.writer.flush();
  try {
    const call = { server: tool.server, name: tool.name, arguments: given };
    const answer = await observeToolCall(context.metrics.tools, { server: tool.server, signal: limit }, () =>
      unlessAborted(context.tools.call(ctx, call, { signal: limit, timeoutMs }), limit),
    );
    const text = cut(answer.text, settings.budgets.toolResultChars);
    if (answer.isError) span?.fail("tool_error");
    return asData(answer.isError ? `${source} error` : source, text, state.nonce);
  } catch (error) {
    signal.throwIfAborted();
    span?.fail(limit.aborted ? "timeout" : errorTypeOf(error));
    context.log.warn({ runId: run.id, tool: source, reason: (error as Error).message }, "a tool call failed");
    return limit.aborted
      ? `Error: ${source} did not answer within ${timeoutMs} ms.`
      : `Error: ${source} could not be called.`;
  }
}

/** Rejects at an abort, also when the work ignores its signal. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function loadSkill(
  context: RunContext,
  { agent, frame, selection }: Calling,
  given: Record<string, unknown>,
): string {
  const skill = agent.skills.find(({ name }) => name === given["name"]);
  if (skill === undefined) {
    return `Error: there is no such skill. There are: ${selection.shownSkills.map(({ name }) => name).join(", ")}.`;
  }
  if (!frame.loaded.includes(skill.name)) frame.loaded.push(skill.name);
  showFirst(context, frame, skill.mcpTools.map(toolId));
  return `The skill ${skill.name} is loaded: its text is in your instructions, its tools are offered to you now.`;
}

async function askAgent(
  context: RunContext,
  { frame, runChild }: Calling,
  { callable, call, given }: Wanted,
): Promise<string | null> {
  if (callable.kind !== "agent") return null;
  const { task } = given;
  if (typeof task !== "string" || task === "") return "Error: the task is missing.";
  const { writer, state } = context;
  const isNew = call.child === null;
  call.child ??= {
    agentId: callable.id,
    path: [...frame.path, callable.label],
    messages: [{ role: "user", content: task }],
    loaded: [],
    calls: [],
    callId: call.id,
  };
  const stepName = stepNameOf(call.child, call.id);
  if (isNew) writer.push({ type: "STEP_STARTED", stepName });
  const answer = await runChild(context, call.child);
  if (answer === null) return null;
  writer.push({ type: "STEP_FINISHED", stepName });
  const text = cut(answer, context.settings.budgets.toolResultChars);
  return asData(`agent ${callable.label}`, text, state.nonce);
}

/** The call id tells apart agents of one name that run in parallel. */
const stepNameOf = (child: Frame, callId: string): string => `${child.path.at(-1) ?? ""} (${callId})`;

function parseArguments(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
