/** Skills: instructions that a model loads when it needs them, with the tools that belong to them. */
import { inTransaction } from "../../platform/db/database.ts";
import type { Failure } from "../../platform/errors/failure.ts";
import { newId } from "../../platform/lib/ids.ts";
import { writeAudit, type AssistantContext } from "../context.ts";
import { assistantFailure } from "../error-codes.ts";
import { refuseDeletion, refuseEdits } from "../platform-record.ts";
import { refuseProblems } from "../body-problems.ts";
import { distinctTools } from "../record-schema.ts";
import { toolProblems } from "./references.ts";
import type { Skill, SkillBody, SkillList, SkillPatch, SkillItem } from "./skill-schema.ts";
import {
  deleteSkill,
  insertSkill,
  listSkills,
  lockSkill,
  readSkill,
  updateSkill,
  type SkillQuery,
  type SkillRow,
  type SkillItemRow,
} from "./skill-store.ts";

export async function findSkills(ctx: AssistantContext, query: SkillQuery): Promise<SkillList> {
  const { rows, total } = await listSkills(ctx.assistant.database.db, query);
  const { limit, offset } = query;
  return { data: rows.map(skillItemView), meta: { pagination: { total, limit, offset } } };
}

export async function getSkill(ctx: AssistantContext, id: string): Promise<Skill> {
  const row = await readSkill(ctx.assistant.database.db, id);
  if (!row) throw unknownSkill(id);
  return skillView(row);
}

export async function createSkill(ctx: AssistantContext, body: SkillBody): Promise<Skill> {
  const { name, description, content } = body;
  const id = newId();
  const mcpTools = distinctTools(body.mcp_tools ?? []);
  const at = ctx.now();
  await inTransaction(ctx.assistant.database, async (tx) => {
    refuseProblems(await toolProblems(tx, body.mcp_tools ?? []));
    await insertSkill(tx, { id, name, description, content, mcpTools, at });
    await writeAudit(tx, ctx, { operation: "createSkill", subject: `skill:${id}`, detail: { name } });
  });
  const row = { id, platformKey: "", name, description, content, mcpTools, agentCount: 0 };
  return skillView({ ...row, createdAt: at, updatedAt: at });
}

/** Fields that are null or left out stay as they are. */
export async function changeSkill(ctx: AssistantContext, id: string, patch: SkillPatch): Promise<Skill> {
  return inTransaction(ctx.assistant.database, async (tx) => {
    const row = await lockSkill(tx, id);
    if (!row) throw unknownSkill(id);
    refuseEdits(editedSkill(row), {
      name: [row.name, patch.name],
      description: [row.description, patch.description],
      content: [row.content, patch.content],
    });
    if (patch.mcp_tools) refuseProblems(await toolProblems(tx, patch.mcp_tools, row.mcpTools));
    const changed: SkillRow = {
      ...row,
      name: patch.name ?? row.name,
      description: patch.description ?? row.description,
      content: patch.content ?? row.content,
      mcpTools: patch.mcp_tools ? distinctTools(patch.mcp_tools) : row.mcpTools,
      updatedAt: ctx.now(),
    };
    await updateSkill(tx, id, { ...changed, at: changed.updatedAt });
    const fields = Object.keys(patch);
    await writeAudit(tx, ctx, { operation: "updateSkill", subject: `skill:${id}`, detail: { fields } });
    return skillView(changed);
  });
}

export async function removeSkill(ctx: AssistantContext, id: string): Promise<void> {
  await inTransaction(ctx.assistant.database, async (tx) => {
    const row = await lockSkill(tx, id);
    if (!row) throw unknownSkill(id);
    refuseDeletion(editedSkill(row));
    await deleteSkill(tx, id);
    const detail = { name: row.name };
    await writeAudit(tx, ctx, { operation: "deleteSkill", subject: `skill:${id}`, detail });
  });
}

const editedSkill = ({ name, platformKey }: SkillRow) => ({ kind: "skill" as const, name, platformKey });

const unknownSkill = (id: string): Failure =>
  assistantFailure("ASSISTANT_UNKNOWN_SKILL", { message: `There is no skill with the id ${id}.` });

/** Fields of both views of a skill. */
const commonFields = (row: Omit<SkillItemRow, "toolCount">) => ({
  id: row.id,
  platform_key: row.platformKey,
  name: row.name,
  description: row.description,
  is_platform_provided: row.platformKey !== "",
  agent_count: row.agentCount,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const skillView = (row: SkillRow): Skill => ({
  ...commonFields(row),
  content: row.content,
  mcp_tools: row.mcpTools,
});

export const skillItemView = (row: SkillItemRow): SkillItem => ({
  ...commonFields(row),
  tool_count: row.toolCount,
});
