/** The events of a run in the stream formats of other clients. Only AG-UI events have ids, so only that stream can be resumed. */
import type { FastifyReply } from "fastify";
import { streamEvents, type StreamRecord } from "../../../platform/http/responses/sse.ts";
import { isTerminal, type LoggedEvent, type RunEvent } from "./ag-ui.ts";
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

/** Answers with the events of a run. */
export function streamRun(
  reply: FastifyReply,
  format: StreamFormat,
  batches: AsyncIterable<LoggedEvent[]>,
  options: EncodeOptions,
): void {
  const { records, last } = encode(format, batches, options);
  streamEvents(reply, records, { last });
}

interface EncodedStream {
  records: AsyncIterable<StreamRecord>;
  /** What a client is to see when the stream is ended before the run: most of them take one that just ends for a whole answer. */
  last: () => StreamRecord[];
}

export function encode(
  format: StreamFormat,
  batches: AsyncIterable<LoggedEvent[]>,
  options: EncodeOptions,
): EncodedStream {
  const encoder = encoders[format](options);
  let isWhole = options.isResumable === true;
  const last = (): StreamRecord[] => {
    if (isWhole) return [];
    isWhole = true;
    // This is no event of the run, so it has no id.
    return encoder(cutOff).map(({ event, data }) => ({ ...(event === undefined ? {} : { event }), data }));
  };
  async function* records(): AsyncGenerator<StreamRecord> {
    try {
      for await (const events of batches)
        for (const event of events) {
          isWhole ||= isTerminal(event);
          yield* encoder(event);
        }
    } catch (error) {
      yield* last();
      throw error;
    }
    isWhole = true;
  }
  return { records: records(), last };
}

const cut: RunEvent = {
  type: "RUN_ERROR",
  message:
    "The events of the run can't be read here any more. The run goes on; its answer is in its session.",
  code: "run_interrupted",
};
const cutOff: LoggedEvent = { seq: 0, type: cut.type, data: JSON.stringify(cut) };
