import { Failure, type FailureDetails, type FailureKind, type Problem } from "../platform/errors/failure.ts";

/**
 * Every code of the assistant. Codes are stable: add, never rename. Those in small letters also stand in the error event
 * that ends the stream of a run.
 */
export const assistantErrors = {
  ASSISTANT_UNKNOWN_SKILL: {
    status: 404,
    meaning: "There is no skill with that id.",
    solution: "List the skills; it may have been deleted.",
  },
  ASSISTANT_PLATFORM_RECORD: {
    status: 409,
    meaning: "A skill or agent that is shipped with the product can't be renamed, rewritten or deleted.",
    solution:
      "Copy it under another name and change the copy; disable the agent or take the skill out of agents.",
  },
  ASSISTANT_UNKNOWN_SESSION: {
    status: 404,
    meaning: "There is no session with that id, or it belongs to somebody else.",
    solution: "List your sessions, or leave `session_id` out for a new one.",
  },
} as const satisfies Record<
  string,
  { status: 403 | 404 | 409 | 413 | 422 | 503; meaning: string; solution: string }
>;

export type AssistantCode = keyof typeof assistantErrors;

const kindOfStatus: Record<number, FailureKind> = {
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "limit",
  422: "invalid",
  503: "unavailable",
};

/** A Failure with one of the codes above; its kind follows from the code. */
export const assistantFailure = (
  code: AssistantCode,
  details: Pick<FailureDetails, "message" | "retryAfterSeconds" | "cause"> & { problems?: Problem[] },
): Failure =>
  new Failure({
    kind: kindOfStatus[assistantErrors[code].status] ?? "internal",
    code,
    solutions: [assistantErrors[code].solution],
    ...details,
  });
