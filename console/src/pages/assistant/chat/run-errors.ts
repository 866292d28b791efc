/** What to do about a run that ended badly, by its code: docs/reference/errors.md. */

export interface RunError {
  title: string;
  solution: string;
  /** Whether asking the same again makes sense. */
  canRepeat: boolean;
}

const errors: Record<string, RunError> = {
  run_cancelled: {
    title: "Stopped",
    solution: "You stopped this answer. What was written until then is kept.",
    canRepeat: true,
  },
  run_interrupted: {
    title: "Interrupted",
    solution: "What was written is kept. Ask again to go on; look first whether the last tool call was made.",
    canRepeat: true,
  },
  model_not_configured: {
    title: "There is no model",
    solution: "An operator sets one with POST /api/assistant/v2/llm/config.",
    canRepeat: false,
  },
  model_auth: {
    title: "The provider refused the model's key",
    solution: "An operator corrects the key with POST /api/assistant/v2/llm/config.",
    canRepeat: true,
  },
  model_rate_limited: {
    title: "The provider's rate limit is reached",
    solution: "Try again later, or raise the quota at the provider.",
    canRepeat: true,
  },
  model_unavailable: {
    title: "The model does not answer",
    solution: "Try again. If it lasts, an operator checks the endpoint and the name of the model.",
    canRepeat: true,
  },
  context_too_long: {
    title: "The conversation is too long for the model",
    solution:
      "Begin a new conversation, or let an operator set assistant.models.contextTokens to the model's size.",
    canRepeat: false,
  },
  content_filtered: {
    title: "The provider's content filter stopped the answer",
    solution: "Ask in other words.",
    canRepeat: false,
  },
};

export const runErrorOf = (code: string): RunError =>
  errors[code] ?? {
    title: "The run failed",
    solution: "Try again. If it lasts, an operator finds the cause in the server's log under the run's id.",
    canRepeat: true,
  };
