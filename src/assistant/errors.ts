/** The assistant's error bodies: the list of problems for 422, and a text with a code for all others. */
import { Type } from "typebox";
import type { Failure, Problem } from "../platform/errors/failure.ts";
import { statusOf } from "../platform/http/errors.ts";
import { isInputProblem, type FailureBody } from "../platform/http/operation.ts";

const problem = Type.Object({
  loc: Type.Array(Type.String()),
  msg: Type.String(),
  type: Type.String(),
  input: Type.Optional(Type.Unknown()),
  ctx: Type.Optional(Type.Object({}, { additionalProperties: true })),
});
const plain = Type.Object({ detail: Type.String(), code: Type.String() });

export const assistantErrorSchemas = {
  422: Type.Object({ detail: Type.Array(problem) }),
  ...Object.fromEntries([401, 403, 404, 405, 409, 413, 429, 500, 503].map((status) => [status, plain])),
};

export function assistantErrorBody(failure: Failure): FailureBody {
  const status = statusOf(failure);
  if (status === 400) return { status: 422, body: { detail: failure.problems.map(asDetail) } };
  return { status, body: { detail: failure.message, code: failure.code } };
}

function asDetail(found: Problem): object {
  if (!isInputProblem(found)) return { loc: [found.where], msg: found.message, type: "value_error" };
  return {
    loc: [found.place, ...found.path],
    msg: found.message,
    type: typeOf(found.keyword),
    input: found.value,
  };
}

/** JSON Schema keywords by the names that clients of this interface know. */
const types: Record<string, string> = {
  required: "missing",
  minLength: "string_too_short",
  maxLength: "string_too_long",
  minItems: "too_short",
  maxItems: "too_long",
  minimum: "greater_than_equal",
  maximum: "less_than_equal",
  enum: "enum",
  json: "json_invalid",
};

const typeOf = (keyword: string): string => types[keyword] ?? "value_error";
