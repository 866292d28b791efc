/** Request headers of writes of service accounts. */
import type { IncomingHttpHeaders } from "node:http";
import { inputFailure } from "../../platform/http/errors.ts";
import { headerText } from "../../platform/http/input/idempotency-key.ts";
import { inputProblem } from "../../platform/http/input/problems.ts";
import type { InputProblem } from "../../platform/http/operation.ts";

export interface WriteConditions {
  /** Whether the account has to exist already (If-Match). */
  isKnown: boolean;
  /** Whether the account has to be a new one (If-None-Match). */
  isNew: boolean;
}

const solutions = {
  "if-match": "Send * to change an account that there is, or leave the header out to make or change it.",
  "if-none-match": "Send * to make a new account, or leave the header out to make or change it.",
};

/** Throws a Failure for another condition than `*`. */
export function readConditions(headers: IncomingHttpHeaders): WriteConditions {
  const problems: InputProblem[] = [];
  const isGiven = (header: keyof typeof solutions): boolean => {
    const given = headerText(headers[header]);
    if (given !== undefined && given.trim() !== "*") problems.push(notAny(header));
    return given !== undefined;
  };
  const conditions = { isKnown: isGiven("if-match"), isNew: isGiven("if-none-match") };
  if (problems.length > 0) throw inputFailure(problems);
  return conditions;
}

const notAny = (header: keyof typeof solutions): InputProblem =>
  inputProblem("header", [header], {
    keyword: "pattern",
    message: "must be *",
    solution: solutions[header],
  });
