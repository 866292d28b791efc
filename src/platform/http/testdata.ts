/** Two areas to ask, and the server that holds them. */
import { Type } from "typebox";
import { request } from "undici";
import { startTestServer, testActor, testArea, type RunningServer } from "../../../test/support/http.ts";
import { Failure } from "../errors/failure.ts";
import type { Actor } from "../lib/actor.ts";
import type { Logger } from "../lib/logger.ts";
import { statusOf } from "./errors.ts";
import { route, type Area, type AreaApp } from "./operation.ts";

export const unitOperations = (app: AreaApp): void => {
  route(app, {
    id: "getUnit",
    method: "GET",
    path: "/v1/units/{unit-id}",
    summary: "One unit",
    rule: "read",
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, default: 5 }),
      env: Type.Array(Type.String(), { default: [] }),
    }),
    response: {
      200: Type.Object({ id: Type.String(), limit: Type.Integer(), env: Type.Array(Type.String()) }),
    },
    handler: (_ctx, { params, query }) => ({ id: params["unit-id"], secret: "stays inside", ...query }),
  });
  route(app, {
    id: "createUnit",
    method: "POST",
    path: "/v1/units",
    summary: "A new unit",
    rule: "write",
    query: Type.Object({ dry: Type.Boolean({ default: false }) }),
    body: Type.Object({ name: Type.String({ minLength: 1 }), size: Type.Integer({ default: 3 }) }),
    bodyLimitBytes: 2000,
    response: { 202: Type.String() },
    handler: async (_ctx, { body, query }) => `${body.name}/${body.size}/${query.dry}`,
  });
  route(app, {
    id: "stopUnit",
    method: "POST",
    path: "/v1/units/{unit-id}/stop",
    summary: "Stop it",
    rule: "write",
    response: { 202: { description: "Accepted", noBody: true } },
    handler: () => undefined,
  });
  route(app, {
    id: "rawList",
    method: "GET",
    path: "/v1/raw",
    summary: "JSON that is text already",
    rule: "read",
    response: { 200: Type.Array(Type.Integer()) },
    handler: (_ctx, { reply }) => reply.sendJson("[1,2]"),
  });
  route(app, {
    id: "fail",
    method: "GET",
    path: "/v1/failures/{kind}",
    summary: "Fails",
    rule: "read",
    response: { 200: Type.Object({ a: Type.String() }) },
    handler: async (_ctx, { params }) => {
      if (params["kind"] === "defect") {
        throw new Error("select password from users at /srv/secret.ts");
      }
      if (params["kind"] === "missing") {
        throw new Failure({ kind: "not_found", code: "TEST_MISSING", message: "There is none." });
      }
      if (params["kind"] === "answer") {
        return undefined;
      }
      throw new Failure({ kind: "unavailable", code: "TEST_BUSY", message: "Later.", retryAfterSeconds: 7 });
    },
  });
};

const otherArea: Area = testArea(
  (app) =>
    route(app, {
      id: "item",
      method: "GET",
      path: "/v2/tasks/{id}",
      base: "/api/scaffolder",
      summary: "Below an alias",
      rule: "read",
      response: { 200: Type.String() },
      handler: (_ctx, { params }) => params["id"],
    }),
  {
    name: "other",
    prefix: "/api/other",
    aliases: ["/api/scaffolder"],
    invalidStatus: 422,
    toBody: (failure) => ({ status: statusOf(failure, 422), body: { detail: failure.message } }),
  },
);

const reader: Actor = { ref: "user:default/bob", roles: ["viewer"], provider: "test" };

export interface LoggedLine {
  level: string;
  fields: Record<string, unknown>;
  message: string;
}

/** A logger that keeps its lines. */
export const memoryLog = (): { log: Logger; lines: LoggedLine[] } => {
  const lines: LoggedLine[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...fields }, message });
  };
  const log: Logger = {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: () => log,
  };
  return { log, lines };
};

/**
 * Both areas on one server. `Bearer bad` is nobody, `Bearer reader` may not write, everybody else is an admin.
 */
export const startUnits = (log: Logger): Promise<RunningServer> =>
  startTestServer([testArea(unitOperations), otherArea], {
    log,
    access: {
      authenticate: async ({ authorization }, { loopback }) => {
        if (authorization === "Bearer bad" || !loopback) {
          throw new Failure({ kind: "unauthenticated", code: "TEST_NOBODY", message: "Unknown token." });
        }
        return authorization === "Bearer reader" ? reader : testActor;
      },
      authorize: (actor, rule) => {
        if (rule === "write" && !actor.roles.includes("admin")) {
          throw new Failure({ kind: "forbidden", code: "TEST_FORBIDDEN", message: "No." });
        }
      },
      hasRule: (rule) => ["read", "write", "metrics"].includes(rule),
      isPublic: (rule) => rule === "metrics",
      challengeOf: ({ kind }) => (kind === "unauthenticated" ? "Bearer" : undefined),
    },
  });

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Undefined when it is not JSON. */
  body: unknown;
}

export interface Question {
  headers?: Record<string, string>;
  body?: string;
}

type Method = "GET" | "POST" | "DELETE" | "HEAD";

export const ask = async (
  url: string,
  method: Method,
  { headers = {}, body }: Question = {},
): Promise<Answer> => {
  const answer = await request(url, { method, headers, body: body ?? null });
  const text = await answer.body.text();
  const isJson = answer.headers["content-type"]?.toString().startsWith("application/json") === true;
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
};

/** Where each problem of an answer is. */
export const whereOf = (answer: Answer): unknown[] => {
  const problems: unknown = Reflect.get(Object(answer.body), "problems");
  return Array.isArray(problems) ? problems.map((problem: { where: unknown }) => problem.where) : [];
};
