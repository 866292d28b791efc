/** What people read about a request that did not succeed. */
import { isUnreachable, statusOf, wasRefused } from "../../api/error.ts";

/** A `read` is repeated as soon as the server answers; a `write` is only when somebody sends it again. */
export type RequestKind = "read" | "write";

const unknownOutcome =
  "It is not known whether it was done: look at what is there now before you send it again.";

export const messageOf = (error: unknown, kind: RequestKind): string => {
  if (isUnreachable(error)) {
    return kind === "read"
      ? "The server did not answer. It is asked again as soon as it can be reached."
      : `The server did not answer. ${unknownOutcome}`;
  }
  const message = error instanceof Error ? error.message : String(error);
  const isUnknown = kind === "write" && statusOf(error) !== undefined && !wasRefused(error);
  return isUnknown ? `${message} ${unknownOutcome}` : message;
};
