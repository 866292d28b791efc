/** Tools as their MCP servers describe them, and the approval of those that changed. */
import { inTransaction } from "../../../platform/db/database.ts";
import { writeAudit, type AssistantContext } from "../../context.ts";
import { assistantFailure } from "../../error-codes.ts";
import { bodyProblem, refuseProblems } from "../../body-problems.ts";
import type { Page } from "../../record-schema.ts";
import type { ApprovalBody, ChangedToolList, McpServerList, McpTool, McpToolList } from "./schema.ts";
import { approveTools, listChanged, listTools, lockTools, readTools, type ToolQuery } from "./store.ts";

export async function findTools(ctx: AssistantContext, query: ToolQuery): Promise<McpToolList> {
  const { rows, total } = await listTools(ctx.assistant.database.db, query);
  const { limit, offset } = query;
  return { data: rows, meta: { pagination: { total, limit, offset } } };
}

/** The tools with these ids, in the same order; unknown ids are left out. */
export const lookUpTools = (ctx: AssistantContext, ids: readonly string[]): Promise<McpTool[]> =>
  readTools(ctx.assistant.database.db, ids);

export async function findChangedTools(ctx: AssistantContext, page: Page): Promise<ChangedToolList> {
  const { rows, total } = await listChanged(ctx.assistant.database.db, page);
  const { limit, offset } = page;
  return {
    data: rows.map(({ id, server, name, description, fingerprint, ...row }) => ({
      id,
      server,
      name,
      description,
      input_schema: row.inputSchema,
      annotations: row.annotations,
      fingerprint,
      is_new: row.isNew,
      seen_at: row.seenAt.toISOString(),
    })),
    meta: { pagination: { total, limit, offset } },
  };
}

/**
 * An approval names the fingerprint of the form that was reviewed, and is refused when the server has changed the tool
 * since.
 */
export async function approve(ctx: AssistantContext, { tools }: ApprovalBody): Promise<McpTool[]> {
  const ids = tools.map(({ id }) => id);
  return inTransaction(ctx.assistant.database, async (tx) => {
    const known = await lockTools(tx, ids);
    refuseProblems(
      tools.flatMap(({ id }, n) => {
        const state = known.get(id)?.state;
        if (state === undefined) return [bodyProblem(["tools", n, "id"], "is the id of no tool", id)];
        return state === "gone" ? [bodyProblem(["tools", n, "id"], "is not offered any more", id)] : [];
      }),
    );
    const other = tools.filter(({ id, fingerprint }) => known.get(id)?.fingerprint !== fingerprint);
    if (other.length > 0) {
      const names = other.slice(0, 10).map(({ id }) => id);
      throw assistantFailure("ASSISTANT_TOOL_CHANGED", {
        message: `These tools are not as they were when they were looked at: ${names.join(", ")}.`,
      });
    }
    await approveTools(tx, ids);
    await writeAudit(tx, ctx, { operation: "approveMcpTools", subject: "assistant", detail: { tools } });
    return readTools(tx, ids);
  });
}

export const findServers = (ctx: AssistantContext): McpServerList => ({
  data: ctx.assistant.serverHealth().map(({ since, nextAttemptAt, tools, ...health }) => ({
    ...health,
    since: since.toISOString(),
    tool_count: tools,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  })),
});
