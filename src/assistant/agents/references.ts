/** Checks the skills and agents that the body of an agent refers to. */
import type { Db } from "../../platform/db/database.ts";
import type { InputProblem } from "../../platform/http/operation.ts";
import { shortestCycle } from "../../platform/lib/graph.ts";
import { bodyProblem } from "../body-problems.ts";
import { knownAgents, knownSkills, readEdges, readNames } from "./store.ts";

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
