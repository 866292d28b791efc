/** The agents that are offered. */
import type { AssistantContext } from "../context.ts";
import { assistantFailure } from "../error-codes.ts";
import { cardOf } from "./card.ts";
import type { AgentCard } from "./schema.ts";

/** The card of an agent; of the default one for null. */
export async function readCard(
  ctx: AssistantContext,
  { agentId, path, version }: { agentId: string | null; path: string; version: string },
): Promise<AgentCard> {
  const { runs, settings } = ctx.assistant;
  const root = agentId === null ? await runs.findRoot() : null;
  const agent = await runs.loadAgent(agentId ?? root?.default ?? root?.orchestrator ?? "");
  if (agent === null) throw unknownAgent();
  const { baseUrl } = settings;
  return cardOf(agent, { baseUrl, url: baseUrl + path, version });
}

/** The id of an enabled agent. */
export async function findAgentByName(ctx: AssistantContext, name: string): Promise<string> {
  const agents = await ctx.assistant.runs.listAgents();
  const agent = agents.find((each) => each.name === name) ?? agents.find((each) => each.id === name);
  if (agent === undefined) throw unknownAgent();
  return agent.id;
}

const unknownAgent = (): Error =>
  assistantFailure("ASSISTANT_UNKNOWN_AGENT", { message: "There is no such agent, or it is disabled." });
