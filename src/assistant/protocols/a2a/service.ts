/** The methods of A2A: a task is a run, a context is a session, the id of a message is the id of the request. */
import type { Static } from "typebox";
import { Failure } from "../../../platform/errors/failure.ts";
import type { AssistantContext } from "../../context.ts";
import { endsStream, isEnded, type TaskUpdate } from "./fold-task.ts";
import { eventOf, sendResultOf, taskOf, type A2aVersion } from "./dialects.ts";
import { isTooLong, longestMessage } from "../../runs/schema.ts";
import { isUuid } from "../../../platform/lib/ids.ts";
import { findRunOfRequest } from "../../runs/run-store.ts";
import { decideBySession } from "../../runs/approvals/take-decision.ts";
import { findWaitingRun } from "../../runs/approvals/waiting-store.ts";
import { decide } from "../../runs/approvals/service.ts";
import { cancelRun } from "../../runs/service.ts";
import { startTask } from "../../runs/start-run.ts";
import { decisionsOf, readMessage, type SentMessage } from "./read-message.ts";
import { invalidParams, refusal, violationsOf, type Refusal, type Violation } from "./rpc-error.ts";
import type { taskParams } from "./schema.ts";
import type { TaskRow } from "./store.ts";
import { follow, mustFind, stateOf, viewOf } from "./tasks.ts";

export interface Call {
  version: A2aVersion;
  /** Have passed the schema of the method. */
  params: Record<string, unknown>;
  /** Null for the agent of the session, or the default. */
  agentId: string | null;
}

export type Events = AsyncGenerator<object>;

export async function send(ctx: AssistantContext, { version, params, agentId }: Call): Promise<object> {
  const message = readMessage[version](params);
  let task = await takeMessage(ctx, message, agentId);
  if (!message.returnsAtOnce) {
    await drain(follow(ctx, task, { from: "now", staysOpen: false }));
    task = await mustFind(ctx, task.id);
  }
  return sendResultOf(version, await viewOf(ctx, task), message);
}

async function drain(updates: AsyncGenerator<TaskUpdate>): Promise<void> {
  for (let isDone = false; !isDone;) ({ done: isDone = false } = await updates.next());
}

export async function stream(ctx: AssistantContext, { version, params, agentId }: Call): Promise<Events> {
  const message = readMessage[version](params);
  const task = await takeMessage(ctx, message, agentId);
  const from = message.taskId === null ? "start" : "now";
  return encodedEvents(version, follow(ctx, task, { from, staysOpen: false }), false);
}

/** Stays open while the task waits for approvals, since the user may decide through another interface. */
export async function subscribe(ctx: AssistantContext, { version, params }: Call): Promise<Events> {
  const task = await mustFind(ctx, (params as Static<typeof taskParams>).id);
  if (isEnded({ state: stateOf(task) })) throw refusal("unsupported", "The task has ended; get it instead.");
  return encodedEvents(version, follow(ctx, task, { from: "now", staysOpen: true }), true);
}

export async function getTask(ctx: AssistantContext, { version, params }: Call): Promise<object> {
  const { id, historyLength = null } = params as Static<typeof taskParams>;
  return taskOf(version, await viewOf(ctx, await mustFind(ctx, id)), { historyLength });
}

export async function cancel(ctx: AssistantContext, { version, params }: Call): Promise<object> {
  const { id } = params as Static<typeof taskParams>;
  await withProtocolErrors(() => cancelRun(ctx, id));
  return taskOf(version, await viewOf(ctx, await mustFind(ctx, id)), { historyLength: null });
}

/** Starts the task of a message, or finds it. A message to an existing task has to decide its approvals. */
async function takeMessage(
  ctx: AssistantContext,
  message: SentMessage,
  agentId: string | null,
): Promise<TaskRow> {
  if (message.wantsPush) throw refusal("noPush");
  if (message.hasFiles) throw refusal("noFiles");
  if (message.taskId !== null) {
    await takeDecisions(ctx, await mustFind(ctx, message.taskId), message);
    return mustFind(ctx, message.taskId);
  }
  const text = message.texts.join("\n\n");
  if (text === "") throw wrongParts("must have a part with a text");
  if (isTooLong(text)) throw wrongParts(`must have at most ${longestMessage} characters of text`);
  const waiting = await waitingTask(ctx, { message, text });
  if (waiting !== null) return mustFind(ctx, waiting);
  const context = message.data.map((value) => JSON.stringify(value)).join("\n");
  const { runId } = await withProtocolErrors(() =>
    startTask(ctx, {
      message: text,
      request_id: message.messageId,
      session_id: message.contextId,
      agent_id: agentId,
      page_context: context === "" ? null : context,
    }),
  );
  return mustFind(ctx, runId);
}

/** A message to a context that waits gets the task that waits; one that is exactly a decision continues it. */
async function waitingTask(
  ctx: AssistantContext,
  { message, text }: { message: SentMessage; text: string },
): Promise<string | null> {
  const { database } = ctx.assistant;
  const { contextId: sessionId, messageId } = message;
  if (sessionId === null || !isUuid(sessionId)) return null;
  if ((await findRunOfRequest(database.db, ctx.actor.ref, messageId)) !== null) return null;
  const runId = await findWaitingRun(database.db, ctx.actor.ref, sessionId);
  if (runId === null) return null;
  const decision = { sessionId, message: text, requestId: messageId };
  await withProtocolErrors(() => decideBySession(ctx, decision));
  return runId;
}

const wrongParts = (description: string): Refusal => invalidParams([{ field: "message.parts", description }]);

async function takeDecisions(ctx: AssistantContext, task: TaskRow, message: SentMessage): Promise<void> {
  if (message.contextId !== null && message.contextId !== task.sessionId) {
    throw invalidParams([{ field: "message.contextId", description: "is not the context of the task" }]);
  }
  const text = message.texts.join("\n\n");
  const decision = { sessionId: task.sessionId, message: text, requestId: message.messageId };
  if (task.status === "waiting" && (await withProtocolErrors(() => decideBySession(ctx, decision))) !== null)
    return;
  const said = decisionsOf(message);
  if (said === null && task.status === "waiting") {
    throw wrongParts(
      'must have a data part {"approval_id": …, "approved": true or false}: the task waits for that',
    );
  }
  if (said === null) {
    const advice = "Send a message with its contextId alone for a new task.";
    throw refusal("unsupported", `The task is ${stateOf(task)} and takes no message. ${advice}`);
  }
  for (const { approvalId, ...answer } of said) {
    await withProtocolErrors(() => decide(ctx, { runId: task.id, approvalId }, answer));
  }
}

async function* encodedEvents(
  version: A2aVersion,
  updates: AsyncGenerator<TaskUpdate>,
  staysOpen: boolean,
): Events {
  for await (const update of updates) yield eventOf(version, update, endsStream(update, staysOpen));
}

/** Converts failures of the run service into errors of the protocol. */
async function withProtocolErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure ? protocolError(error) : error;
  }
}

function protocolError(failure: Failure): Error {
  switch (failure.code) {
    case "ASSISTANT_UNKNOWN_RUN":
      return refusal("unknownTask");
    case "ASSISTANT_RUN_ENDED":
      return refusal("notCancelable");
    case "ASSISTANT_UNKNOWN_SESSION":
      return invalidParams([{ field: "message.contextId", description: "is no context of yours" }]);
    case "ASSISTANT_UNKNOWN_APPROVAL":
      return wrongParts("name an approval that the task does not have");
    case "ASSISTANT_APPROVAL_DECIDED":
      return refusal("unsupported", failure.message);
    default:
      return failure.kind === "invalid"
        ? invalidParams(violationsOf(failure.problems).map(withWireFieldName))
        : failure;
  }
}

const fieldNames: Record<string, string> = {
  message: "message.parts",
  request_id: "message.messageId",
  session_id: "message.contextId",
};

const withWireFieldName = ({ field, description }: Violation): Violation => ({
  field: fieldNames[field] ?? field,
  description,
});
