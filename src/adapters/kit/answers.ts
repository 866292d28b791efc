/** Turns failures into the protocol's error bodies. Of other errors no text leaves the process. */
import { Failure, statusOfKind } from "../../platform/errors/failure.ts";
import type { Problem } from "../../platform/errors/failure.ts";

export interface ErrorBody {
  errors: string[];
  userMessage: string;
  input?: string;
  inputErrorField?: string;
  moreInfo?: { problems: string[]; solutions: string[] };
  /** Repeats the message in the field that clients read for a system error. */
  error?: string;
}

export const problemText = (problem: Problem): string =>
  problem.where === "" ? problem.message : `${problem.where}: ${problem.message}`;

/** Every solution once: those of the problems and those of the failure. */
export function solutionsOf(problems: Problem[], more: string[] = []): string[] {
  return [...new Set([...problems.flatMap((problem) => problem.solution ?? []), ...more])];
}

export function answerOf(error: unknown): { status: number; body: ErrorBody } {
  const failure = error instanceof Failure ? error : unexpected(error);
  const status = statusOfKind[failure.kind];
  const errors = failure.problems.length > 0 ? failure.problems.map(problemText) : [failure.message];
  const first = failure.problems[0];
  return {
    status,
    body: {
      errors,
      userMessage: failure.message,
      ...(failure.input === undefined ? {} : { input: failure.input }),
      ...(first && first.where !== "" ? { inputErrorField: first.where } : {}),
      moreInfo: { problems: errors, solutions: solutionsOf(failure.problems, failure.solutions) },
      ...(status >= 500 ? { error: failure.message } : {}),
    },
  };
}

/** Fastify and Node report broken requests as errors with a status; the rest is a defect of ours. */
function unexpected(error: unknown): Failure {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 413) {
    return new Failure({
      kind: "limit",
      code: "ADAPTER_BODY_TOO_LARGE",
      message: "The request is too large.",
    });
  }
  if (typeof status === "number" && status >= 400 && status < 500) {
    return new Failure({
      kind: "invalid",
      code: "ADAPTER_BODY_UNREADABLE",
      message: "The request body is not readable JSON.",
      solutions: ["Send a JSON object with content-type application/json."],
    });
  }
  return new Failure({
    kind: "internal",
    code: "ADAPTER_INTERNAL",
    message: "The adapter failed unexpectedly; its own log has the details.",
  });
}

/** The lines that the logs show of a failure. */
export function failureTexts(error: unknown): string[] {
  const { body } = answerOf(error);
  return [body.userMessage, ...body.errors.filter((text) => text !== body.userMessage)];
}

/** The `result` of a failure: a status has no field for what to do, so its text says that too. */
export function failureResult(error: unknown): string {
  const solutions = answerOf(error).body.moreInfo?.solutions ?? [];
  return [failureTexts(error).join(" "), ...solutions.map((each) => `What to do: ${each}`)].join("\n");
}
