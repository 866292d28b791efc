/** The assistant's error bodies: the list of problems for 422, and a text with a code for all others. */
import { Type } from "typebox";
import type { Failure, Problem } from "../platform/errors/failure.ts";
import { statusOf } from "../platform/http/errors.ts";
import {
  isInputProblem,
  type FailureBody,
  type InputProblem,
  type RequestView,
} from "../platform/http/operation.ts";
import { malformedRequest } from "./protocols/a2a/rpc-error.ts";
import { isOpenAiUrl, openAiError } from "./protocols/openai-errors.ts";
import {
  hiddenSecret,
  maskCredentials,
  mayBeSecretName,
  mayHold,
} from "../platform/lib/secrets/secret-names.ts";

const problem = Type.Object({
  loc: Type.Array(Type.String()),
  msg: Type.String(),
  type: Type.String(),
  input: Type.Unknown({ description: "What was refused; secrets in it are masked." }),
  ctx: Type.Optional(Type.Object({}, { additionalProperties: true })),
});
const plain = Type.Object({ detail: Type.String(), code: Type.String() });

export const assistantErrorSchemas = {
  422: Type.Object({ detail: Type.Array(problem) }),
  ...Object.fromEntries(
    [401, 403, 404, 405, 408, 409, 413, 415, 429, 500, 503].map((status) => [status, plain]),
  ),
};

export function assistantErrorBody(failure: Failure, { method, url }: RequestView): FailureBody {
  if (isOpenAiUrl(url)) return openAiError(failure);
  const status = statusOf(failure);
  if ((status === 400 || status === 415) && method === "POST" && a2aUrl.test(url)) {
    return { status: status === 400 ? 422 : status, body: malformedRequest(failure.problems) };
  }
  if (status === 400) return { status: 422, body: { detail: failure.problems.map(asDetail) } };
  return { status, body: { detail: failure.message, code: failure.code } };
}

/** Clients of A2A read JSON-RPC only. */
const a2aUrl = /^\/api\/assistant\/a2a(?:[/?]|$)/;

interface Detail {
  loc: string[];
  msg: string;
  type: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

function asDetail(found: Problem): Detail {
  if (!isInputProblem(found)) {
    const loc = ["body", ...found.where.split("/").slice(1)];
    return { loc, msg: found.message, type: "value_error", input: null };
  }
  const ctx = contextOf(found);
  return {
    // A header that makes the body unreadable is a problem of the body.
    loc: [found.place === "header" ? "body" : found.place, ...(found.place === "header" ? [] : found.path)],
    msg: found.message,
    type: typeOf(found),
    input: inputOf(found),
    ...(ctx === undefined ? {} : { ctx }),
  };
}

/** The `type` of a problem by its JSON Schema keyword, as clients of this interface know it. */
const types: Record<string, string> = {
  required: "missing",
  empty: "missing",
  minLength: "string_too_short",
  maxLength: "string_too_long",
  minItems: "too_short",
  maxItems: "too_long",
  minProperties: "too_short",
  maxProperties: "too_long",
  minimum: "greater_than_equal",
  maximum: "less_than_equal",
  exclusiveMinimum: "greater_than",
  exclusiveMaximum: "less_than",
  multipleOf: "multiple_of",
  enum: "enum",
  pattern: "string_pattern_mismatch",
  additionalProperties: "extra_forbidden",
  not: "extra_forbidden",
  json: "json_invalid",
  depth: "json_invalid",
  contentType: "json_invalid",
  contentEncoding: "json_invalid",
  contentLength: "json_invalid",
};

const formats: Record<string, string> = { uuid: "uuid_parsing", "date-time": "datetime_parsing" };

function typeOf(found: InputProblem): string {
  if (found.keyword === "type") return wrongType(found);
  if (found.keyword === "format") return formats[String(found.params["format"])] ?? "value_error";
  return types[found.keyword] ?? "value_error";
}

/** Texts fail with a `…_parsing` type, values of any other wrong type with a `…_type`. */
function wrongType({ params, value, path }: InputProblem): string {
  const wanted = [params["type"]].flat().filter((type) => type !== "null");
  const isText = typeof value === "string";
  switch (wanted.length === 1 ? wanted[0] : "") {
    case "string":
      return "string_type";
    case "integer":
      return isText ? "int_parsing" : typeof value === "number" ? "int_from_float" : "int_type";
    case "number":
      return isText ? "float_parsing" : "float_type";
    case "boolean":
      return isText || typeof value === "number" ? "bool_parsing" : "bool_type";
    case "array":
      return "list_type";
    case "object":
      return path.length === 0 ? "model_attributes_type" : "dict_type";
    default:
      return "value_error";
  }
}

/** Names of the limits in `ctx`, by keyword. */
const limitNames: Record<string, string> = {
  minLength: "min_length",
  maxLength: "max_length",
  minItems: "min_length",
  maxItems: "max_length",
  minimum: "ge",
  maximum: "le",
  exclusiveMinimum: "gt",
  exclusiveMaximum: "lt",
};

function contextOf({ keyword, params }: InputProblem): Record<string, unknown> | undefined {
  const name = limitNames[keyword];
  if (name !== undefined) return { [name]: params["limit"] };
  if (keyword === "enum") return { expected: [params["allowedValues"]].flat().filter(Boolean).join(", ") };
  return undefined;
}

/** As pydantic has it: the value, the object that lacks a required one, nothing of a body that is no JSON, null for nothing. */
function inputOf(found: InputProblem): unknown {
  if (typeOf(found) === "json_invalid") return {};
  if (found.value === undefined && found.around !== undefined)
    return safeInput({ path: found.path.slice(0, -1), value: found.around });
  return safeInput(found);
}

/** Longest text of a refused value that an answer repeats. */
const longestText = 500;
/** Texts are masked up to here, so that a credential that begins in the shown part is seen whole. */
const longestRead = 5_000;
const longestJson = 2_000;

/**
 * The part of a refused value that an answer may repeat. Answers may end in logs, so secrets are masked and what is large is
 * cut.
 */
export function safeInput({ path, value }: Pick<InputProblem, "path" | "value">): unknown {
  if (value === undefined || value === null) return null;
  if (path.some(mayBeSecretName)) return hiddenSecret;
  // A body that is one string may hold a secret anywhere, so none of it is repeated.
  if (path.length === 0 && typeof value === "string") return hiddenSecret;
  const shown = withoutSecrets(value, 0);
  if (typeof shown !== "object" || shown === null) return shown;
  const json = JSON.stringify(shown);
  return json.length > longestJson ? `${json.slice(0, longestText).toWellFormed()}…` : shown;
}

const deepest = 8;

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value === "string") {
    const shown = maskCredentials(value.slice(0, longestRead));
    return shown.length > longestText ? `${shown.slice(0, longestText).toWellFormed()}…` : shown;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === deepest) return hiddenSecret;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      mayBeSecretName(name) && mayHold(item) ? hiddenSecret : withoutSecrets(item, depth + 1),
    ]),
  );
}
