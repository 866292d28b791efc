/** Pure: the UI message stream of AI SDK clients. */
import type { StreamRecord } from "../../../platform/http/responses/sse.ts";
import { isIncomplete, type RunEvent, type RunResult } from "./ag-ui.ts";
import type { Encoder, EncodeOptions } from "./encoder.ts";

const done = { data: "[DONE]" };

type UiOptions = Pick<EncodeOptions, "continues" | "messageId">;

export function uiEncoder({ continues = false, messageId }: UiOptions = {}): Encoder {
  const calls = new Map<string, { name: string; text: string }>();
  const approvals = approvalParts(continues, (callId) => calls.has(callId));
  return ({ data }) => {
    const event = JSON.parse(data) as RunEvent;
    switch (event.type) {
      case "RUN_STARTED":
        return [
          { data: { type: "start", messageId: messageId ?? event.runId } },
          { data: { type: "start-step" } },
        ];
      case "TEXT_MESSAGE_START":
        return [{ data: { type: "text-start", id: event.messageId } }];
      case "TEXT_MESSAGE_CONTENT":
        return [{ data: { type: "text-delta", id: event.messageId, delta: event.delta } }];
      case "TEXT_MESSAGE_END":
        return [{ data: { type: "text-end", id: event.messageId } }];
      case "TOOL_CALL_START":
        calls.set(event.toolCallId, { name: event.toolCallName, text: "" });
        return [];
      case "TOOL_CALL_ARGS": {
        const call = calls.get(event.toolCallId);
        if (call) call.text += event.delta;
        return [];
      }
      case "TOOL_CALL_END": {
        const { name = "", text = "" } = calls.get(event.toolCallId) ?? {};
        return inputParts(event.toolCallId, name, parsed(text));
      }
      case "TOOL_CALL_RESULT":
        return approvals.result(event);
      case "CUSTOM":
        return approvals.custom(event);
      case "RUN_FINISHED":
        return [{ data: { type: "finish-step" } }, { data: finishOf(event.result) }, done];
      case "RUN_ERROR":
        return [{ data: { type: "error", errorText: event.message } }, { data: { type: "finish" } }, done];
      default:
        return [];
    }
  };
}

function finishOf(result: RunResult): object {
  if (!isIncomplete(result)) return { type: "finish" };
  const { limited, truncated = false } = result;
  return { type: "finish", messageMetadata: { limited, truncated } };
}

function inputParts(toolCallId: string, toolName: string, input: unknown): StreamRecord[] {
  const head = { toolCallId, toolName, dynamic: true };
  return [
    { data: { type: "tool-input-start", ...head } },
    { data: { type: "tool-input-available", ...head, input } },
  ];
}

type Custom = Extract<RunEvent, { type: "CUSTOM" }>;
type Result = Extract<RunEvent, { type: "TOOL_CALL_RESULT" }>;

interface Decided {
  approval_id: string;
  tool_call_id: string;
  decision: string;
  reason?: string;
}

/**
 * Approvals and results of tools. A part of the client's message that a record is about must be there: in this stream, or in
 * the earlier one that this stream continues.
 */
function approvalParts(continues: boolean, isCall: (callId: string) => boolean) {
  const requested = new Set<string>();
  const refused = new Set<string>();
  const request = (approvalId: string, toolCallId: string): StreamRecord[] => {
    if (requested.has(approvalId)) return [];
    requested.add(approvalId);
    return [{ data: { type: "tool-approval-request", approvalId, toolCallId } }];
  };
  const decided = ({
    approval_id: approvalId,
    tool_call_id: callId,
    decision,
    reason,
  }: Decided): StreamRecord[] => {
    if (decision !== "approved") refused.add(callId);
    if (!continues && !requested.has(approvalId)) return [];
    const approved = decision === "approved";
    const why = reason === undefined ? {} : { reason };
    return [{ data: { type: "tool-approval-response", approvalId, approved, ...why } }];
  };
  /** What another run of the session waits for: its calls are not in this stream. */
  const waiting = ({ approvals = [] }: RunResult): StreamRecord[] =>
    approvals.flatMap(({ approval_id: id, tool_call_id: callId, server, tool, arguments: input }) => {
      if (continues || requested.has(id)) return [];
      return [
        ...(isCall(callId) ? [] : inputParts(callId, `${server}__${tool}`, input)),
        ...request(id, callId),
      ];
    });
  return {
    custom({ name, value }: Custom): StreamRecord[] {
      if (name === "waiting_for_approval") return waiting(value as RunResult);
      const part = { data: { type: `data-${name.replaceAll("_", "-")}`, data: value } };
      const { approval_id: id, tool_call_id: callId } = value as Decided;
      if (name === "approval_required") return [part, ...request(id, callId)];
      return name === "approval_decided" ? [part, ...decided(value as Decided)] : [part];
    },
    result({ toolCallId, content }: Result): StreamRecord[] {
      if (!continues && !isCall(toolCallId)) return [];
      if (refused.has(toolCallId)) return [{ data: { type: "tool-output-denied", toolCallId } }];
      return [{ data: { type: "tool-output-available", toolCallId, output: content, dynamic: true } }];
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text || "{}");
  } catch {
    return text;
  }
}
