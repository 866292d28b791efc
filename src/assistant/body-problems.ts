/** Problems of a body that its schema can't find, such as an unknown id. */
import type { Failure } from "../platform/errors/failure.ts";
import type { InputProblem } from "../platform/http/operation.ts";
import { hiddenSecret } from "../platform/lib/secrets/secret-names.ts";
import { assistantFailure } from "./error-codes.ts";
import type { Outbound } from "../platform/outbound/outbound.ts";

/** `path` leads to the field in the body. */
export const bodyProblem = (
  path: readonly (string | number)[],
  message: string,
  value?: unknown,
): InputProblem => ({
  where: `/${path.join("/")}`,
  message,
  place: "body",
  path: path.map(String),
  keyword: "value",
  params: {},
  ...(value === undefined ? {} : { value }),
});

export function refuseProblems(problems: readonly InputProblem[]): void {
  if (problems.length > 0) throw invalidBody([...problems]);
}

const maxProblems = 100;

export const invalidBody = (problems: InputProblem[]): Failure =>
  assistantFailure("ASSISTANT_INVALID_INPUT", {
    message: problems[0]?.message ?? "The request is not possible as it is.",
    problems: problems.slice(0, maxProblems),
  });

/** Problems of the `endpoint` of a body. The value is masked in them: it may hold a password. */
export function endpointProblems(outbound: Outbound, endpoint: string): InputProblem[] {
  const refused = outbound.check(endpoint);
  return refused === null ? [] : [bodyProblem(["endpoint"], refused.message, hiddenSecret)];
}

const longestJson = 256 * 1024;

/** Problems that prevent storing a JSON value that a user gives. */
export function jsonProblems(value: unknown, path: readonly string[]): InputProblem[] {
  if (JSON.stringify(value).length > longestJson)
    return [bodyProblem(path, `is longer than ${longestJson} characters as JSON`, hiddenSecret)];
  return isFiniteThroughout(value)
    ? []
    : [bodyProblem(path, "holds a number that is too large", hiddenSecret)];
}

/** A number such as 1e400 is parsed as Infinity, which JSON can't represent. */
function isFiniteThroughout(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isFiniteThroughout);
}
