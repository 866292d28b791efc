/** The events of a run in the stream formats of other clients. Only AG-UI events have ids, so only that stream can be resumed. */
import type { StreamRecord } from "../../../platform/http/responses/sse.ts";
import type { LoggedEvent } from "./ag-ui.ts";
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
  for await (const events of batches) for (const event of events) yield* encoder(event);
}
