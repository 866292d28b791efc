/** Pure: records of users as files. */
import type { EdgeMap } from "../../../platform/lib/graph.ts";
import { uniqueKeys, pathOf } from "./record-paths.ts";
import { agentFile, skillFile } from "../shipped/portable.ts";
import { printRecordFile, type RecordFile } from "../shipped/record-file.ts";
import type { OwnAgent, OwnRecords, OwnSkill } from "./own-records.ts";

/** Shipped records are not exported; the files of users' records name the shipped agents that they are attached to. */
export function exportFiles(own: OwnRecords, edges: EdgeMap<string>): Map<string, string> {
  const links = { own, edges, ...namesOf(own) };
  const files = new Map<string, string>();
  for (const skill of own.skills) {
    const key = links.skillKeys.get(skill.id) ?? "";
    files.set(pathOf({ kind: "skill", key }), printRecordFile(ownSkillFile(key, skill, links)));
  }
  for (const agent of own.agents) {
    const key = links.agentKeys.get(agent.id) ?? "";
    files.set(pathOf({ kind: "agent", key }), printRecordFile(ownAgentFile(key, agent, links)));
  }
  const keys = uniqueKeys(own.externalAgents);
  for (const { id, name, description, endpoint, payload, needAuthentication, active } of own.externalAgents) {
    const body = {
      id,
      name,
      description,
      endpoint,
      payload,
      need_authentication: needAuthentication,
      active,
    };
    const path = pathOf({ kind: "external_agent", key: keys.get(id) ?? "" });
    files.set(path, `${JSON.stringify(body, null, 2)}\n`);
  }
  return files;
}

interface Links {
  own: OwnRecords;
  edges: EdgeMap<string>;
  /** Keys by id, including those of shipped records. */
  skillKeys: Map<string, string>;
  agentKeys: Map<string, string>;
}

function namesOf({ skills, agents, shippedSkills, shippedAgents }: OwnRecords) {
  const both = (
    records: readonly { id: string; name: string }[],
    shipped: ReadonlyMap<string, string>,
  ): Map<string, string> =>
    new Map([...uniqueKeys(records, shipped.keys()), ...[...shipped].map(([key, id]) => [id, key] as const)]);
  return { skillKeys: both(skills, shippedSkills), agentKeys: both(agents, shippedAgents) };
}

function ownSkillFile(key: string, skill: OwnSkill, { own }: Links): RecordFile {
  const { id, name, description, content, mcpTools } = skill;
  const file = skillFile({ key, name, description, content, mcp_tools: mcpTools });
  const agents = [...own.shippedAgents].flatMap(([agent, agentId]) =>
    own.skillsOf.get(agentId)?.includes(id) === true ? [agent] : [],
  );
  return withMore(file, { id, agents });
}

function ownAgentFile(key: string, agent: OwnAgent, { own, edges, skillKeys, agentKeys }: Links): RecordFile {
  const { id, name, label, description, instructions, enabled, displayOrder, mcpTools } = agent;
  const keysIn = (ids: readonly string[] | undefined, keys: ReadonlyMap<string, string>): string[] =>
    (ids ?? []).flatMap((each) => keys.get(each) ?? []);
  const file = agentFile({
    key,
    name,
    label,
    description,
    instructions,
    enabled,
    display_order: displayOrder,
    mcp_tools: mcpTools,
    skills: keysIn(own.skillsOf.get(id), skillKeys),
    subagents: keysIn(edges.get(id), agentKeys),
  });
  const callers = [...own.shippedAgents].flatMap(([caller, callerId]) =>
    edges.get(callerId)?.includes(id) === true ? [caller] : [],
  );
  return withMore(file, { id, agents: callers });
}

/** `id` identifies the record at an import; `agents` are the shipped agents that have or call it. */
const withMore = (
  { front, body }: RecordFile,
  { id, agents }: { id: string; agents: string[] },
): RecordFile => ({
  front: {
    ...front,
    metadata: { id, ...(front["metadata"] as object), ...(agents.length > 0 ? { agents } : {}) },
  },
  body,
});
