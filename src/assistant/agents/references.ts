/** Checks the skills and agents that the body of an agent refers to. */
import type { Db } from "../../platform/db/database.ts";
import type { Failure } from "../../platform/errors/failure.ts";
import type { InputProblem } from "../../platform/http/operation.ts";
import { shortestCycle } from "../../platform/lib/graph.ts";
import { bodyProblem } from "../body-problems.ts";
import { assistantFailure } from "../error-codes.ts";
import { toolKey, type McpToolRef } from "../record-schema.ts";
import {
  findNameConflicts,
  findUnknownTools,
  knownAgents,
  knownSkills,
  readEdges,
  readNames,
  type NameConflict,
} from "./store.ts";

export const unknownTool = "is no tool that a server has offered; GET /mcp-tools lists those that are";

/** `had` are references that the record has already: a tool that has gone since may stay in it. */
export async function toolProblems(
  db: Db,
  given: readonly McpToolRef[],
  had: readonly McpToolRef[] = [],
): Promise<InputProblem[]> {
  const present = new Set(had.map(toolKey));
  const added = given.some((tool) => !present.has(toolKey(tool)));
  const unknown = added ? await findUnknownTools(db, given) : new Set<string>();
  return given.flatMap((tool, n) =>
    unknown.has(toolKey(tool)) && !present.has(toolKey(tool))
      ? [bodyProblem(["mcp_tools", n], unknownTool, tool)]
      : [],
  );
}

/** Throws when another agent has the name, in any case. */
export async function refuseTakenName(db: Db, agent: { id: string; name: string }): Promise<void> {
  const [conflict] = await findNameConflicts(db, [agent]);
  if (conflict !== undefined) throw nameTaken([`${namedAgent(conflict)} has the name`]);
}

export const namedAgent = ({ otherId, otherName }: NameConflict): string =>
  `The agent ${otherName} (${otherId})`;

export const nameTaken = (conflicts: readonly string[]): Failure =>
  assistantFailure("ASSISTANT_AGENT_NAME_TAKEN", {
    message: `${conflicts.join("; ")}. Names of agents are compared in any case.`,
  });

export async function skillProblems(db: Db, skillIds: readonly string[]): Promise<InputProblem[]> {
  const known = await knownSkills(db, skillIds);
  return skillIds.flatMap((id, n) =>
    known.has(id) ? [] : [bodyProblem(["skill_ids", n], "is the id of no skill", id)],
  );
}

/** `agentId` is null for a new agent, which no other agent can call yet. */
export async function subagentProblems(
  db: Db,
  agentId: string | null,
  subagentIds: readonly string[],
): Promise<InputProblem[]> {
  const known = await knownAgents(db, subagentIds);
  const problems = subagentIds.flatMap((id, n) => {
    const found = known.get(id);
    if (found === undefined) return [bodyProblem(["subagent_ids", n], "is the id of no agent", id)];
    const message = "is the orchestrator, the root of all agents, which no other agent calls";
    return found.isOrchestrator && id !== agentId ? [bodyProblem(["subagent_ids", n], message, id)] : [];
  });
  if (agentId === null || problems.length > 0) return problems;
  const path = shortestCycle(await readEdges(db), agentId, subagentIds);
  if (path === null) return [];
  const names = await readNames(db, path);
  const namedPath = path.map((id) => names.get(id) ?? id).join(" → ");
  const at = subagentIds.indexOf(path[1] ?? "");
  return [bodyProblem(["subagent_ids", at], `would make a cycle: ${namedPath}`, path[1])];
}
