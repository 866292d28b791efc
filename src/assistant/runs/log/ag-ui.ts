/**
 * Pure: the events of a run, as of AG-UI 1.0. `type` is the first field, so that readers find it without parsing. `timestamp`, in
 * milliseconds, is on those from which a reader tells how long a call took and how long it waited for its user. `parentToolCallId` is ours:
 * the call that asks the agent which makes this one, since agents at work side by side share the log.
 */
export type RunEvent =
  | { type: "RUN_STARTED"; threadId: string; runId: string }
  | { type: "TEXT_MESSAGE_START"; messageId: string; role: "assistant" }
  | { type: "TEXT_MESSAGE_CONTENT"; messageId: string; delta: string }
  | { type: "TEXT_MESSAGE_END"; messageId: string }
  | {
      type: "TOOL_CALL_START";
      toolCallId: string;
      toolCallName: string;
      parentToolCallId?: string;
      timestamp?: number;
    }
  | { type: "TOOL_CALL_ARGS"; toolCallId: string; delta: string }
  | { type: "TOOL_CALL_END"; toolCallId: string }
  | {
      type: "TOOL_CALL_RESULT";
      messageId: string;
      toolCallId: string;
      content: string;
      role: "tool";
      timestamp?: number;
    }
  | { type: "STEP_STARTED"; stepName: string }
  | { type: "STEP_FINISHED"; stepName: string }
  | { type: "CUSTOM"; name: string; value: unknown; timestamp?: number }
  | { type: "RUN_FINISHED"; threadId: string; runId: string; result: RunResult }
  | { type: "RUN_ERROR"; message: string; code: string };

/** The response of Task Sync, with more about the run. */
export interface RunResult {
  message: string;
  title: string;
  session_id: string;
  request_id: string;
  /** A limit of the run was reached; the model had one more turn, without tools, to answer. */
  limited: boolean;
  /** The model stopped in the middle of the answer, at the limit of its provider. */
  truncated?: boolean;
  usage: RunUsage;
  /** Of a run that waits for its user, or of a message to a session that does. */
  approvals?: WaitingApproval[];
}

/** A tool call that waits for the user; secrets in its arguments are masked. */
export interface WaitingApproval {
  approval_id: string;
  run_id: string;
  tool_call_id: string;
  agents: string[];
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
  expires_at: string;
}

/** Whether the answer is not what it would have been without a limit; other protocols have one word for both reasons. */
export const isIncomplete = ({ limited, truncated }: Pick<RunResult, "limited" | "truncated">): boolean =>
  limited || truncated === true;

/** What a run has used of models, as it is on the wire. */
export interface RunUsage {
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost: number;
}

export interface LoggedEvent {
  /** From 1 on, without gaps. */
  seq: number;
  type: string;
  /** JSON text. */
  data: string;
}

const typeStart = '{"type":"'.length;

export const typeOf = (data: string): string => data.slice(typeStart, data.indexOf('"', typeStart));

export const isTerminal = ({ type }: Pick<LoggedEvent, "type">): boolean =>
  type === "RUN_FINISHED" || type === "RUN_ERROR";

/** A turn that begins again takes its text back, see repeat.ts. */
const repeatStart = '{"type":"CUSTOM","name":"turn_repeated"';

/** The text of the last message of a run that ended without a complete answer. */
export function partialAnswer(events: readonly string[]): string {
  let text = "";
  for (const data of events) {
    const type = typeOf(data);
    if (type === "TEXT_MESSAGE_START" || data.startsWith(repeatStart)) text = "";
    else if (type === "TEXT_MESSAGE_CONTENT") text += (JSON.parse(data) as { delta: string }).delta;
  }
  return text;
}

/** What is stored of a run that has ended, beside its log. */
export interface EndedRun {
  runId: string;
  sessionId: string;
  requestId: string;
  status: string;
  errorCode: string | null;
  answer: string;
  limited: boolean;
  title: string;
  usage: RunUsage;
}

/** Events that stand for those of a log that was deleted: the answer as one message. */
export function eventsInstead(run: EndedRun): LoggedEvent[] {
  const { runId, sessionId, answer } = run;
  const messageId = `${runId}-stored`;
  const said: RunEvent[] = [
    { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId, delta: answer },
    { type: "TEXT_MESSAGE_END", messageId },
  ];
  const all: RunEvent[] = [
    { type: "RUN_STARTED", threadId: sessionId, runId },
    ...(answer === "" ? [] : said),
    endInstead(run),
  ];
  return all.map((event, index) => ({ seq: index + 1, type: event.type, data: JSON.stringify(event) }));
}

function endInstead({ runId, sessionId, ...run }: EndedRun): RunEvent {
  if (run.status !== "completed") {
    const message = `The run has ended: ${run.status}. Its log was deleted.`;
    return { type: "RUN_ERROR", message, code: run.errorCode ?? "PLATFORM_INTERNAL" };
  }
  const result = {
    message: run.answer,
    title: run.title,
    session_id: sessionId,
    request_id: run.requestId,
    limited: run.limited,
    usage: run.usage,
  };
  return { type: "RUN_FINISHED", threadId: sessionId, runId, result };
}
