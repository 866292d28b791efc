/** Request headers of starts. */
import { planHashForm } from "./acceptance/request-schema.ts";
import type { IncomingHttpHeaders } from "node:http";
import { Type } from "typebox";
import type { Failure } from "../../platform/errors/failure.ts";
import { inputFailure } from "../../platform/http/errors.ts";
import type { InputProblem } from "../../platform/http/operation.ts";
import {
  checkIdempotencyKey,
  headerText,
  idempotencyHeader,
} from "../../platform/http/input/idempotency-key.ts";
import { inputProblem } from "../../platform/http/input/problems.ts";
import { coordinatorFailure } from "../errors.ts";

const isPlanHash = (text: string): boolean => new RegExp(`^${planHashForm}$`).test(text);

export const startHeader = idempotencyHeader(
  "Printable ASCII. A repeat under the same key with the same request answers the first token; another request is refused with 409.",
);

export const pinHeader = {
  "if-match": Type.Optional(
    Type.String({
      maxLength: 4096,
      pattern: `^(?:W/)?"${planHashForm}"$`,
      description: "The ETag of the preview: refused with 409 when the plan would be another one by now.",
    }),
  ),
};

export interface StartHeaders {
  idempotencyKey: string | undefined;
  /** From the header or the body. */
  planHash: string | undefined;
}

/** Reads both headers; throws a Failure with all of their problems. */
export function readStartHeaders(headers: IncomingHttpHeaders, inBody?: string): StartHeaders {
  const { key: idempotencyKey, problems } = checkIdempotencyKey(headers);
  const ifMatch = headerText(headers["if-match"]);
  const inHeader = ifMatch === undefined ? undefined : /^(?:W\/)?"([^"]*)"$/.exec(ifMatch)?.[1];
  if (ifMatch !== undefined && (inHeader === undefined || !isPlanHash(inHeader))) {
    problems.push(notAHash("header", ["if-match"], "must be the ETag of a preview"));
  }
  if (problems.length > 0) throw inputFailure(problems);
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) throw twoHashes(inBody);
  return { idempotencyKey, planHash: inHeader ?? inBody };
}

const notAHash = (place: InputProblem["place"], path: string[], message: string): InputProblem =>
  inputProblem(place, path, {
    keyword: "pattern",
    message,
    solution: "Preview the plan and send what it answers, or leave it out.",
  });

/** Both values are valid, but they contradict each other. */
function twoHashes(input: string): Failure {
  const message = "If-Match and planHash name two different plans.";
  const solution = "Send one of them, or the same in both.";
  return coordinatorFailure("COORD_TWO_PLAN_HASHES", { message, where: "/planHash", solution, input });
}
