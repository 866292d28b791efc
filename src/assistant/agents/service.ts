/** Agents: instructions, skills, tools, and the agents that they may call. */
import { inTransaction, type Db } from "../../platform/db/database.ts";
import type { Failure } from "../../platform/errors/failure.ts";
import type { InputProblem } from "../../platform/http/operation.ts";
import { newId } from "../../platform/lib/ids.ts";
import { writeAudit, type AssistantContext } from "../context.ts";
import { assistantFailure } from "../error-codes.ts";
import { bodyProblem, refuseProblems } from "../body-problems.ts";
import { refuseDeletion, refuseEdits } from "../platform-record.ts";
import { plainUuid, distinctTools } from "../record-schema.ts";
import { refuseTakenName, skillProblems, subagentProblems, toolProblems } from "./references.ts";
import type { Agent, AgentBody, AgentList, AgentPatch, AgentItem } from "./schema.ts";
import {
  addSkills,
  clearDefault,
  deleteAgent,
  insertAgent,
  listAgents,
  lockAgents,
  readAgent,
  setSubagents,
  updateAgent,
  type AgentQuery,
  type AgentRow,
  type AgentItemRow,
} from "./store.ts";

export async function findAgents(ctx: AssistantContext, query: AgentQuery): Promise<AgentList> {
  const { rows, total } = await listAgents(ctx.assistant.database.db, query);
  const { limit, offset } = query;
  return { data: rows.map(agentItemView), meta: { pagination: { total, limit, offset } } };
}

export async function getAgent(ctx: AssistantContext, id: string): Promise<Agent> {
  return agentView(await mustFind(ctx.assistant.database.db, id));
}

export async function createAgent(ctx: AssistantContext, body: AgentBody): Promise<Agent> {
  const { name, label, description, instructions, enabled, is_default: isDefault } = body;
  const id = newId();
  const skillIds = (body.skill_ids ?? []).map(plainUuid);
  const subagentIds = (body.subagent_ids ?? []).map(plainUuid);
  const mcpTools = distinctTools(body.mcp_tools ?? []);
  const at = ctx.now();
  return inTransaction(ctx.assistant.database, async (tx) => {
    await lockAgents(tx);
    refuseProblems([
      ...(await skillProblems(tx, skillIds)),
      ...(await subagentProblems(tx, null, subagentIds)),
      ...(await toolProblems(tx, body.mcp_tools ?? [])),
    ]);
    await refuseTakenName(tx, { id, name });
    if (isDefault) await clearDefault(tx, at);
    const fields = { name, label, description, instructions, enabled, isDefault };
    await insertAgent(tx, { ...fields, id, displayOrder: body.display_order, mcpTools, at });
    await addSkills(tx, id, { skillIds: distinct(skillIds), at });
    await setSubagents(tx, id, distinct(subagentIds));
    await writeAudit(tx, ctx, {
      operation: "createAgent",
      subject: `agent:${id}`,
      detail: { name, isDefault },
    });
    return agentView(await mustFind(tx, id));
  });
}

/** Fields that are null or left out stay as they are. */
export async function changeAgent(ctx: AssistantContext, id: string, patch: AgentPatch): Promise<Agent> {
  refuseProblems(createOnlyProblems(patch));
  return changeUnderLock(ctx, id, async (tx, row) => {
    refuseEdits(editedAgent(row), {
      name: [row.name, patch.name],
      label: [row.label, patch.label],
      description: [row.description, patch.description],
      instructions: [row.instructions, patch.instructions],
    });
    if (row.isOrchestrator && patch.enabled === false) throw rootStays(row, "disabled");
    if (patch.subagent_ids) {
      const subagentIds = patch.subagent_ids.map(plainUuid);
      refuseProblems(await subagentProblems(tx, id, subagentIds));
      await setSubagents(tx, id, distinct(subagentIds));
    }
    if (patch.name) await refuseTakenName(tx, { id, name: patch.name });
    const at = ctx.now();
    if (patch.is_default === true && !row.isDefault) await clearDefault(tx, at);
    await updateAgent(tx, id, {
      name: patch.name ?? row.name,
      label: patch.label ?? row.label,
      description: patch.description ?? row.description,
      instructions: patch.instructions ?? row.instructions,
      enabled: patch.enabled ?? row.enabled,
      isDefault: patch.is_default ?? row.isDefault,
      displayOrder: patch.display_order ?? row.displayOrder,
      at,
    });
    return { operation: "updateAgent", detail: { fields: Object.keys(patch) } };
  });
}

/** What only create takes; null stands for a field that was not given, as in every other field. */
const createOnly: Record<string, string> = {
  mcp_tools: "POST and DELETE of /agents/{agent_id}/mcp-tools change the tools",
  skill_ids: "POST and DELETE of /agents/{agent_id}/skills change the skills",
};

function createOnlyProblems(patch: object): InputProblem[] {
  return Object.entries(patch).flatMap(([field, value]) => {
    const instead = Object.hasOwn(createOnly, field) ? createOnly[field] : undefined;
    if (instead === undefined || value === null) return [];
    const problem = bodyProblem([field], `is taken when the agent is created, not here: ${instead}`, value);
    return [{ ...problem, keyword: "additionalProperties" }];
  });
}

export async function removeAgent(ctx: AssistantContext, id: string): Promise<void> {
  await inTransaction(ctx.assistant.database, async (tx) => {
    await lockAgents(tx);
    const row = await mustFind(tx, id);
    if (row.isOrchestrator) throw rootStays(row, "deleted");
    refuseDeletion(editedAgent(row));
    await deleteAgent(tx, id);
    const detail = { name: row.name };
    await writeAudit(tx, ctx, { operation: "deleteAgent", subject: `agent:${id}`, detail });
  });
}

interface Change {
  operation: string;
  detail: object;
}

/** Changes one agent under the lock of all agents, audits the change, and returns the changed agent. */
export async function changeUnderLock(
  ctx: AssistantContext,
  id: string,
  change: (tx: Db, row: AgentRow) => Promise<Change>,
): Promise<Agent> {
  return inTransaction(ctx.assistant.database, async (tx) => {
    await lockAgents(tx);
    const { operation, detail } = await change(tx, await mustFind(tx, id));
    await writeAudit(tx, ctx, { operation, subject: `agent:${id}`, detail });
    return agentView(await mustFind(tx, id));
  });
}

export async function mustFind(db: Db, id: string): Promise<AgentRow> {
  const row = await readAgent(db, id);
  if (row) return row;
  throw assistantFailure("ASSISTANT_UNKNOWN_AGENT", { message: `There is no agent with the id ${id}.` });
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

const editedAgent = ({ name, platformKey }: AgentRow) => ({ kind: "agent" as const, name, platformKey });

const rootStays = ({ name }: AgentRow, what: string): Failure =>
  assistantFailure("ASSISTANT_ORCHESTRATOR", {
    message: `The agent ${name} is the orchestrator, where runs begin, and can't be ${what}.`,
  });

/** Fields of both views of an agent. */
const commonFields = (row: Omit<AgentItemRow, "skillCount" | "toolCount">) => ({
  id: row.id,
  platform_key: row.platformKey,
  name: row.name,
  label: row.label,
  description: row.description,
  enabled: row.enabled,
  is_default: row.isDefault,
  is_orchestrator: row.isOrchestrator,
  is_platform_provided: row.platformKey !== "",
  display_order: row.displayOrder,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const agentView = (row: AgentRow): Agent => ({
  ...commonFields(row),
  instructions: row.instructions,
  subagent_ids: row.subagentIds,
});

export const agentItemView = (row: AgentItemRow): AgentItem => ({
  ...commonFields(row),
  skill_count: row.skillCount,
  tool_count: row.toolCount,
});
