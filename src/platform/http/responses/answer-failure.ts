import type { FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "../../errors/failure.ts";
import {
  bodyTooLarge,
  inputFailure,
  inputProblemOf,
  internalFailure,
  isTooLarge,
  statusOf,
} from "../errors.ts";
import { identify } from "../requests/client-address.ts";
import type { Kit } from "../kit.ts";
import type { Area, FailureBody, InputProblem, RequestView } from "../operation.ts";
import { sendJson } from "./send-json.ts";

export interface Reading {
  kit: Pick<Kit, "bodyLimitBytes" | "translate">;
  /** Limit of the operation, where it differs from the server's. */
  limitBytes?: number;
  /** What else is wrong with the input. */
  problems?: () => InputProblem[];
}

/** Turns whatever was thrown into the failure that the caller may see. */
export const toFailure = (error: unknown, { kit, limitBytes, problems }: Reading): Failure => {
  if (error instanceof Failure) {
    return error;
  }
  if (isTooLarge(error)) {
    return bodyTooLarge(limitBytes ?? kit.bodyLimitBytes);
  }
  const problem = inputProblemOf(error);
  if (problem === undefined) {
    return kit.translate?.(error) ?? internalFailure(error);
  }
  const others = (problems?.() ?? []).filter(
    ({ place, where }) => place !== problem.place || where !== problem.where,
  );
  return inputFailure([problem, ...others]);
};

export interface FailureAnswer {
  failure: Failure;
  kit: Kit;
  area: Area | undefined;
  headers?: Record<string, string>;
}

/** Sends a failure with its area's body and the headers of its status. */
export const answerFailure = (reply: FastifyReply, answer: FailureAnswer): void => {
  const { failure, kit } = answer;
  const { request } = reply;
  identify(reply, kit);
  if (failure.kind === "internal") {
    kit.log.error(
      { error: failure.cause ?? failure, code: failure.code, requestId: request.id },
      failure.message,
    );
  }
  if (reply.sent) {
    return;
  }
  const { status, body } = bodyOf(failure, request, answer);
  const { basicAuth, challenge: more } = request.routeOptions.config;
  const usual = kit.access.challengeOf?.(failure);
  const bearer = usual === undefined ? undefined : withParameters(usual, more?.() ?? {});
  const offersBasic = failure.kind === "unauthenticated" && basicAuth === true;
  const challenge = bearer !== undefined && offersBasic ? `Basic realm="plinth", ${bearer}` : bearer;
  reply.headers({
    ...(failure.retryAfterSeconds === undefined ? {} : { "retry-after": String(failure.retryAfterSeconds) }),
    ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
    ...answer.headers,
  });
  if (kit.isDraining() || hasUnreadBody(request)) {
    reply.header("connection", "close");
  }
  sendJson(reply, JSON.stringify(body), status);
};

const withParameters = (challenge: string, parameters: Record<string, string>): string =>
  [challenge, ...Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)].join(", ");

/** The body of a failure. When the area's own function throws, the platform's body is sent. */
export const bodyOf = (
  failure: Failure,
  request: RequestView,
  { kit, area }: Pick<FailureAnswer, "kit" | "area">,
): FailureBody => {
  if (area === undefined) {
    return platformBody(failure, request);
  }
  try {
    return area.toBody(failure, request);
  } catch (error) {
    kit.log.error(
      { error, area: area.name, requestId: request.id },
      "an area could not make the response of a failure",
    );
    return platformBody(failure, request);
  }
};

/** Failures outside every area: `{error: {code, message, problems, solutions, requestId}}`. */
export const platformBody = (failure: Failure, request: RequestView): FailureBody => ({
  status: statusOf(failure),
  body: {
    error: {
      code: failure.code,
      message: failure.message,
      problems: failure.problems.map(({ where, message }) => ({ where, message })),
      solutions: failure.solutions,
      requestId: request.id,
    },
  },
});

/** An unread body must not be parsed as the next request of the connection, nor be waited for. */
const hasUnreadBody = ({ raw }: FastifyRequest): boolean => !raw.readableEnded && !raw.complete;
