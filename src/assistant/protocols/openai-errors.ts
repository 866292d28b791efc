/** Pure: failures in the shape of OpenAI's errors, which its clients read on every path below `/v1`. */
import { Type } from "typebox";
import type { Failure, Problem } from "../../platform/errors/failure.ts";
import { statusOf } from "../../platform/http/errors.ts";
import { isInputProblem, type FailureBody } from "../../platform/http/operation.ts";

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const openAiErrorSchema = Type.Object({
  error: Type.Object({
    message: Type.String({ description: "Every problem, one after the other." }),
    type: Type.String(),
    param: nullableText("The first field that was refused, such as `messages[0].content`."),
    code: nullableText("As OpenAI names it, else the code of this platform."),
  }),
});

const openAiUrl = /^\/api\/assistant\/v1(?:[/?]|$)/;

export const isOpenAiUrl = (url: string): boolean => openAiUrl.test(url);

export function openAiError(failure: Failure): FailureBody {
  const status = statuses[failure.code] ?? statusOf(failure);
  const [first] = failure.problems;
  const error = {
    message: messageOf(failure),
    type: typeOf(status),
    param: first === undefined || status !== 400 ? (params[failure.code] ?? null) : paramOf(first),
    code: codes[failure.code] ?? (first === undefined || status !== 400 ? failure.code : codeOf(first)),
  };
  return { status, body: { error } };
}

/** Statuses that OpenAI gives otherwise than the rest of the assistant. */
const statuses: Record<string, number> = { context_too_long: 400, content_filtered: 400 };

const codes: Record<string, string> = {
  PLATFORM_UNAUTHENTICATED: "invalid_api_key",
  PLATFORM_TOKEN_INVALID: "invalid_api_key",
  PLATFORM_TOKEN_EXPIRED: "invalid_api_key",
  PLATFORM_RATE_LIMITED: "rate_limit_exceeded",
  ASSISTANT_UNKNOWN_MODEL: "model_not_found",
  context_too_long: "context_length_exceeded",
  content_filtered: "content_filter",
};

const params: Record<string, string> = { ASSISTANT_UNKNOWN_MODEL: "model" };

function typeOf(status: number): string {
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

function messageOf({ message, problems }: Failure): string {
  if (problems.length === 0) return message;
  return problems
    .map((found) => {
      const param = paramOf(found);
      return `${param === null ? "The request" : `'${param}'`} ${found.message}.`;
    })
    .join(" ");
}

/** `messages[0].content`, as OpenAI writes the place of a problem. */
function paramOf(found: Problem): string | null {
  const path = isInputProblem(found)
    ? found.place === "header"
      ? []
      : found.path
    : found.where.split("/").slice(1);
  if (path.length === 0) return null;
  return path.map((part, n) => (/^\d+$/.test(part) ? `[${part}]` : n === 0 ? part : `.${part}`)).join("");
}

/** Keywords of OpenAI's own for inputs that it knows and this platform does not take. */
export const unsupportedParameter = "unsupported_parameter";
export const unsupportedValue = "unsupported_value";

const codesOfKeywords: Record<string, string> = {
  required: "missing_required_parameter",
  empty: "missing_required_parameter",
  type: "invalid_type",
  minLength: "empty_string",
  maxLength: "string_above_max_length",
  minItems: "empty_array",
  maxItems: "array_above_max_length",
  [unsupportedParameter]: unsupportedParameter,
  [unsupportedValue]: unsupportedValue,
};

const codeOf = (found: Problem): string =>
  (isInputProblem(found) ? codesOfKeywords[found.keyword] : undefined) ?? "invalid_value";
