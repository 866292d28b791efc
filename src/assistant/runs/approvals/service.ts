/** Lists what waits for the caller, and takes the caller's decisions. */
import { isDeepStrictEqual } from "node:util";
import type { Static } from "typebox";
import { inTransaction, type Db } from "../../../platform/db/database.ts";
import { isUuid } from "../../../platform/lib/ids.ts";
import { storable } from "../../../platform/lib/safe-json.ts";
import { writeAudit, type AssistantContext } from "../../context.ts";
import { assistantFailure } from "../../error-codes.ts";
import { bodyProblem, jsonProblems, refuseProblems } from "../../body-problems.ts";
import { unmasked } from "../../masked-values.ts";
import type { Page } from "../../record-schema.ts";
import { plainAnswer, shownArguments, type ApprovalAnswer } from "./approval.ts";
import { argumentSchemas } from "../../tools/argument-schemas.ts";
import { argumentProblems } from "./check-arguments.ts";
import type { approvalBody, approvalList } from "./schema.ts";
import {
  findApprovals,
  isOwnRun,
  listOpenApprovals,
  lockApproval,
  storeDecision,
  type StoredApproval,
} from "./store.ts";
import { howToDecide } from "./waiting.ts";

export async function getApprovals(ctx: AssistantContext, page: Page): Promise<Static<typeof approvalList>> {
  const found = { owner: ctx.actor.ref, at: ctx.now(), ...page };
  const { rows, total } = await listOpenApprovals(ctx.assistant.database.db, found);
  const schemaOf = await argumentSchemas(ctx, rows);
  const data = rows.map((row) => ({
    approval_id: row.id,
    run_id: row.runId,
    session_id: row.sessionId,
    tool_call_id: row.callId,
    agents: row.agents,
    server: row.server,
    tool: row.tool,
    arguments: shownArguments(row.arguments),
    arguments_schema: schemaOf(row),
    since: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    how_to_decide: howToDecide(row),
  }));
  return { data, meta: { pagination: { total, limit: page.limit, offset: page.offset } } };
}

interface ApprovalRef {
  runId: string;
  approvalId: string;
}

/** Stores the owner's decision on a tool call. Repeating it changes nothing. */
export async function decide(
  ctx: AssistantContext,
  { runId, approvalId }: ApprovalRef,
  given: Static<typeof approvalBody>,
): Promise<"approved" | "denied"> {
  const [approval] = isUuid(approvalId) ? await approvalsOf(ctx, [approvalId]) : [];
  if (approval === undefined || approval.runId !== runId) throw await unknownIn(ctx, runId);
  const answer = await readAnswer(ctx, approval, given);
  await inTransaction(ctx.assistant.database, (tx) =>
    decideOne(tx, ctx, { approval, answer, requestId: null }),
  );
  return given.approved ? "approved" : "denied";
}

/** The caller's approvals with these ids. */
export const approvalsOf = (ctx: AssistantContext, ids: readonly string[]): Promise<StoredApproval[]> =>
  findApprovals(ctx.assistant.database.db, { owner: ctx.actor.ref, ids: ids.filter(isUuid), at: ctx.now() });

export const unknownApproval = (): Error =>
  assistantFailure("ASSISTANT_UNKNOWN_APPROVAL", { message: "The run has no such approval." });

/** Whether the run or the approval is unknown. */
async function unknownIn(ctx: AssistantContext, runId: string): Promise<Error> {
  const isKnown = isUuid(runId) && (await isOwnRun(ctx.assistant.database.db, ctx.actor.ref, runId));
  if (isKnown) return unknownApproval();
  return assistantFailure("ASSISTANT_UNKNOWN_RUN", { message: "There is no such run." });
}

async function readAnswer(
  ctx: AssistantContext,
  approval: StoredApproval,
  { approved, reason, arguments: given }: Static<typeof approvalBody>,
): Promise<ApprovalAnswer> {
  const plain = plainAnswer(approved, reason ? storable(reason) : null);
  if (!given) return plain;
  if (!approved) refuseProblems([bodyProblem(["arguments"], "are for an approval, not for a refusal")]);
  const { value, unknown } = unmasked(given, approval.arguments);
  refuseProblems([
    ...unknown.map((path) =>
      bodyProblem(["arguments", ...path], "is a mask, but nothing is stored at its place"),
    ),
    ...jsonProblems(value, ["arguments"]),
  ]);
  const edited = value as Record<string, unknown>;
  const tools = await ctx.assistant.tools.list();
  const tool = tools.find(({ server, name }) => server === approval.server && name === approval.tool);
  const problems = tool === undefined ? [] : argumentProblems(tool.inputSchema, edited);
  refuseProblems(
    problems.map((each) => ({
      ...each,
      where: `/arguments${each.where}`,
      path: ["arguments", ...each.path],
    })),
  );
  return isDeepStrictEqual(edited, approval.arguments) ? plain : { ...plain, edited };
}

interface Deciding {
  approval: Pick<StoredApproval, "id" | "runId">;
  answer: ApprovalAnswer;
  requestId: string | null;
}

/** Decides a pending approval. Throws when it was decided otherwise. */
export async function decideOne(
  tx: Db,
  ctx: AssistantContext,
  { approval: { id, runId }, answer, requestId }: Deciding,
): Promise<void> {
  const at = ctx.now();
  const before = await lockApproval(tx, { owner: ctx.actor.ref, id, runId, at });
  if (before === null) throw unknownApproval();
  const decision = answer.isApproved ? "approved" : "denied";
  if (before.status !== "pending") {
    if (before.status === decision && isDeepStrictEqual(before.edited, answer.edited)) return;
    throw assistantFailure("ASSISTANT_APPROVAL_DECIDED", {
      message:
        before.status === decision
          ? "The approval was given with other arguments."
          : `The approval is ${before.status}.`,
    });
  }
  await storeDecision(tx, { id, runId, answer, requestId, at, actor: ctx.actor });
  await writeAudit(tx, ctx, {
    operation: "decideApproval",
    subject: `approval:${id}`,
    detail: { run: runId, decision, ...(answer.edited === null ? {} : { edited: true }) },
  });
}
