/** What people read about a request that did not succeed. */
import { isUnreachable, statusOf, wasRefused } from "../../api/error.ts";

/** A `read` is repeated as soon as the server answers; a `readOnce` and a `write` are only when somebody sends them again. */
export type RequestKind = "read" | "readOnce" | "write";

const unknownOutcome =
  "It is not known whether it was done: look at what is there now before you send it again.";

const withoutAnswer: Record<RequestKind, string> = {
  read: "It is asked again as soon as it can be reached.",
  readOnce: "Try again.",
  write: unknownOutcome,
};

export const messageOf = (error: unknown, kind: RequestKind): string => {
  if (isUnreachable(error)) return `The server did not answer. ${withoutAnswer[kind]}`;
  const message = error instanceof Error ? error.message : String(error);
  const isUnknown = kind === "write" && statusOf(error) !== undefined && !wasRefused(error);
  return isUnknown ? `${message} ${unknownOutcome}` : message;
};
