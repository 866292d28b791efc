/** Runs as A2A tasks: their present state, and the updates that follow. */
import { isUuid } from "../../../platform/lib/ids.ts";
import type { AssistantContext } from "../../context.ts";
import { assistantErrors, type AssistantCode } from "../../error-codes.ts";
import {
  endsStream,
  foldTask,
  isEnded,
  type TaskState,
  type TaskUpdate,
  type TaskView,
} from "./fold-task.ts";
import { listApprovals } from "../../runs/approvals/store.ts";
import { lastSeqOf, readAllRunEvents } from "../../runs/log/event-store.ts";
import type { RunStatus } from "../../runs/loop/run-state.ts";
import { refusal } from "./rpc-error.ts";
import { readTask, type TaskRow } from "./store.ts";

/** A task of the caller; throws when there is none with this id. */
export async function mustFind(ctx: AssistantContext, id: string): Promise<TaskRow> {
  const { database } = ctx.assistant;
  const task = isUuid(id) ? await readTask(database.db, ctx.actor.ref, id) : null;
  if (task === null) throw refusal("unknownTask");
  return task;
}

const states: Record<RunStatus, TaskState> = {
  queued: "submitted",
  running: "working",
  waiting: "input-required",
  completed: "completed",
  failed: "failed",
  cancelled: "canceled",
  interrupted: "failed",
};

export const stateOf = ({ status, isStarted }: TaskRow): TaskState =>
  status === "queued" && isStarted ? "working" : states[status];

const plainView = (task: TaskRow): TaskView => ({
  id: task.id,
  contextId: task.sessionId,
  // Whether it waits for an approval is in its events.
  state: task.isStarted && !isEnded({ state: stateOf(task) }) ? "working" : stateOf(task),
  at: task.changedAt,
  userMessage: { messageId: task.requestId, text: task.message },
  text: task.answer,
  pending: [],
  problem: task.errorCode === null ? null : { code: task.errorCode, message: meaningOf(task.errorCode) },
  limited: task.limited,
});

const meaningOf = (code: string): string =>
  Object.hasOwn(assistantErrors, code)
    ? assistantErrors[code as AssistantCode].meaning
    : "Something failed on our side.";

/** A task that has ended is read from its row: its events are deleted earlier. */
export async function viewOf(ctx: AssistantContext, task: TaskRow): Promise<TaskView> {
  const view = plainView(task);
  if (isEnded(view)) return view;
  const fold = foldTask(view, await decidedOf(ctx, task.id));
  fold.apply(await readAllRunEvents(ctx.assistant.database.db, task.id));
  return fold.view();
}

async function decidedOf(ctx: AssistantContext, runId: string): Promise<Set<string>> {
  const approvals = await listApprovals(ctx.assistant.database.db, runId);
  return new Set(approvals.flatMap(({ id, status }) => (status === "pending" ? [] : [id])));
}

interface Following {
  /** Which state is sent first: that of the first event, or the present one. */
  from: "start" | "now";
  staysOpen: boolean;
}

/** The task, then its updates until it ends. */
export async function* follow(
  ctx: AssistantContext,
  task: TaskRow,
  { from, staysOpen }: Following,
): AsyncGenerator<TaskUpdate> {
  const { database, runLog } = ctx.assistant;
  const start = plainView(task);
  if (isEnded(start)) {
    yield { kind: "task", view: start };
    return;
  }
  const first: TaskView = from === "start" ? { ...start, state: "submitted", at: null } : start;
  const fold = foldTask(first, await decidedOf(ctx, task.id));
  let unread = from === "start" ? 1 : await lastSeqOf(database.db, task.id);
  for await (const events of runLog.tail(task.id, { after: 0, signal: ctx.signal })) {
    const texts = events.map(({ data }) => data);
    const before = texts.splice(0, unread);
    fold.apply(before);
    unread -= before.length;
    if (unread > 0) continue;
    const snapshot: TaskUpdate[] = before.length > 0 ? [{ kind: "task", view: fold.view() }] : [];
    for (const update of [...snapshot, ...fold.apply(texts)]) {
      yield update;
      if (endsStream(update, staysOpen)) return;
    }
  }
}
