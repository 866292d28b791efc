/** Lets pages of the origins in the settings call `/mcp` and what belongs to signing in there (CORS). */
import type { FastifyRequest } from "fastify";
import { methodNotAllowed } from "../../../platform/http/errors.ts";
import type { AreaApp } from "../../../platform/http/operation.ts";
import { exchangeOf } from "../../../platform/http/requests/exchange.ts";
import type { AssistantExtra } from "../../context.ts";
import { mcpBase } from "./resource.ts";

const methods = "GET, POST, OPTIONS";
const exposed = "www-authenticate, mcp-session-id, mcp-protocol-version, retry-after, x-request-id";
/** Headers that clients of MCP and OAuth send. */
const taken = /^(?:authorization|content-type|accept|last-event-id|mcp-[a-z0-9-]{1,64})$/;
const maxAgeSeconds = "600";

/** Adds nothing where no origin is named. */
export function allowBrowsers(app: AreaApp<AssistantExtra>, wellKnown: readonly string[]): void {
  const origins = new Set(app.area.extra?.assistant.settings?.runs.ownMcpServer.browserOrigins ?? []);
  if (origins.size === 0) return;
  const bases = [mcpBase, ...wellKnown];
  const isOurs = ({ url }: FastifyRequest): boolean =>
    bases.some((base) => url.startsWith(base) && ["", "/", "?"].includes(url.charAt(base.length)));
  app.fastify.addHook("onRequest", (request, reply, proceed) => {
    const { origin } = request.headers;
    if (origin !== undefined && isOurs(request)) {
      reply.header("vary", "origin");
      if (origins.has(origin)) {
        reply.headers({
          "access-control-allow-origin": origin,
          "access-control-expose-headers": exposed,
        });
      }
    }
    proceed();
  });
  // Outside the routes of this area an answer has no such headers, and pages could not read that there is no stream.
  for (const method of ["GET", "DELETE"] as const) {
    app.fastify.route({
      method,
      url: mcpBase,
      handler(_request, reply) {
        exchangeOf(reply.raw).operation = "mcp";
        reply.header("allow", "POST");
        throw methodNotAllowed(method, mcpBase, ["POST"]);
      },
    });
  }
  for (const url of bases.flatMap((base) => [base, `${base}/*`])) {
    app.fastify.options(url, (request, reply) => {
      exchangeOf(reply.raw).operation = "preflight";
      const wanted = (request.headers["access-control-request-headers"] ?? "").toLowerCase();
      const headers = wanted.split(",").flatMap((name) => (taken.test(name.trim()) ? [name.trim()] : []));
      if (origins.has(request.headers.origin ?? "")) {
        reply.headers({
          "access-control-allow-methods": methods,
          "access-control-allow-headers": headers.join(", "),
          "access-control-max-age": maxAgeSeconds,
        });
      }
      reply.code(204).send();
    });
  }
}
