/**
 * Pure: adds the events of a run to what is shown of it. What an event does not touch stays the same object, so that only the rest is
 * drawn again. Events come once more after a reload: those that are in it already are passed over.
 */
import type { StreamEvent } from "plinth-client";
import { newCall, type Block, type CallBlock, type RunEnd, type RunView } from "./run-view.ts";
import { isErrorMark, withoutMarks } from "./data-marks.ts";

interface Fields {
  [name: string]: unknown;
}

export const foldRun = (before: RunView, events: readonly StreamEvent[]): RunView => {
  let view = before;
  for (const { id, event, data } of events) {
    const seq = Number(id);
    if (!(seq > view.lastSeq)) continue;
    const fields = fieldsOf(data);
    if (fields === null) continue;
    view = { ...(stepOf(steps, event)?.(view, fields) ?? view), lastSeq: seq };
  }
  return view;
};

type Step = (view: RunView, fields: Fields) => RunView;

/** Names come from outside: none is a member that all objects have. */
const stepOf = (all: Record<string, Step>, name: string): Step | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;

const steps: Record<string, Step> = {
  RUN_STARTED: (view, { threadId }) => ({ ...view, sessionId: textOf(threadId) }),
  TEXT_MESSAGE_START: (view, { messageId }) =>
    added(view, { kind: "text", id: textOf(messageId), text: "", isOpen: true }),
  TEXT_MESSAGE_CONTENT: (view, { messageId, delta }) =>
    changeText(view, messageId, (text) => ({ ...text, text: text.text + textOf(delta) })),
  TEXT_MESSAGE_END: (view, { messageId }) =>
    changeText(view, messageId, (text) => ({ ...text, isOpen: false })),
  TOOL_CALL_START: startCall,
  TOOL_CALL_ARGS: (view, { toolCallId, delta }) =>
    changeCall(view, toolCallId, (call) => ({ ...call, arguments: call.arguments + textOf(delta) })),
  TOOL_CALL_RESULT: (view, { toolCallId, content, timestamp }) =>
    changeCall(view, toolCallId, (call) => ({
      ...call,
      result: withoutMarks(textOf(content)),
      isError: isErrorMark(textOf(content)),
      endedAt: timeOf(timestamp),
    })),
  STEP_STARTED: (view, fields) => startAgent(view, fields),
  CUSTOM: (view, { name, value, timestamp }) =>
    stepOf(customs, textOf(name))?.(view, { ...(value as Fields | null), timestamp }) ?? view,
  RUN_FINISHED: (view, { result }) => ended(view, endOf(result as Fields | undefined)),
  RUN_ERROR: (view, { code, message }) =>
    ended(view, { kind: "failed", code: textOf(code), message: textOf(message) }),
};

const customs: Record<string, Step> = {
  title: (view, { title }) => ({ ...view, title: textOf(title) }),
  approval_required: (view, fields) =>
    changeCall(view, fields["tool_call_id"], (call) => ({
      ...call,
      approval: {
        id: textOf(fields["approval_id"]),
        agents: fields["agents"] as string[],
        server: textOf(fields["server"]),
        tool: textOf(fields["tool"]),
        arguments: (fields["arguments"] ?? {}) as Fields,
        expiresAt: textOf(fields["expires_at"]),
        decision: "pending",
        reason: null,
        edited: null,
      },
    })),
  approval_decided: (view, fields) =>
    changeCall(view, fields["tool_call_id"], (call) => ({
      ...call,
      allowedAt: timeOf(fields["timestamp"]),
      approval: call.approval && {
        ...call.approval,
        decision: fields["decision"] as "approved" | "denied" | "expired",
        reason: (fields["reason"] as string | undefined) ?? null,
        edited: (fields["arguments"] as Fields | undefined) ?? null,
      },
    })),
  policies_ask: (view, fields) =>
    changeCall(view, fields["tool_call_id"], (call) => ({
      ...call,
      policyReasons: fields["reasons"] as string[],
    })),
  calls_dropped: dropCalls,
  turn_repeated: takeBack,
};

function startCall(
  view: RunView,
  { toolCallId, toolCallName, parentToolCallId, timestamp }: Fields,
): RunView {
  const call: CallBlock = {
    ...newCall(textOf(toolCallId), textOf(toolCallName)),
    startedAt: timeOf(timestamp),
  };
  if (typeof parentToolCallId !== "string") return added(view, call);
  return changeCall(view, parentToolCallId, (parent) => ({ ...parent, calls: [...parent.calls, call] }));
}

/** A step is an agent that a call asks; its name ends with the id of that call. */
const startAgent: Step = (view, { stepName }) => {
  const { callId, label } = agentOf(stepName);
  return changeCall(view, callId, (call) => ({ ...call, agent: label }));
};

const agentOf = (stepName: unknown): { callId: string; label: string } => {
  const [, label = "", callId = ""] = /^(.*) \(([^()]*)\)$/s.exec(textOf(stepName)) ?? [];
  return { callId, label };
};

function dropCalls(view: RunView, fields: Fields): RunView {
  const ids = (fields["tool_call_ids"] ?? []) as string[];
  const count = Number(fields["count"]);
  const marked = ids.reduce(
    (next, id) => changeCall(next, id, (call) => ({ ...call, isDropped: true })),
    view,
  );
  const text = `${count} ${count === 1 ? "tool call was" : "tool calls were"} not made: ${textOf(fields["limit"])} are limited.`;
  return added(marked, { kind: "note", id: `dropped-${view.lastSeq}`, text });
}

/** The process that answered has stopped, and another one asks the model again. */
function takeBack(view: RunView, fields: Fields): RunView {
  const gone = new Set([
    ...((fields["message_ids"] ?? []) as string[]),
    ...((fields["tool_call_ids"] ?? []) as string[]),
  ]);
  const kept = (calls: readonly CallBlock[]): readonly CallBlock[] =>
    calls.some(({ id, calls: inner }) => gone.has(id) || inner.length > 0)
      ? calls.filter(({ id }) => !gone.has(id)).map((call) => ({ ...call, calls: kept(call.calls) }))
      : calls;
  const blocks = view.blocks
    .filter(({ id }) => !gone.has(id))
    .map((block) => (block.kind === "call" ? { ...block, calls: kept(block.calls) } : block));
  const text = "The process that answered has stopped. Another one repeats this turn.";
  return added({ ...view, blocks }, { kind: "note", id: `repeated-${view.lastSeq}`, text });
}

const ended = (view: RunView, end: RunEnd): RunView => ({ ...view, end });

const endOf = (result: Fields = {}): RunEnd => {
  const usage = (result["usage"] ?? {}) as Fields;
  return {
    kind: "answered",
    isLimited: result["limited"] === true,
    isTruncated: result["truncated"] === true,
    use: {
      inputTokens: Number(usage["input_tokens"] ?? 0),
      outputTokens: Number(usage["output_tokens"] ?? 0),
      cost: Number(usage["cost"] ?? 0),
    },
  };
};

const added = (view: RunView, block: Block): RunView => ({ ...view, blocks: [...view.blocks, block] });

/** The changed block is nearly always one of the last. */
function changeText(
  view: RunView,
  id: unknown,
  change: (text: Extract<Block, { kind: "text" }>) => Block,
): RunView {
  const at = view.blocks.findLastIndex((block) => block.kind === "text" && block.id === id);
  const found = view.blocks[at];
  if (found?.kind !== "text") return view;
  return { ...view, blocks: view.blocks.with(at, change(found)) };
}

function changeCall(view: RunView, id: unknown, change: (call: CallBlock) => CallBlock): RunView {
  const blocks = changedIn(view.blocks, id, change);
  return blocks === null ? view : { ...view, blocks };
}

/** null where there is no such call. */
function changedIn<T extends Block>(
  blocks: readonly T[],
  id: unknown,
  change: (call: CallBlock) => CallBlock,
): readonly T[] | null {
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const block = blocks[at] as T;
    if (block.kind !== "call") continue;
    if (block.id === id) return blocks.with(at, change(block) as T);
    const calls = changedIn(block.calls, id, change);
    if (calls !== null) return blocks.with(at, { ...block, calls });
  }
  return null;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const timeOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

const fieldsOf = (data: string): Fields | null => {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? (value as Fields) : null;
  } catch {
    return null;
  }
};
