/** Under which key a request is sent, so that it is carried out once however often that is done. */
import { PlinthError } from "plinth-client";
import { wasRefused } from "./error.ts";
import { newRequestKey } from "./request-key.ts";

export interface Sent {
  key: string;
  /** No answer came to one that was sent under the key. */
  mayHaveArrived: boolean;
}

export const unsent = (): Sent => ({ key: newRequestKey(), mayHaveArrived: false });

/** Another request was sent under the key, and has arrived. */
export const isKeyReused = (error: unknown): boolean =>
  error instanceof PlinthError && error.code === "BUILDER_IDEMPOTENCY_KEY_REUSED";

/** A refusal, such as of an ended session, says nothing about what was sent before it without an answer. */
export function sentAfter(sent: Sent, error: unknown): Sent {
  if (isKeyReused(error)) return unsent();
  if (!wasRefused(error)) return { ...sent, mayHaveArrived: true };
  return sent.mayHaveArrived ? sent : unsent();
}
