/** The two validate operations. Validation changes nothing; the second version only adds a token to poll. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { Failure } from "../../platform/errors/failure.ts";
import type { Problem } from "../../platform/errors/failure.ts";
import { failureResult, problemText, solutionsOf } from "./answers.ts";
import { isRefusal } from "./operations.ts";
import type { Operation } from "./operations.ts";
import type { AdapterHandlers, CallContext, JsonObject } from "./protocol.ts";
import { readValidateCall } from "./requests.ts";

export interface ValidationParts {
  handlers: AdapterHandlers;
  contextOf: (request: FastifyRequest, run: Pick<CallContext, "signal">) => CallContext;
  /** Starts an asynchronous validation. */
  start: (request: FastifyRequest, run: (context: CallContext) => Promise<JsonObject>) => Operation;
  find: (token: string) => Operation;
  answerToken: (reply: FastifyReply, operation: Operation) => FastifyReply;
}

export function addValidation(app: FastifyInstance, parts: ValidationParts): void {
  const validate = async (body: unknown, context: CallContext): Promise<JsonObject> => {
    try {
      return verdict(await parts.handlers.validate(readValidateCall(body), context));
    } catch (error) {
      if (error instanceof Failure && isRefusal(error)) return verdict(error.problems, error);
      throw error;
    }
  };
  app.post("/v1/validate", async (request, reply) =>
    validate(request.body, parts.contextOf(request, { signal: whenCallerIsGone(reply) })),
  );
  app.post("/v2/validate", async (request, reply) => {
    const operation = parts.start(request, (context) => validate(request.body, context));
    return parts.answerToken(reply, operation);
  });
  app.get<{ Params: { token: string } }>("/v2/validate/:token/status", async (request) => {
    const operation = parts.find(request.params.token);
    const failed = operation.failure === undefined ? null : failureResult(operation.failure);
    return { status: operation.status, result: operation.answer ?? failed, logs: operation.logs };
  });
}

/** A signal that is aborted when the connection closes before the answer is sent: nobody waits for the result of the validation any more. */
function whenCallerIsGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once("close", () => {
    if (!raw.writableEnded) gone.abort();
  });
  return gone.signal;
}

/** @param refusal set when the handler threw; then the descriptor is not valid whatever the list says. */
function verdict(problems: Problem[], refusal?: Failure): JsonObject {
  if (problems.length === 0 && refusal === undefined) return { valid: true };
  const errors = problems.length > 0 ? problems.map(problemText) : [refusal?.message];
  const solutions = solutionsOf(problems, refusal?.solutions);
  const moreInfo = solutions.length > 0 ? { moreInfo: { problems: errors, solutions } } : {};
  return { valid: false, error: { errors, ...moreInfo } };
}
