/** Request headers of writes of service accounts. */
import type { IncomingHttpHeaders } from "node:http";
import { inputFailure } from "../../platform/http/errors.ts";
import { headerText } from "../../platform/http/input/idempotency-key.ts";
import { inputProblem } from "../../platform/http/input/problems.ts";

const header = "if-none-match";

/** Whether the account has to be a new one; throws a Failure for another condition than `*`. */
export function readsNew(headers: IncomingHttpHeaders): boolean {
  const given = headerText(headers[header]);
  if (given === undefined || given.trim() === "*") return given !== undefined;
  const problem = inputProblem("header", [header], {
    keyword: "pattern",
    message: "must be *",
    solution: "Send * to make a new account, or leave the header out to make or change it.",
  });
  throw inputFailure([problem]);
}
