/** Pure: a run as an A2A task: folds its events into the state of the task and the updates for readers. */
import { isIncomplete, typeOf, type RunEvent } from "../../runs/log/ag-ui.ts";

export const taskStates = [
  "submitted",
  "working",
  "input-required",
  "completed",
  "failed",
  "canceled",
] as const;
export type TaskState = (typeof taskStates)[number];

/** A tool call that waits for the user, as in an `approval_required` event. */
export interface PendingApproval {
  approval_id: string;
  [more: string]: unknown;
}

export interface TaskView {
  id: string;
  contextId: string;
  state: TaskState;
  /** Since when, if known. */
  at: string | null;
  userMessage: { messageId: string; text: string };
  /** The answer so far. */
  text: string;
  pending: readonly PendingApproval[];
  /** Why the answer is missing or not whole. */
  problem: { code: string; message: string } | null;
  limited: boolean;
}

export type TaskUpdate =
  | { kind: "task"; view: TaskView }
  | { kind: "status"; view: TaskView }
  | { kind: "artifact"; view: TaskView; text: string; append: boolean };

export interface TaskFold {
  view(): TaskView;
  /** The updates of the next events. */
  apply(events: readonly string[]): TaskUpdate[];
}

/** `decided` are approvals that are no longer pending, although the log may not show that yet. */
export function foldTask(start: TaskView, decided: ReadonlySet<string>): TaskFold {
  let view = start;
  let isNewMessage = true;
  let approvalsChanged = false;
  let updates: TaskUpdate[] = [];
  const setStatus = (change: Partial<TaskView>): void => {
    view = { ...view, at: null, ...change };
    updates.push({ kind: "status", view });
  };
  const addText = (text: string, append: boolean): void => {
    view = { ...view, text: append ? view.text + text : text };
    const last = updates.at(-1);
    // Text that was committed together is sent together.
    if (append && last?.kind === "artifact") updates.splice(-1, 1, { ...last, view, text: last.text + text });
    else updates.push({ kind: "artifact", view, text, append });
  };
  const reportApprovals = (): void => {
    if (!approvalsChanged) return;
    approvalsChanged = false;
    setStatus({ state: view.pending.length > 0 ? "input-required" : "working" });
  };
  const applyEvent = (event: RunEvent): void => {
    switch (event.type) {
      case "TEXT_MESSAGE_START":
        isNewMessage = true;
        break;
      case "TEXT_MESSAGE_CONTENT":
        // Text before a tool call is not the answer: the next message replaces it.
        addText(event.delta, !isNewMessage);
        isNewMessage = false;
        break;
      case "RUN_FINISHED":
        if (event.result.message !== view.text) addText(event.result.message, false);
        setStatus({ state: "completed", pending: [], limited: isIncomplete(event.result) });
        break;
      case "RUN_ERROR": {
        const { code, message } = event;
        const state = code === "run_cancelled" ? "canceled" : "failed";
        setStatus({ state, pending: [], problem: { code, message } });
        break;
      }
      default:
    }
  };
  /** False for an event that is not about approvals. */
  const applyApproval = (event: RunEvent): boolean => {
    if (event.type !== "CUSTOM" || !event.name.startsWith("approval_")) return false;
    const value = event.value as PendingApproval;
    const isRequired = event.name === "approval_required";
    const others = view.pending.filter(({ approval_id: id }) => id !== value.approval_id);
    if (isRequired ? decided.has(value.approval_id) : others.length === view.pending.length) return true;
    view = { ...view, pending: isRequired ? [...others, value] : others };
    approvalsChanged = true;
    return true;
  };
  return {
    view: () => view,
    apply(events) {
      updates = [];
      for (const data of events) {
        const type = typeOf(data);
        if (type === "RUN_STARTED") continue;
        if (view.state === "submitted") setStatus({ state: "working" });
        const event = relevantTypes.has(type) ? (JSON.parse(data) as RunEvent) : null;
        if (event !== null && applyApproval(event)) continue;
        reportApprovals();
        if (event !== null) applyEvent(event);
      }
      reportApprovals();
      return updates;
    },
  };
}

/** Other events, such as long results of tools, are not parsed. */
const relevantTypes = new Set([
  "TEXT_MESSAGE_START",
  "TEXT_MESSAGE_CONTENT",
  "CUSTOM",
  "RUN_FINISHED",
  "RUN_ERROR",
]);

const ended: ReadonlySet<TaskState> = new Set(["completed", "failed", "canceled"]);

export const isEnded = ({ state }: Pick<TaskView, "state">): boolean => ended.has(state);

/** Whether a stream ends with this update: at the end of the task or, unless it stays open, when the task waits for the user. */
export const endsStream = ({ kind, view }: TaskUpdate, staysOpen: boolean): boolean =>
  kind !== "artifact" && (isEnded(view) || (!staysOpen && view.state === "input-required"));
