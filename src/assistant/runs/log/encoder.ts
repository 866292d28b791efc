/** The form that all encoders of run events have. */
import type { StreamRecord } from "../../../platform/http/responses/sse.ts";
import type { LoggedEvent } from "./ag-ui.ts";

export interface EncodeOptions {
  /** The name of the model as the client sent it. */
  model: string;
  at: Date;
  /** Whether an earlier stream had the beginning of the same message. */
  continues?: boolean;
  /** The event after which it is the answer of a run that a decision has continued. */
  after?: number | undefined;
  /** The id of the message, where it is not that of the run. */
  messageId?: string | undefined;
  /** Whether the stream has its usage at the end, for Chat Completions. */
  withUsage?: boolean;
  /** Whether its client goes on from the number of an event after a stream that broke off. */
  isResumable?: boolean;
}

/** Converts one event after the other into records of a stream. */
export type Encoder = (event: LoggedEvent) => StreamRecord[];
