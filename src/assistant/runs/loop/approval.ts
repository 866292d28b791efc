/** Whether a tool call may be made: it is checked first, and the user is asked only for what can succeed. */
import { newId } from "../../../platform/lib/ids.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import { activeTraceparent } from "../../../platform/telemetry/spans.ts";
import type { ReadDecision } from "../approvals/approval.ts";
import { argumentProblems, problemText } from "../approvals/check-arguments.ts";
import { toolId } from "../../record-schema.ts";
import type { ActionVerdict } from "../../ports.ts";
import type { ToolDefinition } from "../../tools/tool-source.ts";
import type { RunContext } from "./run-context.ts";
import type { Frame, OpenCall } from "./run-state.ts";

export interface WantedCall {
  frame: Frame;
  tool: ToolDefinition;
  call: OpenCall;
  given: Record<string, unknown>;
}

/** The call is made, waits for the user, or is refused with a text for the model. */
export type Permitted =
  | { kind: "call"; arguments: Record<string, unknown>; note: string }
  | { kind: "wait" }
  | { kind: "refused"; text: string };

export async function permitByUser(context: RunContext, wanted: WantedCall): Promise<Permitted> {
  const { call, given, tool } = wanted;
  if (call.approvalId === null) {
    const text = await obstacle(context, wanted);
    if (text !== null) return { kind: "refused", text };
    call.approvalId = newId();
    context.newApprovals.push({
      id: call.approvalId,
      callId: call.id,
      agents: wanted.frame.path,
      server: tool.server,
      tool: tool.name,
      arguments: given,
    });
    return { kind: "wait" };
  }
  const decision = context.decisions.get(call.approvalId);
  if (decision === undefined || decision.status === "pending") return { kind: "wait" };
  reportDecision(context, call, decision);
  if (decision.status === "approved") {
    const { edited } = decision;
    const note = edited === null ? "" : `The user changed the arguments to ${JSON.stringify(edited)}.\n`;
    return { kind: "call", arguments: edited ?? given, note };
  }
  return { kind: "refused", text: refusalText(decision) };
}

function reportDecision(
  { writer, now }: RunContext,
  call: OpenCall,
  { status, reason, edited }: ReadDecision,
): void {
  const value = {
    approval_id: call.approvalId,
    tool_call_id: call.id,
    decision: status,
    ...(reason === null ? {} : { reason }),
    ...(edited === null ? {} : { arguments: edited }),
  };
  writer.push({ type: "CUSTOM", name: "approval_decided", value, timestamp: now().getTime() });
}

function refusalText({ status, reason }: ReadDecision): string {
  if (status !== "denied") return "Error: the user has not allowed this call in time.";
  const why = reason === null ? "" : ` The user's reason: ${JSON.stringify(reason)}.`;
  return `Error: the user did not allow this call.${why} Do not try it again unless they ask for it.`;
}

/** Why the call can't succeed, as an error for the model; null when nothing is known against it. */
async function obstacle(context: RunContext, { tool, given }: WantedCall): Promise<string | null> {
  const problems = argumentProblems(tool.inputSchema, given);
  if (problems.length > 0) {
    return `Error: the arguments of ${toolId(tool)} are not valid: ${problemText(problems)}. Nobody was asked; correct them.`;
  }
  const call = { server: tool.server, name: tool.name, arguments: given };
  const refusal = (await context.tools.refusal?.(toolContext(context), call)) ?? null;
  return refusal === null ? null : `Error: ${refusal} Nobody was asked to allow the call.`;
}

/** The context that a tool is called in: the user's, within the run's request. */
export const toolContext = ({ run, now, log, signal, traceparent }: RunContext): RequestContext => ({
  actor: run.actor,
  now,
  log,
  signal,
  requestId: run.requestId,
  traceparent: activeTraceparent() ?? traceparent,
});

export interface ActionToDecide {
  tool: ToolDefinition;
  /** Of the agent that calls the tool. */
  agent: string;
  given: Record<string, unknown>;
}

/** While policies can't be evaluated the user is asked, unless the operator has said that they count for nothing then. */
export async function verdictOfPolicies(
  context: RunContext,
  { tool, agent, given }: ActionToDecide,
): Promise<ActionVerdict> {
  const { decide, onUnavailable } = context.actionPolicies;
  const { environment } = given;
  const action = {
    tool: toolId(tool),
    arguments: given,
    agent,
    user: context.run.actor.ref,
    environment: typeof environment === "string" ? environment : null,
  };
  try {
    return await decide(toolContext(context), action);
  } catch (error) {
    context.signal.throwIfAborted();
    const { message: reason } = error as Error;
    context.log.warn({ runId: context.run.id, tool: action.tool, reason }, "an action's policies failed");
    if (onUnavailable === "warn") return { verdict: "allow", reasons: [] };
    return { verdict: "ask", reasons: ["The platform's policies can't be evaluated at the moment."] };
  }
}

export const denialText = ({ reasons }: ActionVerdict): string =>
  `Error: the platform's policies do not allow this call. ${reasons.join(" ")} Do not try it again unchanged.`;
