/** Agents as A2A clients see them: which of them are offered, and the card of each. */
import type { AssistantContext } from "../../context.ts";
import { assistantFailure } from "../../error-codes.ts";
import type { AgentCard } from "./schema.ts";
import type { RunAgent } from "../../agents/run-agent.ts";

/** The card of an agent, or of the default agent for null. */
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

const modes = ["text/plain", "application/json"];

/** A card with the fields of both generations of A2A. */
function cardOf(
  agent: RunAgent,
  { baseUrl, url, version }: { baseUrl: string; url: string; version: string },
): AgentCard {
  const description = agent.description || `The agent ${agent.label} of this platform.`;
  return {
    name: agent.label,
    description,
    version,
    protocolVersion: "0.3.0",
    url,
    preferredTransport: "JSONRPC",
    supportedInterfaces: ["1.0", "0.3"].map((protocolVersion) => ({
      url,
      protocolBinding: "JSONRPC",
      protocolVersion,
    })),
    provider: { organization: "Plinth", url: baseUrl },
    capabilities: {
      streaming: true,
      pushNotifications: false,
      stateTransitionHistory: false,
      extendedAgentCard: false,
    },
    supportsAuthenticatedExtendedCard: false,
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer", httpAuthSecurityScheme: { scheme: "Bearer" } },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    security: [{ bearer: [] }],
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: skillsOf(agent, description),
  };
}

/** The agent's skills and sub-agents as entries of its card, which needs at least one. */
function skillsOf({ id, label, skills, subagents }: RunAgent, description: string): AgentCard["skills"] {
  const all = [
    ...skills.map((skill) => ({
      id: skill.id,
      name: skill.name,
      description: skill.description,
      tags: ["skill"],
    })),
    ...subagents.map((agent) => ({
      id: agent.id,
      name: agent.label,
      description: agent.description,
      tags: ["agent"],
    })),
  ];
  return all.length > 0 ? all : [{ id, name: label, description, tags: ["agent"] }];
}
