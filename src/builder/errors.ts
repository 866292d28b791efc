import { Failure, type FailureDetails, type FailureKind, type Problem } from "../platform/errors/failure.ts";
import { statusOf } from "../platform/http/errors.ts";

/** Every code of the builder. Codes are stable: add, never rename. */
export const builderErrors = {
  BUILDER_INVALID_UPLOAD: {
    status: 400,
    meaning: "The multipart form of a descriptor build is not as described; `problems` names each part.",
    solution:
      "Send the fields `archive` (one .tar.gz or .tgz file) and `environment` as multipart/form-data.",
  },
  BUILDER_INVALID_ARCHIVE: {
    status: 400,
    meaning:
      "The archive, or an entity in it, cannot become a descriptor; `problems` lists all that was found.",
    solution: "Correct the files that are named and upload the archive again.",
  },
  BUILDER_ARCHIVE_TOO_LARGE: {
    status: 413,
    meaning: "The uploaded archive is over the configured size.",
    solution: "Leave out what is not an entity file, or raise mesh.builder.archive.maxUploadBytes.",
  },
  BUILDER_INVALID_ADAPTER: {
    status: 400,
    meaning: "The registration of a tech adapter is not valid; `problems` names each field.",
    solution: "Correct the fields that are named and register again.",
  },
  BUILDER_ACTION_INPUT: {
    status: 400,
    meaning:
      "The input of an action in a template, once its expressions are rendered, is not what the action takes.",
    solution: "Correct the step of the template, or the values that it is given.",
  },
  BUILDER_BUSY: {
    status: 503,
    meaning: "As many descriptors are being built as this server takes on at once.",
    solution: "Try again after the time in the Retry-After header.",
  },
} as const;

export type BuilderCode = keyof typeof builderErrors;

const kindOfStatus: Record<(typeof builderErrors)[BuilderCode]["status"], FailureKind> = {
  400: "invalid",
  413: "limit",
  503: "unavailable",
};

/** A Failure with one of the codes above; its kind follows from the code. */
export const builderFailure = (
  code: BuilderCode,
  details: Pick<FailureDetails, "message" | "retryAfterSeconds" | "cause"> & { problems?: Problem[] },
): Failure =>
  new Failure({
    kind: kindOfStatus[builderErrors[code].status],
    code,
    solutions: [builderErrors[code].solution],
    ...details,
  });

/** Names in the error body that clients of this interface know. */
const nameOfKind: Record<FailureKind, string> = {
  invalid: "InputError",
  unauthenticated: "AuthenticationError",
  forbidden: "NotAllowedError",
  not_found: "NotFoundError",
  conflict: "ConflictError",
  limit: "PayloadTooLargeError",
  upstream: "ResponseError",
  unavailable: "ServiceUnavailableError",
  internal: "InternalServerError",
};

/** Names for the statuses that share a kind with another. */
const nameOfStatus: Record<number, string> = { 405: "MethodNotAllowedError", 429: "TooManyRequestsError" };

export interface BuilderErrorBody {
  error: { name: string; message: string; code: string; problems?: Problem[] };
  request: { method: string; url: string };
  response: { statusCode: number };
}

/** The body of every failure of the builder. */
export const toBody = (
  failure: Failure,
  request: { method: string; url: string },
): { status: number; body: BuilderErrorBody } => {
  const status = statusOf(failure);
  // Only these fields: a problem of an input may carry the offending value, which may be a secret.
  const problems = failure.problems.map(({ where, message, solution }) =>
    solution === undefined ? { where, message } : { where, message, solution },
  );
  const error = {
    name: nameOfStatus[status] ?? nameOfKind[failure.kind],
    message: failure.message,
    code: failure.code,
  };
  return {
    status,
    body: {
      error: problems.length === 0 ? error : { ...error, problems },
      request: { method: request.method, url: request.url },
      response: { statusCode: status },
    },
  };
};
