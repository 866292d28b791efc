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
  ASSISTANT_UNKNOWN_AGENT: {
    status: 404,
    meaning: "There is no agent with that id.",
    solution: "List the agents; it may have been deleted.",
  },
  ASSISTANT_NOT_ATTACHED: {
    status: 404,
    meaning: "The agent does not have that skill or tool.",
    solution: "List the capabilities of the agent; an inherited tool goes with its skill.",
  },
  ASSISTANT_ORCHESTRATOR: {
    status: 409,
    meaning: "The orchestrator is where runs begin, so it can be neither deleted nor disabled.",
    solution: "Make another agent the default, or change the sub-agents of the orchestrator.",
  },
  ASSISTANT_TOOL_CHANGED: {
    status: 409,
    meaning: "The server has changed the tool since it was looked at, so it is not approved.",
    solution: "List the changed tools, look at them again, and approve them as they are now.",
  },
  ASSISTANT_UNKNOWN_CONFIG_KEY: {
    status: 404,
    meaning: "The key has never been set.",
    solution: "Set it first.",
  },
  ASSISTANT_UNKNOWN_EXTERNAL_AGENT: {
    status: 404,
    meaning: "There is no external agent with that id.",
    solution: "List the external agents; it may have been deleted.",
  },
  ASSISTANT_INVALID_INPUT: {
    status: 422,
    meaning: "The request is well-formed but not possible as it is; `detail` names each field.",
    solution: "Correct the fields that are named.",
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
