/** Pure: the events of the Responses interface, with all text as one message. */
import type { StreamRecord } from "../../../platform/http/responses/sse.ts";
import { isIncomplete, type RunEvent, type RunResult, type WaitingApproval } from "./ag-ui.ts";
import type { Encoder, EncodeOptions } from "./encoder.ts";
import { isRepeated, repeatNote } from "./repeat.ts";

/** The id of an answer: of a run, and of its answer after a decision has continued it behind an event. */
export const answerId = (runId: string, after = 0): string => (after === 0 ? runId : `${runId}_${after}`);

/** The run and the event of a response's id; null for another id. */
export function answerIn(responseId: string): { runId: string; after: number } | null {
  const found = /^(?:resp_)?(?<runId>[0-9a-f-]{36})(?:_(?<after>[1-9]\d{0,8}))?$/i.exec(responseId)?.groups;
  return found === undefined ? null : { runId: found["runId"] ?? "", after: Number(found["after"] ?? 0) };
}

interface Output {
  /** See `answerId`. */
  runId: string;
  text: string;
  approvals?: readonly WaitingApproval[] | undefined;
}

const approvalPrefix = "mcpr_";

/** The id of an approval in an item of the client. */
export const approvalIn = (itemId: string): string =>
  itemId.startsWith(approvalPrefix) ? itemId.slice(approvalPrefix.length) : itemId;

/** An approval is the client's to give, as for tools of MCP servers. */
const approvalItem = ({ approval_id: id, server, tool, arguments: given }: WaitingApproval) => ({
  id: `${approvalPrefix}${id}`,
  type: "mcp_approval_request",
  server_label: server,
  name: tool,
  arguments: JSON.stringify(given),
});

const outputItems = (output: Output) => [
  item(output, "completed"),
  ...(output.approvals ?? []).map(approvalItem),
];

const part = (text: string) => ({ type: "output_text", text, annotations: [] });

const item = ({ runId, text }: Output, status: string) => ({
  id: `msg_${runId}`,
  type: "message",
  role: "assistant",
  status,
  content: status === "in_progress" ? [] : [part(text)],
});

export const responsesUsage = ({ usage }: RunResult) => ({
  input_tokens: usage.input_tokens,
  input_tokens_details: { cached_tokens: usage.cached_tokens },
  output_tokens: usage.output_tokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: usage.input_tokens + usage.output_tokens,
});

/** A response in one of its states. */
export const responseOf = (
  output: Output,
  status: "in_progress" | "completed" | "incomplete" | "failed",
  { model, at, usage = null, error = null }: EncodeOptions & { usage?: object | null; error?: object | null },
) => ({
  id: `resp_${output.runId}`,
  object: "response",
  created_at: Math.floor(at.getTime() / 1_000),
  status,
  model,
  error,
  incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
  instructions: null,
  metadata: {},
  output: status === "completed" || status === "incomplete" ? outputItems(output) : [],
  output_text: output.text,
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: "auto",
  tools: [],
  top_p: null,
  usage,
});

export function responsesEncoder(options: EncodeOptions): Encoder {
  const output: Output = { runId: "", text: "" };
  /** Where each message begins in the text. */
  const starts = new Map<string, number>();
  let number = 0;
  const record = (type: string, fields: object): StreamRecord => ({
    event: type,
    data: { type, sequence_number: number++, ...fields },
  });
  const place = () => ({ item_id: `msg_${output.runId}`, output_index: 0, content_index: 0 });
  const show = (delta: string): StreamRecord =>
    record("response.output_text.delta", { ...place(), delta, logprobs: [] });
  const add = (delta: string): StreamRecord => {
    output.text += delta;
    return show(delta);
  };
  /** The text at the end is without what was taken back; pieces that were sent cannot be. */
  const discard = (messageIds: readonly string[]): StreamRecord[] => {
    const from = Math.min(...messageIds.map((id) => starts.get(id) ?? Infinity));
    if (from === Infinity) return [];
    output.text = output.text.slice(0, from);
    return [show(repeatNote)];
  };
  const end = (result: RunResult): StreamRecord[] => {
    const status = isIncomplete(result) ? "incomplete" : "completed";
    output.approvals = result.approvals;
    const response = responseOf(output, status, { ...options, usage: responsesUsage(result) });
    const approvals = (result.approvals ?? [])
      .map(approvalItem)
      .flatMap((request, index) => [
        record("response.output_item.added", { output_index: index + 1, item: request }),
        record("response.output_item.done", { output_index: index + 1, item: request }),
      ]);
    return [
      record("response.output_text.done", { ...place(), text: output.text, logprobs: [] }),
      record("response.content_part.done", { ...place(), part: part(output.text) }),
      record("response.output_item.done", { output_index: 0, item: item(output, "completed") }),
      ...approvals,
      record(`response.${status}`, { response }),
    ];
  };
  return ({ data }) => {
    const event = JSON.parse(data) as RunEvent;
    switch (event.type) {
      case "RUN_STARTED": {
        output.runId = answerId(event.runId, options.after);
        const response = responseOf(output, "in_progress", options);
        return [
          record("response.created", { response }),
          record("response.in_progress", { response }),
          record("response.output_item.added", { output_index: 0, item: item(output, "in_progress") }),
          record("response.content_part.added", { ...place(), part: part("") }),
        ];
      }
      case "TEXT_MESSAGE_START":
        starts.set(event.messageId, output.text.length);
        return output.text === "" ? [] : [add("\n\n")];
      case "TEXT_MESSAGE_CONTENT":
        return [add(event.delta)];
      case "CUSTOM":
        return isRepeated(event) ? discard(event.value.message_ids) : [];
      case "RUN_FINISHED":
        return end(event.result);
      case "RUN_ERROR": {
        const error = { code: "server_error", message: event.message };
        return [record("response.failed", { response: responseOf(output, "failed", { ...options, error }) })];
      }
      default:
        return [];
    }
  };
}
