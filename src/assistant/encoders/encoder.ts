/** The form that all encoders of run events have. */
import type { StreamRecord } from "../../platform/http/sse.ts";
import type { LoggedEvent } from "../runs/log/ag-ui.ts";

export interface EncodeOptions {
  /** As the client named it. */
  model: string;
  at: Date;
}

/** Makes records of one event after the other. */
export type Encoder = (event: LoggedEvent) => StreamRecord[];
