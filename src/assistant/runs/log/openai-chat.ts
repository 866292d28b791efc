/** Pure: the chunks of Chat Completions. Tool calls are the platform's own and are not shown to the client. */
import { isIncomplete, type RunEvent, type RunResult } from "./ag-ui.ts";
import type { Encoder, EncodeOptions } from "./encoder.ts";
import { isRepeated, repeatNote } from "./repeat.ts";

export function chatEncoder({ model, at, withUsage = false }: EncodeOptions): Encoder {
  let id = "";
  let isFirst = true;
  const head = () => ({
    id,
    object: "chat.completion.chunk",
    created: Math.floor(at.getTime() / 1_000),
    model,
  });
  const chunk = (delta: object, finish: string | null = null) => ({
    data: {
      ...head(),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(withUsage ? { usage: null } : {}),
    },
  });
  return ({ data }) => {
    const event = JSON.parse(data) as RunEvent;
    switch (event.type) {
      case "RUN_STARTED":
        id = `chatcmpl-${event.runId}`;
        return [chunk({ role: "assistant", content: "" })];
      case "TEXT_MESSAGE_START": {
        // Separates the texts before and after a tool call.
        const records = isFirst ? [] : [chunk({ content: "\n\n" })];
        isFirst = false;
        return records;
      }
      case "TEXT_MESSAGE_CONTENT":
        return [chunk({ content: event.delta })];
      case "CUSTOM":
        if (!isRepeated(event) || event.value.message_ids.length === 0) return [];
        isFirst = true;
        return [chunk({ content: repeatNote })];
      case "RUN_FINISHED": {
        const last = chunk({}, isIncomplete(event.result) ? "length" : "stop");
        // Only for clients that ask for it: others read the first choice of every chunk.
        const usage = { data: { ...head(), choices: [], usage: chatUsage(event.result) } };
        return [last, ...(withUsage ? [usage] : []), { data: "[DONE]" }];
      }
      case "RUN_ERROR":
        return [
          {
            data: { error: { message: event.message, type: "server_error", param: null, code: event.code } },
          },
        ];
      default:
        return [];
    }
  };
}

export const chatUsage = ({ usage }: RunResult) => ({
  prompt_tokens: usage.input_tokens,
  completion_tokens: usage.output_tokens,
  total_tokens: usage.input_tokens + usage.output_tokens,
  prompt_tokens_details: { cached_tokens: usage.cached_tokens },
});

/** A whole answer at once. */
export const chatCompletion = (runId: string, result: RunResult, { model, at }: EncodeOptions) => ({
  id: `chatcmpl-${runId}`,
  object: "chat.completion",
  created: Math.floor(at.getTime() / 1_000),
  model,
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: result.message, refusal: null },
      logprobs: null,
      finish_reason: isIncomplete(result) ? "length" : "stop",
    },
  ],
  usage: chatUsage(result),
});
