/** What the platform's policies say of a tool call, before the user is asked to allow it. */
import { toolId } from "../../record-schema.ts";
import type { ActionVerdict } from "../../ports.ts";
import type { ToolDefinition } from "../../tools/tool-source.ts";
import { toolContext } from "./approval.ts";
import type { RunContext } from "./run-context.ts";

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
