/** Calls operations of this process over HTTP without a network: each call is checked, allowed and recorded like any other. */
import { randomUUID } from "node:crypto";
import { authFailure } from "../auth/errors.ts";
import { callInProcess, type InnerAnswer } from "../http/listening/in-process-call.ts";
import type { AccessControl } from "../http/kit.ts";
import type { Area } from "../http/operation.ts";
import type { HttpServer } from "../http/server.ts";
import type { RequestContext } from "../lib/request-context.ts";
import type { PlatformBase } from "./platform.ts";

/** The limit of one answer; callers shorten it further. */
const maxAnswerBytes = 20_000_000;

export interface InProcessRequest {
  method: string;
  /** The path with its query. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal: AbortSignal;
}

/** Calls as the actor of the context; rejects when the server cannot be called at all. */
export type InProcessClient = (ctx: RequestContext, request: InProcessRequest) => Promise<InnerAnswer>;

/**
 * Calls operations of the areas as a user, through a server that listens nowhere. The server is made at the first call, so
 * that a process that never calls does without it.
 */
export function openInProcessClient(
  platform: PlatformBase,
  areas: () => Promise<readonly Area[]>,
): InProcessClient {
  // Nobody outside can name a ticket: no connection of the network leads to this server.
  const tickets = new Map<string, Pick<RequestContext, "actor" | "clientAddress">>();
  let server: Promise<HttpServer> | undefined;
  const callerOf = (authorization = "") => tickets.get(authorization.replace(/^Ticket /, ""));
  const authenticate: AccessControl["authenticate"] = ({ authorization }) => {
    const actor = callerOf(authorization)?.actor;
    if (actor === undefined)
      throw authFailure("PLATFORM_UNAUTHENTICATED", "The in-process request has no valid ticket.");
    return actor;
  };
  const openServer = async (): Promise<HttpServer> => {
    const { createInnerServer } = await import("./http-server.ts");
    return createInnerServer(platform, await areas(), {
      authenticate,
      clientAddressOf: ({ headers }) => callerOf(headers.authorization)?.clientAddress,
    });
  };
  platform.opened.add("the server of the platform's tools", async () => (await server)?.close());
  return async (ctx, { method, path, body, headers = {}, signal }) => {
    const opened = await (server ??= openServer().catch((error: unknown) => {
      server = undefined; // the next call tries again
      throw error;
    }));
    const ticket = randomUUID();
    tickets.set(ticket, ctx);
    try {
      return await callInProcess(opened, {
        method,
        path,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
        maxBytes: maxAnswerBytes,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
          authorization: `Ticket ${ticket}`,
          "x-request-id": ctx.requestId,
          traceparent: ctx.traceparent,
        },
      });
    } finally {
      tickets.delete(ticket);
    }
  };
}
