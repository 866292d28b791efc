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
  CGP_INVALID_OWNERSHIP_RULES: {
    status: 400,
    meaning: "The rules about who may touch whose unit can't be stored; each problem says where.",
    solution: "Correct all listed problems and send the request again.",
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
    meaning: "The caller can't decide about this exception: nobody decides what they requested.",
    solution: "Ask another operator.",
  },
  CGP_NOT_DECIDER: {
    status: 403,
    meaning:
      "Operators and those who own all that an exception excuses decide about it; the answer names them.",
    solution: "Ask one of them.",
  },
  CGP_REMOVED: {
    status: 410,
    meaning: "The operation is gone from the interface; the answer names what replaces it.",
    solution: "Use the operation that the answer names.",
  },
  CGP_INVALID_DESCRIPTOR: {
    status: 400,
    meaning: "The descriptor of the request can't be read.",
    solution: "Give a descriptor as an object, or as a text that is one YAML or JSON document.",
  },
  CGP_INVALID_TRIAL: {
    status: 400,
    meaning: "The request does not say which policy is to be tried, or on what.",
    solution: "Give either policy or policyId, and either a descriptor or everything: true.",
  },
  CGP_REPORT_NOT_FOUND: {
    status: 404,
    meaning:
      "There is no evaluation report with that id; they are kept for governance.evaluations.reportDays.",
    solution: "Use the reportId that the start of the evaluation answered.",
  },
  CGP_TOO_MANY_REPORTS: {
    status: 429,
    meaning: "The caller has governance.evaluations.pendingReports evaluations pending.",
    solution: "Wait until some of them are completed.",
  },
  CGP_INVALID_RESULT: {
    status: 400,
    meaning: "The pushed result is not one that can be stored.",
    solution: "Correct the listed problem and send the result again.",
  },
  CGP_POLICY_NOT_PASSIVE: {
    status: 409,
    meaning: "Only results of passive policies are pushed; the platform evaluates the others.",
    solution: "Create a policy with the trigger passive for these results.",
  },
  CGP_RESOURCE_NOT_FOUND: {
    status: 404,
    meaning: "The resource is not deployed in the environment, and was never evaluated there.",
    solution:
      "Check the id and the environment; evaluate a resource of another system by POST /evaluate first.",
  },
  CGP_TRIAL_FORBIDDEN: {
    status: 403,
    meaning:
      "The policy would have the platform call somebody, and only those who may create policies say whom.",
    solution: "Test a stored policy by its policyId, or ask an operator.",
  },
  CGP_UNIT_NOT_FOUND: {
    status: 404,
    meaning: "The unit is not deployed in the environment, and was never evaluated there.",
    solution: "Check the id and the environment.",
  },
  CGP_INVALID_CURSOR: {
    status: 400,
    meaning: "The cursor is not one that this list has returned.",
    solution: "Begin without one, and go on with the `next` of the page before.",
  },
  CGP_INVALID_TIME: {
    status: 400,
    meaning: "A time of the request is not one that can be stored; the answer says which.",
    solution: "Give a time of the years 1 to 9999, for example 2026-11-22T09:00:00Z.",
  },
  CGP_UNKNOWN_ENVIRONMENT: {
    status: 400,
    meaning: "The environment is not configured.",
    solution: "Use one of the environments of mesh.builder.environments.",
  },
} as const;

export const governanceFailure = failuresOf(governanceErrors, { hasSolution: false });

export const governanceErrorBody = (failure: Failure): FailureBody =>
  errorObjectBody(failure, governanceErrors);
