/** Pure: the card of an agent, with the fields of both generations of A2A. */
import type { RunAgent } from "../agents/run-agent.ts";
import type { AgentCard } from "./schema.ts";

const modes = ["text/plain", "application/json"];

export function cardOf(
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

/** What it can do and whom it can ask; a card needs one at least. */
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
