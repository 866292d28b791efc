import { failuresOf } from "../platform/errors/failures-of.ts";

/**
 * Every code of the assistant. Codes are stable: add, never rename. Those in small letters also stand in the error event
 * that ends the stream of a run.
 */
export const assistantErrors = {
  model_not_configured: {
    status: 503,
    meaning: "No model is configured, so the assistant can't answer.",
    solution: "An administrator sets one with `POST /api/assistant/v2/llm/config`.",
  },
  model_auth: {
    status: 503,
    meaning: "The provider of the model refused the credentials that are configured.",
    solution: "An administrator corrects the key of the model with `POST /api/assistant/v2/llm/config`.",
  },
  model_rate_limited: {
    status: 503,
    meaning:
      "The provider of the model still refused requests because of its rate limit after the wait that it had asked for.",
    solution: "Try again later, or raise the quota at the provider.",
  },
  model_unavailable: {
    status: 503,
    meaning: "The model can't be reached, broke off its answer, or sent an invalid answer.",
    solution: "Try again; if it lasts, check the endpoint and the name of the model.",
  },
  context_too_long: {
    status: 413,
    meaning: "The conversation does not fit into the context of the model.",
    solution:
      "Begin a new session, or set assistant.models.contextTokens to the size of the model's context.",
  },
  content_filtered: {
    status: 422,
    meaning: "The content filter of the provider stopped the answer.",
    solution: "Ask in other words.",
  },
  run_cancelled: {
    status: 409,
    meaning: "The run was cancelled before it had answered.",
    solution: "Ask again if the answer is still wanted.",
  },
  run_interrupted: {
    status: 503,
    meaning:
      "The process that ran it stopped while a tool was acting, or three in a row did; the part that was written is stored in the session.",
    solution: "Ask again to go on.",
  },
  ASSISTANT_UNKNOWN_RUN: {
    status: 404,
    meaning: "There is no run with that id, or it belongs to somebody else.",
    solution: "Use the `runId` of the first event of the stream.",
  },
  ASSISTANT_UNKNOWN_MODEL: {
    status: 404,
    meaning: "No enabled agent has the name that a client of `/v1` gave as its model.",
    solution: "List the models with `GET /api/assistant/v1/models`.",
  },
  ASSISTANT_UNKNOWN_APPROVAL: {
    status: 404,
    meaning: "The run has no approval with that id.",
    solution: "`GET /approvals` lists those that wait for you.",
  },
  ASSISTANT_APPROVAL_DECIDED: {
    status: 409,
    meaning:
      "The approval is not open any more: it was decided otherwise, has expired, or its run has ended.",
    solution: "Read the events of the run; ask the assistant again if it is still wanted.",
  },
  ASSISTANT_RUN_ENDED: {
    status: 409,
    meaning: "The run has ended and can't be cancelled.",
    solution: "Read its events for how it ended.",
  },
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
  ASSISTANT_AGENT_NAME_TAKEN: {
    status: 409,
    meaning: "Another agent has the name; names are compared in any case.",
    solution: "Choose another name, or change the agent that the message names.",
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
    meaning: "The request is well-formed, but its values are not valid; `detail` names each field.",
    solution: "Correct the fields that are named.",
  },
  ASSISTANT_UNKNOWN_SESSION: {
    status: 404,
    meaning: "There is no session with that id, or it belongs to somebody else.",
    solution: "List your sessions, or leave `session_id` out for a new one.",
  },
  ASSISTANT_SECRET_UNREADABLE: {
    status: 503,
    meaning:
      "A stored secret of a model or an external agent can't be opened: it was sealed with another key of the installation.",
    solution:
      "Start all processes with the key that it was sealed with; or save the model, or the endpoint and payload of the agent, again.",
  },
  ASSISTANT_NO_SIGN_IN: {
    status: 404,
    meaning:
      "No identity provider is configured where clients of the MCP server could sign in by themselves.",
    solution: "Give the client a fixed token; or configure an OpenID Connect provider under auth.providers.",
  },
  ASSISTANT_SIGN_IN_UNAVAILABLE: {
    status: 503,
    meaning: "The identity provider can't be reached, or its discovery document is not usable.",
    solution: "Try again shortly; if it stays, check that the provider can be reached from the server.",
  },
  ASSISTANT_SIGN_IN_REFUSED: {
    status: 422,
    meaning: "A client of the MCP server began or ended a sign-in in a way that is not accepted.",
    solution: "Begin the sign-in in the client again; the message says which part was refused.",
  },
  ASSISTANT_EXPORT_TOO_LARGE: {
    status: 413,
    meaning: "There are more skills, agents and external agents than one archive may hold.",
    solution: "Delete what is not needed any more, or copy the database instead.",
  },
} as const satisfies Record<
  string,
  { status: 403 | 404 | 409 | 413 | 422 | 503; meaning: string; solution: string }
>;

export type AssistantCode = keyof typeof assistantErrors;

/** A Failure with one of the codes above; its kind and solution follow from the code. */
export const assistantFailure = failuresOf(assistantErrors);
