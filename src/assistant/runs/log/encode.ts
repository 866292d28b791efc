/** The events of a run in the stream formats of other clients. Only AG-UI events have ids, so only that stream can be resumed. */
import type { StreamRecord } from "../../../platform/http/responses/sse.ts";
import type { LoggedEvent, RunEvent } from "./ag-ui.ts";
import type { EncodeOptions, Encoder } from "./encoder.ts";
import { chatEncoder } from "./openai-chat.ts";
import { responsesEncoder } from "./openai-responses.ts";
import { uiEncoder } from "./ui.ts";

export const streamFormats = ["agui", "ui", "openai", "responses"] as const;
export type StreamFormat = (typeof streamFormats)[number];

const agui: Encoder = ({ seq, type, data }) => [{ id: seq, event: type, data }];

const encoders: Record<StreamFormat, (options: EncodeOptions) => Encoder> = {
  agui: () => agui,
  ui: uiEncoder,
  openai: chatEncoder,
  responses: responsesEncoder,
};

export async function* encode(
  format: StreamFormat,
  batches: AsyncIterable<LoggedEvent[]>,
  options: EncodeOptions,
): AsyncGenerator<StreamRecord> {
  const encoder = encoders[format](options);
  try {
    for await (const events of batches) for (const event of events) yield* encoder(event);
  } catch (error) {
    // Most clients take a stream that just ends for a whole answer. This is no event of the run, so it has no id.
    if (options.isResumable !== true)
      for (const { event, data } of encoder(cutOff))
        yield { ...(event === undefined ? {} : { event }), data };
    throw error;
  }
}

const cut: RunEvent = {
  type: "RUN_ERROR",
  message: "The events of the run can't be read any more. The run goes on; its answer is in its session.",
  code: "run_interrupted",
};
const cutOff: LoggedEvent = { seq: 0, type: cut.type, data: JSON.stringify(cut) };
