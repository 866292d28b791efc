/** Under which key a start is sent, so that it makes one run however often that is done. */
import { PlinthError } from "plinth-client";
import { wasRefused } from "../../../api/error.ts";
import { newRequestKey } from "../../../api/request-key.ts";

export interface Sent {
  key: string;
  /** No answer came to one that was sent under the key. */
  mayHaveArrived: boolean;
}

export const unsent = (): Sent => ({ key: newRequestKey(), mayHaveArrived: false });

/** A refusal, such as of an ended session, says nothing about what was sent before it without an answer. */
export function sentAfter(sent: Sent, error: Error): Sent {
  if (error instanceof PlinthError && error.code === "BUILDER_IDEMPOTENCY_KEY_REUSED") return unsent();
  if (!wasRefused(error)) return { ...sent, mayHaveArrived: true };
  return sent.mayHaveArrived ? sent : unsent();
}
