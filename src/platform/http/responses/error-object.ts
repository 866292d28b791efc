/** The error object of the coordinator and of governance. */
import { Type, type Static } from "typebox";
import type { Failure } from "../../errors/failure.ts";
import { httpErrors, statusOf } from "../errors.ts";
import type { FailureBody } from "../operation.ts";

const texts = Type.Array(Type.String());

/** The error object of the interface: body of every refused request, and each validation error. */
export const errorObject = Type.Object({
  errors: texts,
  code: Type.String(),
  userMessage: Type.String(),
  input: Type.String(),
  inputErrorField: Type.String(),
  moreInfo: Type.Object({ problems: texts, solutions: texts }),
});
export type ErrorObject = Static<typeof errorObject>;

type Catalogue = Record<string, { status: number; solution: string }>;

/** Status and error object of a Failure; `own` are the codes of the area. */
export function errorObjectBody(failure: Failure, own: Catalogue): FailureBody {
  const known = own[failure.code];
  const problems = failure.problems.map((p) => (p.where ? `${p.where}: ${p.message}` : p.message));
  const ownSolutions = failure.problems.flatMap((p) => (p.solution ? [p.solution] : []));
  const solutions = [...new Set([...ownSolutions, ...failure.solutions])];
  const usual = known ?? (httpErrors as Catalogue)[failure.code];
  if (solutions.length === 0 && usual) solutions.push(usual.solution);
  return {
    status: known?.status ?? statusOf(failure),
    body: {
      errors: problems.length > 0 ? problems : [failure.message],
      code: failure.code,
      userMessage: failure.message,
      input: failure.input ?? "",
      inputErrorField: failure.problems[0]?.where ?? "",
      moreInfo: { problems, solutions },
    } satisfies ErrorObject,
  };
}
