/** Agents as runs use them, and as other areas ask them. */
import type { Db } from "../../platform/db/database.ts";
import { isUuid } from "../../platform/lib/ids.ts";
import { assistantFailure } from "../error-codes.ts";
import type { ModelDeps } from "../models/open-answer.ts";
import { readModel } from "../models/read-model.ts";
import { createModelClient } from "../models/sdk-client.ts";
import type { McpToolRef } from "../record-schema.ts";
import { readAgent, readAgentSkills, readEnabledSubagents, readRoots } from "./store.ts";

export interface RunAgent {
  id: string;
  name: string;
  label: string;
  description: string;
  instructions: string;
  enabled: boolean;
  /** The root of the graph of agents. */
  isOrchestrator: boolean;
  skills: { id: string; name: string; description: string; content: string; mcpTools: McpToolRef[] }[];
  /** The agent's own tools, without those of its skills. */
  mcpTools: McpToolRef[];
  /** Enabled ones only. */
  subagents: { id: string; name: string; label: string; description: string }[];
}

export async function loadRunAgent(db: Db, id: string): Promise<RunAgent | null> {
  const row = await readAgent(db, id);
  if (!row) return null;
  const { name, label, description, instructions, enabled, isOrchestrator, mcpTools } = row;
  const skills = await readAgentSkills(db, id);
  const subagents = await readEnabledSubagents(db, id);
  const own = { name, label, description, instructions, enabled, isOrchestrator, mcpTools };
  return { id, ...own, skills, subagents };
}

/** The agents that answer a run that names none. A disabled default counts as missing. */
export async function findRootAgent(db: Db): Promise<{ default: string | null; orchestrator: string }> {
  const roots = await readRoots(db);
  const orchestrator = roots.find(({ isOrchestrator }) => isOrchestrator);
  if (!orchestrator) throw new Error("The orchestrator is missing; a start of the server brings it back.");
  return { default: roots.find(({ isDefault }) => isDefault)?.id ?? null, orchestrator: orchestrator.id };
}

export type AskDeps = Parameters<typeof readModel>[0] & ModelDeps;

export interface AgentQuestion {
  agentId: string;
  /** How the agent has to answer; stands behind its own instructions. */
  contract: string;
  text: string;
  /** What comes after it is not read. */
  maxAnswerChars: number;
  signal: AbortSignal;
}

const maxTokens = 2_000;

/** Why the agent can't be asked; null when it can. */
export async function agentProblem(
  { database }: Pick<AskDeps, "database">,
  agentId: string,
): Promise<string | null> {
  const agent = isUuid(agentId) ? await loadRunAgent(database.db, agentId) : null;
  if (agent === null) return `There is no agent ${agentId}.`;
  return agent.enabled ? null : `The agent ${agent.name} is disabled.`;
}

/** One question without tools and without a session: the agent's own instructions, and its model. Rejects with a Failure that says why there is none. */
export async function askAgent(deps: AskDeps, question: AgentQuestion): Promise<string> {
  const { agentId, contract, text, maxAnswerChars, signal } = question;
  const problem = await agentProblem(deps, agentId);
  if (problem !== null) throw assistantFailure("ASSISTANT_UNKNOWN_AGENT", { message: problem });
  const agent = await loadRunAgent(deps.database.db, agentId);
  const config = await readModel(deps, "llm");
  if (config === null) throw assistantFailure("model_not_configured", { message: "No model is configured." });
  const client = createModelClient({ outbound: deps.outbound, limits: deps.limits, now: deps.now }, config);
  const messages = [
    { role: "system", content: `${agent?.instructions ?? ""}\n\n${contract}` },
    { role: "user", content: text },
  ] as const;
  let answer = "";
  for await (const parts of client.stream({ messages, tools: [], maxTokens }, signal))
    for (const part of parts) {
      if (part.type === "text") answer += part.delta;
      if (answer.length > maxAnswerChars) return answer;
    }
  return answer;
}
