/** Agents as runs use them. */
import type { Db } from "../../platform/db/database.ts";
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
