/** The idempotency key of a request: the server carries the request out once, however often it is sent under that key. */
import { PlinthError } from "plinth-client";
import { wasRefused } from "./error.ts";
import { newRequestKey } from "./request-key.ts";

export interface Sent {
  key: string;
  /** A request was sent under the key and got no answer. */
  mayHaveArrived: boolean;
}

export const unsent = (): Sent => ({ key: newRequestKey(), mayHaveArrived: false });

/** The server has already carried out another request with this key. */
export const isKeyReused = (error: unknown): boolean =>
  error instanceof PlinthError && error.code === "BUILDER_IDEMPOTENCY_KEY_REUSED";

/**
 * The key of the next attempt. It stays the same once an attempt got no answer, even when a later one is refused (because the session
 * has ended, for example): the earlier one may have arrived.
 */
export function sentAfter(sent: Sent, error: unknown): Sent {
  if (isKeyReused(error)) return unsent();
  if (!wasRefused(error)) return { ...sent, mayHaveArrived: true };
  return sent.mayHaveArrived ? sent : unsent();
}
