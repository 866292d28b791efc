/** Pure: tasks and their updates in the wire formats of both versions of A2A. */
import type { TaskState, TaskUpdate, TaskView } from "./fold-task.ts";

export type A2aVersion = "1.0" | "0.3";

type Kind = "task" | "message" | "status-update" | "artifact-update";

interface Dialect {
  state(state: TaskState): string;
  user: string;
  agent: string;
  text(text: string): object;
  data(data: object): object;
  /** An object in a field of its own type, or a whole result. */
  plain(kind: Kind, value: object): object;
  /** An object where several kinds are possible. */
  choice(kind: Kind, value: object): object;
  /** Marks the last event of a stream. */
  end(isLast: boolean): object;
}

const keys: Record<Kind, string> = {
  task: "task",
  message: "message",
  "status-update": "statusUpdate",
  "artifact-update": "artifactUpdate",
};

/** The name of a state in 1.0. */
export const stateNameV1 = (state: TaskState): string =>
  `TASK_STATE_${state.toUpperCase().replaceAll("-", "_")}`;

const dialects: Record<A2aVersion, Dialect> = {
  "1.0": {
    state: stateNameV1,
    user: "ROLE_USER",
    agent: "ROLE_AGENT",
    text: (text) => ({ text }),
    data: (data) => ({ data, mediaType: "application/json" }),
    plain: (_kind, value) => value,
    choice: (kind, value) => ({ [keys[kind]]: value }),
    end: () => ({}),
  },
  "0.3": {
    state: (state) => state,
    user: "user",
    agent: "agent",
    text: (text) => ({ kind: "text", text }),
    data: (data) => ({ kind: "data", data }),
    plain: (kind, value) => ({ kind, ...value }),
    choice: (kind, value) => ({ kind, ...value }),
    end: (isLast) => ({ final: isLast }),
  },
};

export interface HistoryLimit {
  /** Number of messages; null for all. */
  historyLength: number | null;
}

export const taskOf = (version: A2aVersion, view: TaskView, history: HistoryLimit): object =>
  dialects[version].plain("task", bareTask(version, view, history));

/** The result of sending a message. */
export const sendResultOf = (version: A2aVersion, view: TaskView, history: HistoryLimit): object =>
  dialects[version].choice("task", bareTask(version, view, history));

/** One event of a stream; `isLast` for the last one. */
export function eventOf(version: A2aVersion, update: TaskUpdate, isLast: boolean): object {
  const dialect = dialects[version];
  const { view } = update;
  const place = { taskId: view.id, contextId: view.contextId };
  if (update.kind === "task") return sendResultOf(version, view, { historyLength: null });
  if (update.kind === "status") {
    const status = statusOf(dialect, view);
    return dialect.choice("status-update", { ...place, status, ...dialect.end(isLast), ...metadataOf(view) });
  }
  const artifact = answerOf(dialect, update.text);
  return dialect.choice("artifact-update", { ...place, artifact, append: update.append });
}

function bareTask(version: A2aVersion, view: TaskView, { historyLength }: HistoryLimit): object {
  const dialect = dialects[version];
  const { id, contextId, userMessage, text } = view;
  const message = {
    messageId: userMessage.messageId,
    taskId: id,
    contextId,
    role: dialect.user,
    parts: [dialect.text(userMessage.text)],
  };
  return {
    id,
    contextId,
    status: statusOf(dialect, view),
    ...(text === "" ? {} : { artifacts: [answerOf(dialect, text)] }),
    ...(historyLength === 0 ? {} : { history: [dialect.plain("message", message)] }),
    ...metadataOf(view),
  };
}

const metadataOf = ({ limited }: TaskView): object => (limited ? { metadata: { limited } } : {});

const answerOf = (dialect: Dialect, text: string): object => ({
  artifactId: "answer",
  name: "answer",
  parts: [dialect.text(text)],
});

function statusOf(dialect: Dialect, view: TaskView): object {
  const { id, contextId, state, at } = view;
  const note = noteOf(dialect, view);
  const message = { taskId: id, contextId, role: dialect.agent, ...note };
  return {
    state: dialect.state(state),
    ...(at === null ? {} : { timestamp: at }),
    ...(note === null ? {} : { message: dialect.plain("message", message) }),
  };
}

/** The agent's message about the state. */
function noteOf(dialect: Dialect, { id, state, pending, problem }: TaskView): object | null {
  const last = pending.at(-1);
  if (state === "input-required" && last !== undefined) {
    return {
      messageId: last.approval_id,
      parts: [dialect.text(decisionAdvice), ...pending.map((each) => dialect.data(each))],
    };
  }
  if (problem === null) return null;
  return {
    messageId: `${id}-end`,
    parts: [dialect.text(problem.message)],
    metadata: { code: problem.code },
  };
}

const decisionAdvice =
  'A tool waits for you to allow it. Answer with a message of this task that has a data part {"approval_id": …, ' +
  '"approved": true} or false for each, or decide in the platform.';
