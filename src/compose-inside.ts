/**
 * The door through which the assistant's tools call the platform: a server of the other areas and of the assistant's search,
 * that listens nowhere. It is made at the first call, so that a process whose assistant is not used does without it.
 */
import { randomUUID } from "node:crypto";
import type { AssistantDeps } from "./assistant/context.ts";
import type { PlatformDoor } from "./assistant/ports.ts";
import type { Closer, Deps } from "./compose.ts";
import type { BuilderParts } from "./compose-builder.ts";
import { authFailure } from "./platform/auth/errors.ts";
import { callInside } from "./platform/http/inner-call.ts";
import { createHttpServer, type HttpServer } from "./platform/http/server.ts";
import type { Actor } from "./platform/lib/actor.ts";
import { createMetrics } from "./platform/telemetry/metrics.ts";

/** Of one answer; tools shorten them further. */
const maxAnswerBytes = 20_000_000;

export interface InsideDoor {
  call: PlatformDoor;
  close: Closer;
}

type InsideDeps = Deps & { builder: BuilderParts };

/** `assistant` is asked at the first call: the assistant's means have this door in them. */
export function createInsideDoor(deps: InsideDeps, assistant: () => AssistantDeps | undefined): InsideDoor {
  // Nobody outside can name a ticket: no connection of the network leads to this server.
  const tickets = new Map<string, Actor>();
  let server: Promise<HttpServer> | undefined;
  const call: PlatformDoor = async (ctx, { method, path, body, headers = {}, signal }) => {
    const opened = await (server ??= openServer(deps, assistant(), tickets));
    const ticket = randomUUID();
    tickets.set(ticket, ctx.actor);
    try {
      return await callInside(opened, {
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
  return { call, close: async () => (await server)?.close() };
}

async function openServer(
  deps: InsideDeps,
  assistant: AssistantDeps | undefined,
  tickets: ReadonlyMap<string, Actor>,
): Promise<HttpServer> {
  const { accessRules, areaOptions, platformAreas } = await import("./compose-server.ts");
  const { searchArea } = await import("./assistant/area.ts");
  const { config } = deps;
  return createHttpServer({
    ...areaOptions(deps),
    // The limit of requests has counted the caller already, and the run that calls was let in or is a worker's.
    server: { ...config.server, trustProxy: false, rateLimitPerMinute: 0, admission: null },
    areas: [...platformAreas(deps), ...(assistant ? [searchArea({ deps: assistant })] : [])],
    metrics: createMetrics({ processMetrics: false }),
    access: {
      ...accessRules,
      authenticate({ authorization = "" }) {
        const actor = tickets.get(authorization.replace(/^Ticket /, ""));
        if (actor === undefined) throw authFailure("PLATFORM_UNAUTHENTICATED", "There is no such ticket.");
        return actor;
      },
    },
  });
}
