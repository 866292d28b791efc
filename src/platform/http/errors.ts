import { Failure, statusOfKind } from "../errors/failure.ts";
import type { InputProblem } from "./operation.ts";
import { capProblems, inputProblem } from "./input/problems.ts";

/** Codes of failures that the HTTP layer itself finds; an area may put its own in their place. */
export const httpErrors = {
  PLATFORM_INPUT: {
    status: 400,
    meaning:
      "The body, the query or the path does not match the operation's schema; every problem is listed.",
    solution: "Correct the listed problems. The interface's openapi.json has the schema of each operation.",
  },
  PLATFORM_BODY_TOO_LARGE: {
    status: 413,
    meaning: "The body is larger than the operation accepts.",
    solution: "Send less, or raise server.bodyLimitBytes.",
  },
  PLATFORM_CHARSET: {
    status: 415,
    meaning: "The content-type header declares a charset other than UTF-8.",
    solution: "Send it as UTF-8, with the header content-type without a charset or with charset=utf-8.",
  },
  PLATFORM_REQUEST_TIMEOUT: {
    status: 408,
    meaning: "The body of the request arrived too slowly (server.requestIdleMs); the connection is closed.",
    solution: "Send the request again, without pauses; or raise server.requestIdleMs for very slow lines.",
  },
  PLATFORM_NOT_FOUND: {
    status: 404,
    meaning: "No operation has this path.",
    solution: "Look the path up in the interface's openapi.json.",
  },
  PLATFORM_METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: "The path exists with other methods.",
    solution: "Use one of the methods in the Allow header.",
  },
  PLATFORM_RATE_LIMITED: {
    status: 429,
    meaning:
      "This caller sent more requests in the last minute than server.rateLimitPerMinute, or as many refused credentials came from its address.",
    solution: "Wait for the seconds in Retry-After.",
  },
  PLATFORM_OVERLOADED: {
    status: 503,
    meaning: "The process receives more requests than it can answer in time, so it refuses some at once.",
    solution: "Repeat the request after the seconds in Retry-After.",
  },
  PLATFORM_TOO_MANY_STREAMS: {
    status: 503,
    meaning: "The process has reached its limit of open event streams.",
    solution: "Close streams that nobody reads, or add a replica.",
  },
  PLATFORM_TOO_MANY_CALLER_STREAMS: {
    status: 429,
    meaning:
      "The caller has a fifth of the event streams that the process holds, and no caller may have more.",
    solution:
      "Close streams that nobody reads, read the state of plans in place of following each, or spread the streams over the replicas.",
  },
  PLATFORM_SHUTTING_DOWN: {
    status: 503,
    meaning: "The process is stopping and takes no new work.",
    solution: "Repeat the request; another replica or the next start answers it.",
  },
  PLATFORM_STARTING: {
    status: 503,
    meaning: "The process is starting; GET /readyz says what it waits for.",
    solution: "Repeat the request after the seconds in Retry-After.",
  },
  PLATFORM_LISTEN: {
    status: 503,
    meaning: "The server could not open its address at start.",
    solution: "Set server.host and server.port to a free address of this machine.",
  },
  PLATFORM_INTERNAL: {
    status: 500,
    meaning: "The server failed; the log has the cause under the request's id.",
    solution: "Report it with the x-request-id of the answer.",
  },
} as const;

const ownStatus = new Map<string, number>(
  Object.entries(httpErrors).map(([code, entry]) => [code, entry.status]),
);

/**
 * The status of a failure, for every area's `toBody`. Beyond the kinds it knows the codes above, whose statuses
 * (405, 408, 415, 429) no kind has; an area that answers invalid input otherwise passes its status.
 */
export const statusOf = (failure: Failure, invalidStatus = 400): number => {
  const own = ownStatus.get(failure.code);
  if (failure.kind === "invalid" && (own === undefined || own === 400)) {
    return invalidStatus;
  }
  return own ?? statusOfKind[failure.kind];
};

/** One failure for everything that is wrong with an input. */
export const inputFailure = (problems: InputProblem[]): Failure => {
  const [first] = problems;
  return new Failure({
    kind: "invalid",
    code: "PLATFORM_INPUT",
    message:
      first === undefined || problems.length > 1
        ? `The request has ${problems.length} problems.`
        : `The request is not valid: ${sentenceOf(first)}`,
    problems: capProblems(problems, first?.place ?? "body"),
  });
};

const placeNames = { body: "", query: "query parameter ", path: "path parameter ", header: "header " };
const wholeNames = { body: "the body", query: "the query", path: "the path", header: "it" };

const sentenceOf = ({ place, where, message }: InputProblem): string =>
  `${where === "" ? wholeNames[place] : placeNames[place] + where} ${message}.`;

export const notFound = (path: string): Failure =>
  new Failure({
    kind: "not_found",
    code: "PLATFORM_NOT_FOUND",
    message: `Nothing is found at ${path}.`,
    solutions: [httpErrors.PLATFORM_NOT_FOUND.solution],
  });

export const methodNotAllowed = (method: string, path: string, allowed: readonly string[]): Failure =>
  new Failure({
    kind: "invalid",
    code: "PLATFORM_METHOD_NOT_ALLOWED",
    message: `${method} is not possible on ${path}; possible is ${allowed.join(", ")}.`,
    solutions: [httpErrors.PLATFORM_METHOD_NOT_ALLOWED.solution],
  });

export const unsupportedCharset = (charset: string): Failure =>
  new Failure({
    kind: "invalid",
    code: "PLATFORM_CHARSET",
    message: "Bodies are taken as UTF-8 only.",
    problems: [
      inputProblem("header", ["content-type"], {
        keyword: "charset",
        message: `names the charset ${JSON.stringify(charset.slice(0, maxShownCharset))}; it must be utf-8`,
      }),
    ],
    solutions: [httpErrors.PLATFORM_CHARSET.solution],
  });

const maxShownCharset = 40;

export const requestTooSlow = (): Failure =>
  new Failure({
    kind: "invalid",
    code: "PLATFORM_REQUEST_TIMEOUT",
    message: "The body of the request did not arrive in time.",
    solutions: [httpErrors.PLATFORM_REQUEST_TIMEOUT.solution],
  });

export const rateLimited = (retryAfterSeconds: number): Failure =>
  new Failure({
    kind: "limit",
    code: "PLATFORM_RATE_LIMITED",
    message: "Too many requests in the last minute.",
    solutions: [httpErrors.PLATFORM_RATE_LIMITED.solution],
    retryAfterSeconds,
  });

export const tooManyStreamsOf = (caller: string, limit: number): Failure =>
  new Failure({
    kind: "limit",
    code: "PLATFORM_TOO_MANY_CALLER_STREAMS",
    message: `${caller} has ${limit} event streams open at this process, and one caller may have no more.`,
    solutions: [httpErrors.PLATFORM_TOO_MANY_CALLER_STREAMS.solution],
    retryAfterSeconds: 5,
  });

export const bodyTooLarge = (limitBytes: number): Failure =>
  new Failure({
    kind: "limit",
    code: "PLATFORM_BODY_TOO_LARGE",
    message: `The body is larger than the ${limitBytes} bytes that this operation takes.`,
    solutions: [httpErrors.PLATFORM_BODY_TOO_LARGE.solution],
  });

export const unavailable = (
  code: "PLATFORM_OVERLOADED" | "PLATFORM_TOO_MANY_STREAMS" | "PLATFORM_SHUTTING_DOWN",
  retryAfterSeconds: number,
): Failure =>
  new Failure({
    kind: "unavailable",
    code,
    message: httpErrors[code].meaning,
    solutions: [httpErrors[code].solution],
    retryAfterSeconds,
  });

export const internalFailure = (cause: unknown): Failure =>
  new Failure({
    kind: "internal",
    code: "PLATFORM_INTERNAL",
    message: httpErrors.PLATFORM_INTERNAL.meaning,
    solutions: [httpErrors.PLATFORM_INTERNAL.solution],
    cause,
  });

/** What a framework error says about an input, or undefined when the caller did not cause the error. */
export const inputProblemOf = (error: unknown): InputProblem | undefined => {
  const { code, statusCode } = frameworkError(error);
  const known = frameworkProblems[code];
  if (known !== undefined) {
    return known();
  }
  const isCallers = code.startsWith("FST_") && statusCode >= 400 && statusCode < 500 && statusCode !== 413;
  return isCallers ? inputProblem("body", [], { keyword: "malformed", message: "is malformed" }) : undefined;
};

/** Whether a framework error says that the body has too many bytes. */
export const isTooLarge = (error: unknown): boolean => {
  const { code, statusCode } = frameworkError(error);
  return code.startsWith("FST_") && statusCode === 413;
};

const frameworkError = (error: unknown): { code: string; statusCode: number } => {
  if (!(error instanceof Error)) {
    return { code: "", statusCode: 0 };
  }
  const code: unknown = Reflect.get(error, "code");
  const statusCode: unknown = Reflect.get(error, "statusCode");
  return {
    code: typeof code === "string" ? code : "",
    statusCode: typeof statusCode === "number" ? statusCode : 0,
  };
};

export const wrongContentType = (given: string | undefined, wanted: string): InputProblem =>
  inputProblem("header", ["content-type"], {
    keyword: "contentType",
    message: given === undefined ? "is missing" : `must be ${wanted}`,
    solution: `Send the header content-type: ${wanted}.`,
  });

const frameworkProblems: Record<string, () => InputProblem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => wrongContentType("", "application/json"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    inputProblem("header", ["content-length"], {
      keyword: "contentLength",
      message: "differs from the number of bytes in the body",
    }),
  FST_ERR_BAD_URL: () =>
    inputProblem("path", [], { keyword: "encoding", message: "is not valid percent-encoded UTF-8" }),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    inputProblem("path", [], { keyword: "maxLength", message: "has a parameter that is too long" }),
};
