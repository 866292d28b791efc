/** Starts tasks for clients of other interfaces; the model that they name is an agent. */
import { createHash } from "node:crypto";
import type { Static } from "typebox";
import { isUuid } from "../../platform/lib/ids.ts";
import type { AssistantContext } from "../context.ts";
import { bodyProblem, invalidBody, refuseProblems } from "../body-problems.ts";
import { unsupportedInChat, unsupportedInResponse } from "./openai-inputs.ts";
import { findModel, findOwnResponse } from "./openai-reads.ts";
import { isTooLong, longestMessage } from "../runs/schema.ts";
import type { LoggedEvent } from "../runs/log/ag-ui.ts";
import { approvalIn } from "../runs/log/openai-responses.ts";
import { findUnshown, takeDecisions, type GivenDecision } from "../runs/approvals/take-decision.ts";
import { howToDecide, namedApprovals, saidDecision } from "../runs/approvals/waiting.ts";
import { followUntilWaiting } from "../runs/service.ts";
import { startTask, type StartedRun, type StartOptions } from "../runs/start-run.ts";
import { findLiveRun } from "../runs/run-store.ts";
import { findSession } from "../runs/session-store.ts";
import { estimateTokens } from "../runs/loop/prompt.ts";
import type { GivenMessage as EarlierMessage } from "../runs/loop/run-state.ts";
import type {
  aguiBody,
  chatBody,
  GivenInput,
  GivenMessage,
  GivenPart,
  responsesBody,
  uiBody,
} from "./compat-schema.ts";

const refused = (field: string, message: string): Error => invalidBody([bodyProblem([field], message)]);

function readConversation(field: string, messages: readonly GivenMessage[]): Conversation {
  const conversation = conversationOf(messages);
  if (conversation === null) throw refused(field, "must have a message of the user with a text");
  if (isTooLong(conversation.message)) {
    throw refused(field, `must end with at most ${longestMessage} characters of the user`);
  }
  return conversation;
}

/** How these clients start a run: unless it is to be resumed, their disconnecting cancels it. */
export interface ClientQuery {
  resume: boolean;
}

const optionsOf = ({ resume }: ClientQuery): StartOptions => ({ stopsWithClient: !resume });

export async function startChat(
  ctx: AssistantContext,
  body: Static<typeof chatBody>,
  query: ClientQuery,
): Promise<StartedRun> {
  refuseProblems(unsupportedInChat(body));
  const { id: agentId } = await findModel(ctx, body.model);
  const { message, before, instructions } = readConversation("messages", body.messages);
  const decisions = decisionsInChat(body.messages, message);
  if (decisions.length > 0) {
    await refuseUnshown(ctx, decisions);
    return takeDecisions(ctx, decisions);
  }
  const task = { message, agent_id: agentId, page_context: contextOf(ctx, [instructions]) };
  return startTask(ctx, task, { ...optionsOf(query), given: latestOf(ctx, before) });
}

/** The message is a decision when the assistant's last one has named approvals: the client has no session. */
function decisionsInChat(messages: readonly GivenMessage[], message: string): GivenDecision[] {
  const said = saidDecision(message);
  const last = messages.findLast(({ role }) => role === "assistant");
  if (said === null || last === undefined) return [];
  return namedApprovals(textOf(last)).map((approvalId) => ({ ...said, approvalId }));
}

/** Such a client has seen no more of the arguments than the text of an answer. */
async function refuseUnshown(ctx: AssistantContext, decisions: readonly GivenDecision[]): Promise<void> {
  const approved = decisions.filter(({ isApproved }) => isApproved).map(({ approvalId }) => approvalId);
  const [unshown] = await findUnshown(ctx, approved);
  if (unshown === undefined) return;
  const way = howToDecide(unshown);
  throw refused(
    "messages",
    `can't approve a call whose arguments were too long to be shown: read and decide it in the console, or ${way}`,
  );
}

export async function startResponse(
  ctx: AssistantContext,
  body: Static<typeof responsesBody>,
  query: ClientQuery,
): Promise<StartedRun> {
  refuseProblems(unsupportedInResponse(body));
  const { id: agentId } = await findModel(ctx, body.model);
  const items: GivenInput[] =
    typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input;
  const given = items.filter((item) => "role" in item);
  // Those before it were answered: clients that keep their own history send it whole each time.
  const last = items.findLastIndex((item) => "role" in item && item.role === "assistant");
  const decisions = items.slice(last + 1).flatMap(decisionInItem);
  if (decisions.length > 0) {
    const continued = await takeDecisions(ctx, decisions);
    if (given.at(-1)?.role !== "user") return continued;
  }
  const { message, before, instructions } = readConversation("input", given);
  const task = {
    message,
    agent_id: agentId,
    page_context: contextOf(ctx, [body.instructions ?? "", instructions]),
    session_id: await sessionOfResponse(ctx, body.previous_response_id ?? null),
  };
  return startTask(ctx, task, { ...optionsOf(query), given: latestOf(ctx, before) });
}

function decisionInItem(item: GivenInput): GivenDecision[] {
  if ("role" in item || item.type !== "mcp_approval_response") return [];
  const { approval_request_id: id, approve, reason } = item;
  if (id === undefined || approve === undefined) {
    throw refused("input", "has an mcp_approval_response without approval_request_id and approve");
  }
  return [{ approvalId: approvalIn(id), isApproved: approve, reason: reason || null }];
}

/** Instructions of the client are data to an agent, which has its own. */
function contextOf(ctx: AssistantContext, instructions: readonly string[]): string | null {
  const text = instructions.filter((each) => each !== "").join("\n\n");
  const longest = ctx.assistant.settings.runs.budgets.toolResultChars;
  return text === "" ? null : text.slice(0, longest).toWellFormed();
}

/** The latest messages of a history that is longer than any context: it is not counted with the message that is asked. */
function latestOf(ctx: AssistantContext, before: readonly EarlierMessage[]): EarlierMessage[] {
  let left = ctx.assistant.settings.runs.models.contextTokens;
  const first = before.findLastIndex(({ content }) => (left -= estimateTokens(content)) < 0);
  return before.slice(first + 1);
}

async function sessionOfResponse(ctx: AssistantContext, responseId: string | null): Promise<string | null> {
  if (responseId === null) return null;
  const run = await findOwnResponse(ctx, responseId);
  if (run === null) throw refused("previous_response_id", "is no response of yours");
  return run.sessionId;
}

/** A thread is a session: a session of the caller by its id, otherwise a session of its own for the thread. */
export async function startAgui(ctx: AssistantContext, body: Static<typeof aguiBody>): Promise<StartedRun> {
  const { message } = readConversation("messages", body.messages);
  const { threadId, runId } = body;
  const context = (body.context ?? [])
    .map(({ description, value }) => `${description}: ${value}`)
    .join("\n\n");
  const own = isUuid(threadId) ? await findSession(ctx.assistant.database.db, ctx.actor.ref, threadId) : null;
  const task = { message, request_id: runId, page_context: context === "" ? null : context };
  if (own !== null) return startTask(ctx, { ...task, session_id: own.id });
  return startTask(ctx, task, { newSessionId: idOfThread(ctx.actor.ref, threadId) });
}

export interface StartedChat {
  started: StartedRun;
  /** Whether the answer goes on in the client's last message. */
  continues: boolean;
}

/**
 * A chat has a session, which holds its earlier messages: only the last one is taken, and the decisions in the last one of the
 * assistant.
 */
export async function startUi(
  ctx: AssistantContext,
  body: Static<typeof uiBody>,
  query: ClientQuery,
): Promise<StartedChat> {
  const decisions = decisionsInParts(body.messages.findLast(({ role }) => role === "assistant")?.parts ?? []);
  if (decisions.length > 0) {
    const started = await takeDecisions(ctx, decisions);
    if (body.messages.at(-1)?.role === "assistant") return { started, continues: true };
  }
  const given = body.messages.map(({ role, parts = [] }) => ({ role, content: parts }));
  const { message } = readConversation("messages", given);
  const options = { ...optionsOf(query), newSessionId: idOfThread(ctx.actor.ref, body.id) };
  return { started: await startTask(ctx, { message }, options), continues: false };
}

/** What the user has answered and the tool has not. */
const decisionsInParts = (parts: readonly GivenPart[]): GivenDecision[] =>
  parts.flatMap(({ state, approval }) => {
    if (state !== "approval-responded" || approval?.approved === undefined) return [];
    return [{ approvalId: approval.id, isApproved: approval.approved, reason: approval.reason || null }];
  });

/** The events of the run that is answering in a chat, from the first one; null when there is none. */
export async function followChat(
  ctx: AssistantContext,
  chatId: string,
): Promise<AsyncGenerator<LoggedEvent[]> | null> {
  const sessionId = idOfThread(ctx.actor.ref, chatId);
  const runId = await findLiveRun(ctx.assistant.database.db, ctx.actor.ref, sessionId);
  if (runId === null) return null;
  return followUntilWaiting(ctx, { runId, sessionId, requestId: "" }, { isSaid: false });
}

/** The id of the session of a thread; threads of different owners never share one. */
function idOfThread(owner: string, threadId: string): string {
  const hex = createHash("sha256").update(`${owner}\n${threadId}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export interface Conversation {
  message: string;
  before: EarlierMessage[];
  /** Those of the client, which come as messages of the system. */
  instructions: string;
}

export function textOf({ content }: GivenMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text = "" }) => text).join("");
}

/** The last message of the user, and the earlier messages; null without a message of the user. */
export function conversationOf(messages: readonly GivenMessage[]): Conversation | null {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const asked = messages[last];
  if (asked === undefined || textOf(asked) === "") return null;
  const said = messages.slice(0, last).map((each) => ({ role: each.role, content: textOf(each) }));
  const before = said.flatMap(({ role, content }): EarlierMessage[] => {
    const known = role === "function" ? "tool" : role;
    const isSaid = known === "user" || known === "assistant" || known === "tool";
    return isSaid && content !== "" ? [{ role: known, content }] : [];
  });
  const instructions = said.filter(({ role }) => role === "system" || role === "developer");
  return {
    message: textOf(asked),
    before,
    instructions: instructions.map(({ content }) => content).join("\n\n"),
  };
}
