/** Pure: the UI message stream of AI SDK clients. */
import { isIncomplete, type RunEvent, type RunResult } from "./ag-ui.ts";
import type { Encoder } from "./encoder.ts";

const done = { data: "[DONE]" };

export function uiEncoder(): Encoder {
  const calls = new Map<string, { name: string; text: string }>();
  return ({ data }) => {
    const event = JSON.parse(data) as RunEvent;
    switch (event.type) {
      case "RUN_STARTED":
        return [{ data: { type: "start", messageId: event.runId } }, { data: { type: "start-step" } }];
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
        const head = { toolCallId: event.toolCallId, toolName: name, dynamic: true };
        return [
          { data: { type: "tool-input-start", ...head } },
          { data: { type: "tool-input-available", ...head, input: parsed(text) } },
        ];
      }
      case "TOOL_CALL_RESULT":
        return [
          {
            data: {
              type: "tool-output-available",
              toolCallId: event.toolCallId,
              output: event.content,
              dynamic: true,
            },
          },
        ];
      case "CUSTOM":
        return [{ data: { type: `data-${event.name.replaceAll("_", "-")}`, data: event.value } }];
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text || "{}");
  } catch {
    return text;
  }
}
