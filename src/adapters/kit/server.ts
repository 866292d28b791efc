/**
 * The HTTP side of a tech adapter. An adapter author writes the handlers of protocol.ts and calls
 * `createAdapterServer`; tokens, polling, idempotency keys, authentication, limits and error bodies are done here.
 */
import { setTimeout as sleep } from "node:timers/promises";

import fastify from "fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { Failure } from "../../platform/errors/failure.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import { answerOf, failureResult, failureTexts } from "./answers.ts";
import { isAuthorised, secretsOf, type SharedSecrets } from "./auth.ts";
import { invalid } from "./descriptor.ts";
import { kitLimits } from "./limits.ts";
import { appendLog, createOperations, isFinal } from "./operations.ts";
import type { Action, Operation, Operations } from "./operations.ts";
import type { AdapterHandlers, CallContext, JsonObject, Outcome } from "./protocol.ts";
import { readAclCall, readProvisionCall, readReverseCall } from "./requests.ts";
import { addValidation } from "./validation.ts";

export interface AdapterServerOptions {
  /** Names the adapter in its health answer. */
  name: string;
  handlers: AdapterHandlers;
  /**
   * Callers must then send it as bearer, raw or as the key of an HS256 token; one of a list suffices. Needed beyond
   * loopback.
   */
  secret?: SharedSecrets;
  /**
   * How provision, unprovision, access and reverse calls are answered: false (default) waits for the end,
   * true answers 202 and a token at once, `{afterMs}` answers like false when done by then, else like true.
   */
  async?: boolean | { afterMs: number };
  log?: Logger;
  bodyLimitBytes?: number;
  /** How long `close` lets running operations go on before their signals are aborted. */
  closeGraceMs?: number;
}

export interface AdapterServer {
  /** @returns the base URL, e.g. `http://127.0.0.1:4101`. Port 0 takes a free one. */
  listen(address: { host?: string; port: number }): Promise<string>;
  /** Accepts no more calls, gives running operations a grace time, aborts the rest. Idempotent. */
  close(): Promise<void>;
}

type Run = (context: CallContext) => Promise<JsonObject>;

interface TokenRoute {
  Params: { token: string };
}

const provisionActions: Action[] = ["provision", "unprovision", "updateacl"];

export function createAdapterServer(options: AdapterServerOptions): AdapterServer {
  const { handlers } = options;
  const secrets = secretsOf(options.secret);
  const log = options.log ?? silentLogger;
  const operations = createOperations({
    running: kitLimits.runningOperations,
    finished: kitLimits.finishedOperations,
  });
  const app = fastify({ bodyLimit: options.bodyLimitBytes ?? kitLimits.bodyBytes, logger: false });

  addGuards(app, { secrets, log });
  let closing: Promise<void> | undefined;
  // Calls that end during a shutdown must end their connection too, or it would stay open until it times out.
  app.addHook("onSend", async (_request, reply) => {
    if (closing) void reply.header("connection", "close");
  });
  /** Starts an operation, or finds the one of a repeated key. The handler runs apart from the request. */
  const start = (action: Action, request: FastifyRequest, run: Run): Operation => {
    if (closing) throw stopped();
    return operations.start({
      action,
      idempotencyKey: idempotencyKeyOf(request),
      body: request.body,
      run: (operation) =>
        runLogged(operation, log, () =>
          run(contextOf(request, { signal: operation.abort.signal, operation })),
        ),
    });
  };
  const find = (token: string, actions: Action[]): Operation => {
    const operation = operations.find(token);
    if (operation && actions.includes(operation.action)) return operation;
    throw unknownToken();
  };
  const addRoute = <T>(
    action: Action,
    read: (body: unknown) => T,
    run: (call: T, c: CallContext) => Promise<JsonObject>,
  ) =>
    app.post(`/v1/${action}`, async (request, reply) => {
      const call = read(request.body);
      const operation = start(action, request, (context) => run(call, context));
      return answerOperation(reply, operation, options.async ?? false);
    });

  addValidation(app, {
    handlers,
    contextOf,
    start: (request, run) => start("validate", request, run),
    find: (token) => find(token, ["validate"]),
    answerToken: sendToken,
  });
  addRoute("provision", readProvisionCall, async (call, c) => answerParts(await handlers.provision(call, c)));
  addRoute("unprovision", readProvisionCall, async (call, c) =>
    answerParts(await handlers.unprovision(call, c)),
  );
  const updateAcl = handlers.updateAcl?.bind(handlers);
  if (updateAcl) addRoute("updateacl", readAclCall, async (call, c) => answerParts(await updateAcl(call, c)));
  app.get<TokenRoute>("/v1/provision/:token/status", async (request) =>
    statusBody(find(request.params.token, provisionActions)),
  );
  app.delete<TokenRoute>("/v1/provision/:token", async (request, reply) =>
    terminate(reply, find(request.params.token, provisionActions), handlers),
  );
  const reverse = handlers.reverseProvision?.bind(handlers);
  if (reverse) {
    addRoute("reverse-provisioning", readReverseCall, async (call, c) => ({ ...(await reverse(call, c)) }));
    app.get<TokenRoute>("/v1/reverse-provisioning/:token/status", async (request) =>
      statusBody(find(request.params.token, ["reverse-provisioning"])),
    );
  }
  app.get("/healthz", async () => ({ status: "ok", adapter: options.name }));

  return {
    listen: async ({ host = "127.0.0.1", port }) => {
      if (secrets.length === 0 && !isLoopback(host)) throw missingSecret();
      return app.listen({ host, port });
    },
    close: () => (closing ??= closeServer(app, operations, options.closeGraceMs)),
  };
}

/** Error bodies of the protocol, and the check of credentials. */
function addGuards(app: FastifyInstance, { secrets, log }: { secrets: string[]; log: Logger }): void {
  app.setErrorHandler((error, _request, reply) => sendError(reply, error, log));
  app.setNotFoundHandler((_request, reply) => {
    const message = "This path is not part of the adapter protocol.";
    return reply.code(404).send({ errors: [message], userMessage: message });
  });
  app.addHook("onRequest", async (request, reply) => {
    if (secrets.length === 0 || request.url === "/healthz") return;
    if (await isAuthorised(request.headers.authorization, secrets)) return;
    const message = "The call carries no valid bearer token.";
    await reply
      .code(401)
      .header("www-authenticate", "Bearer")
      .send({ errors: [message], userMessage: message });
  });
}

async function closeServer(
  app: FastifyInstance,
  operations: Operations,
  graceMs: number = kitLimits.closeGraceMs,
): Promise<void> {
  const closed = app.close();
  await allDone(operations.running(), graceMs);
  for (const operation of operations.running()) operation.abort.abort();
  await allDone(operations.running(), kitLimits.closeAbortMs);
  // A handler that ignores its signal must not keep the process alive; its caller sees the connection end.
  if (operations.running().length > 0) app.server.closeAllConnections();
  await closed;
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host.startsWith("127.");

async function allDone(operations: Operation[], limitMs: number): Promise<void> {
  if (operations.length === 0) return;
  const done = Promise.all(operations.map((operation) => operation.done));
  await Promise.race([done, sleep(limitMs, undefined, { ref: false })]);
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const header = request.headers["idempotency-key"];
  if (header === undefined || header === "") return undefined;
  if (typeof header === "string" && header.length <= kitLimits.idempotencyKeyChars) return header;
  throw invalid("The idempotency key cannot be used.", [
    {
      where: "idempotency-key",
      message: `must be one value of at most ${kitLimits.idempotencyKeyChars} characters`,
    },
  ]);
}

function contextOf(
  request: FastifyRequest,
  { signal, operation }: { signal: AbortSignal; operation?: Operation },
): CallContext {
  const { traceparent } = request.headers;
  return {
    signal,
    traceparent: typeof traceparent === "string" ? traceparent : undefined,
    log: (level, message, phase) => {
      if (operation) appendLog(operation, { level, message, ...(phase === undefined ? {} : { phase }) });
    },
  };
}

async function runLogged(
  operation: Operation,
  log: Logger,
  run: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const fields = { action: operation.action, token: operation.token };
  try {
    const answer = await run();
    log.info(fields, "operation completed");
    return answer;
  } catch (error) {
    for (const message of failureTexts(error)) appendLog(operation, { level: "ERROR", message });
    log.warn({ ...fields, err: error }, "operation failed");
    throw error;
  }
}

const answerParts = (outcome: Outcome): JsonObject => ({
  result: outcome.result,
  info: outcome.info ?? null,
});

/**
 * Waits as long as the mode says; then sends the outcome, or the token to poll. A repeat gets the same token.
 */
async function answerOperation(
  reply: FastifyReply,
  operation: Operation,
  mode: boolean | { afterMs: number },
): Promise<FastifyReply> {
  if (mode === true || operation.polled) return sendToken(reply, operation);
  if (mode === false) await operation.done;
  else await Promise.race([operation.done, sleep(mode.afterMs, undefined, { ref: false })]);
  if (operation.polled || !isFinal(operation.status)) return sendToken(reply, operation);
  if (operation.status === "FAILED") throw operation.failure;
  if (operation.status === "TERMINATED") throw stopped();
  return reply.code(200).send(statusBody(operation));
}

function sendToken(reply: FastifyReply, operation: Operation): FastifyReply {
  operation.polled = true;
  return reply.code(202).type("application/json").send(JSON.stringify(operation.token));
}

/** The protocol's status object; one shape serves provisioning and reverse provisioning. */
function statusBody({ action, status, logs, answer, failure }: Operation): JsonObject {
  if (answer) return { status, ...answer, logs };
  if (action === "reverse-provisioning") return { status, updates: {}, logs };
  return { status, result: failure === undefined ? "" : failureResult(failure), info: null, logs };
}

async function terminate(
  reply: FastifyReply,
  operation: Operation,
  handlers: AdapterHandlers,
): Promise<FastifyReply> {
  if (!isFinal(operation.status)) {
    if (!handlers.terminate) {
      const message = "This adapter cannot stop a running operation.";
      return reply.code(501).send({ errors: [message], userMessage: message });
    }
    operation.status = "TERMINATING";
    operation.abort.abort();
    await handlers.terminate({ token: operation.token, action: operation.action });
    await allDone([operation], kitLimits.terminateWaitMs);
  }
  return reply.code(isFinal(operation.status) ? 200 : 202).send(statusBody(operation));
}

function sendError(reply: FastifyReply, error: unknown, log: Logger): FastifyReply {
  const { status, body } = answerOf(error);
  // A validation that was given up because its caller had gone is no defect.
  if (status >= 500 && !reply.raw.destroyed) log.error({ err: error }, "call failed");
  if (error instanceof Failure && error.retryAfterSeconds !== undefined) {
    void reply.header("retry-after", String(error.retryAfterSeconds));
  }
  return reply.code(status).send(body);
}

const unknownToken = (): Failure =>
  invalid("The token is not known.", [
    {
      where: "token",
      message: "names no operation of this adapter process",
      solution: "Start the operation again; tokens end with the process that gave them.",
    },
  ]);

const stopped = (): Failure =>
  new Failure({
    kind: "unavailable",
    code: "ADAPTER_STOPPED",
    message: "The operation was stopped before its end.",
    solutions: ["Call again; the same call may be repeated."],
  });

const missingSecret = (): Failure =>
  new Failure({
    kind: "invalid",
    code: "ADAPTER_SECRET_MISSING",
    message: "Without a secret the adapter listens on loopback addresses only.",
    solutions: ["Set the shared secret, or listen on 127.0.0.1."],
  });
