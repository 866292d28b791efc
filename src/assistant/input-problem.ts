/** Problems of a body that its schema can't find, such as the id of nobody. */
import type { Failure } from "../platform/errors/failure.ts";
import type { InputProblem } from "../platform/http/operation.ts";
import { assistantFailure } from "./error-codes.ts";

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

const mostProblems = 100;

export const invalidBody = (problems: InputProblem[]): Failure =>
  assistantFailure("ASSISTANT_INVALID_INPUT", {
    message: problems[0]?.message ?? "The request is not possible as it is.",
    problems: problems.slice(0, mostProblems),
  });
