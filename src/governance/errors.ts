/** Governance's codes. Codes are only ever added; docs/reference/errors.md lists them. */
import type { Failure } from "../platform/errors/failure.ts";
import { failuresOf } from "../platform/errors/failures-of.ts";
import type { FailureBody } from "../platform/http/operation.ts";
import { errorObjectBody } from "../platform/http/responses/error-object.ts";

export const governanceErrors = {
  CGP_INVALID_POLICY: {
    status: 400,
    meaning: "The policy or metric can't be stored; each problem says where.",
    solution: "Correct all listed problems and send the request again.",
  },
  CGP_POLICY_NOT_FOUND: {
    status: 404,
    meaning: "There is no policy or metric with that id, or no such version of it.",
    solution: "List the policies and use one of their ids.",
  },
  CGP_POLICY_EXISTS: {
    status: 409,
    meaning: "A policy or metric with that id exists already.",
    solution: "Choose another id, or change the one that exists.",
  },
  CGP_VERSION_STALE: {
    status: 409,
    meaning: "The policy was changed since the version that the request names.",
    solution: "Read the policy again, apply the change to that and name its version.",
  },
  CGP_STATUS_CHANGE: {
    status: 409,
    meaning: "The policy can't go from its status to the wanted one.",
    solution: "Read its status; the guide to policies lists which changes there are.",
  },
  CGP_NOT_DRAFT: {
    status: 409,
    meaning: "Only drafts can be deleted.",
    solution: "Disable the policy and make it a draft first.",
  },
  CGP_INVALID_EXCEPTION: {
    status: 400,
    meaning: "The exception can't be requested; each problem says where.",
    solution: "Correct all listed problems and send the request again.",
  },
  CGP_EXCEPTION_NOT_FOUND: {
    status: 404,
    meaning: "There is no exception with that id.",
    solution: "List the exceptions and use one of their ids.",
  },
  CGP_EXCEPTION_DECIDED: {
    status: 409,
    meaning: "The exception has been decided already, or its end has passed.",
    solution: "Read the exception; request another one if it is still needed.",
  },
  CGP_OWN_EXCEPTION: {
    status: 403,
    meaning: "The caller can't decide or revoke this exception: nobody decides what they requested.",
    solution: "Ask another operator.",
  },
  CGP_REMOVED: {
    status: 410,
    meaning: "The operation is gone from the interface; the answer names what replaces it.",
    solution: "Use the operation that the answer names.",
  },
} as const;

export const governanceFailure = failuresOf(governanceErrors, { hasSolution: false });

export const governanceErrorBody = (failure: Failure): FailureBody =>
  errorObjectBody(failure, governanceErrors);
