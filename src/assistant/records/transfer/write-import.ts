/** Writes the plan of an import, in the transaction in which it was made. */
import type { Db } from "../../../platform/db/database.ts";
import type { SecretBox } from "../../../platform/lib/secrets/secret-box.ts";
import { insertAgent, setSubagents, setTools, updateAgent } from "../../agents/store.ts";
import { sealAgent } from "../../agents/external/sealed-agent.ts";
import { insertExternalAgent, updateExternalAgent } from "../../agents/external/store.ts";
import { linkSkills, linkSubagents } from "../shipped/store.ts";
import { insertSkill, updateSkill } from "../skill-store.ts";
import { distinctTools } from "../../record-schema.ts";
import type { ImportPlan, PlannedAgent } from "./plan-import.ts";
import { clearSkills } from "./store.ts";

export async function writeImport(
  tx: Db,
  plan: ImportPlan,
  { secrets, at }: { secrets: Pick<SecretBox, "seal">; at: Date },
): Promise<void> {
  for (const { id, action, record } of plan.skills) {
    if (action === "unchanged") continue;
    const { name, description, content } = record;
    const skill = { name, description, content, mcpTools: distinctTools(record.mcp_tools), at };
    if (action === "created") await insertSkill(tx, { ...skill, id });
    else await updateSkill(tx, id, skill);
  }
  const agents = plan.agents.filter(({ action }) => action !== "unchanged");
  for (const agent of agents) await writeAgent(tx, agent, at);
  // Links come last: they may lead to agents of the same archive.
  for (const { id, skillIds, subagentIds } of agents) {
    await clearSkills(tx, id);
    await linkSkills(tx, { agentId: id, added: skillIds, withdrawn: [] });
    await setSubagents(tx, id, subagentIds);
  }
  for (const { agentId, id } of plan.newSkillLinks)
    await linkSkills(tx, { agentId, added: [id], withdrawn: [] });
  for (const { agentId, id } of plan.newSubagentLinks)
    await linkSubagents(tx, { agentId, added: [id], withdrawn: [] });
  for (const { id, action, record } of plan.externalAgents) {
    if (action === "unchanged") continue;
    const { name, description, endpoint, payload, need_authentication: needAuthentication, active } = record;
    const agent = {
      id,
      name,
      description,
      endpoint,
      payload: { ...payload },
      needAuthentication,
      active,
      at,
    };
    const row = sealAgent(secrets, agent);
    if (action === "created") await insertExternalAgent(tx, row);
    else await updateExternalAgent(tx, row);
  }
}

async function writeAgent(tx: Db, { id, action, record, isDefault }: PlannedAgent, at: Date): Promise<void> {
  const { name, label, description, instructions, enabled, display_order: displayOrder } = record;
  const mcpTools = distinctTools(record.mcp_tools);
  const fields = { name, label, description, instructions, enabled, isDefault, displayOrder, at };
  if (action === "created") return insertAgent(tx, { ...fields, id, mcpTools });
  await updateAgent(tx, id, fields);
  await setTools(tx, id, { mcpTools, at });
}
