/** The two sides of an HTTP bench: bare node:http, and our stack with a token to check and a log line per request. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { createAuthenticator } from "../../src/platform/auth/authenticator.ts";
import { challengeOf } from "../../src/platform/auth/errors.ts";
import { authorize, isPolicyId, isPublic } from "../../src/platform/auth/policy.ts";
import type { Area } from "../../src/platform/http/operation.ts";
import { createHttpServer } from "../../src/platform/http/server.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { logDestination } from "../../src/platform/telemetry/log-stream.ts";
import { createLogger } from "../../src/platform/telemetry/logger.ts";
import { createMetrics } from "../../src/platform/telemetry/metrics.ts";

export const benchToken = "a-service-token-of-enough-length-for-a-bench";

export interface BenchServer {
  port: number;
  close: () => Promise<void>;
}

/** Answers every request with the JSON of what `answer` gives for its path. */
export async function startBare(answer: (path: string) => unknown): Promise<BenchServer> {
  const send = async (path: string, response: ServerResponse): Promise<void> => {
    const body = JSON.stringify(await answer(path));
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  };
  const server = createServer((request, response) => void send(request.url ?? "", response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export async function startOurs<Extra extends object>(area: Area<Extra>): Promise<BenchServer> {
  const tokens = [{ name: "bench", secret: benchToken, roles: ["service" as const] }];
  const authenticate = createAuthenticator({
    auth: { environment: "default", providers: { service: { default: { tokens } } } },
    mode: "production",
    loopbackOnly: true,
    log: silentLogger,
    fetchJson: () => Promise.reject(new Error("not needed")),
  });
  const server = await createHttpServer({
    server: {
      host: "127.0.0.1",
      port: 0,
      bodyLimitBytes: 1024 * 1024,
      shutdownGraceMs: 1000,
      rateLimitPerMinute: 1_000_000_000,
      trustProxy: false,
      // Requests pass the admission and none is refused, even where other programs keep the processor from us.
      admission: { activeRequests: 4, queueMs: 60_000, queuedRequests: 1000 },
    },
    areas: [area],
    log: createLogger({ level: "info", pretty: false }, logDestination("/dev/null")),
    metrics: createMetrics(),
    access: {
      authenticate,
      authorize,
      hasRule: isPolicyId,
      isPublic: (rule) => isPolicyId(rule) && isPublic(rule),
      challengeOf,
    },
    readiness: () => Promise.resolve({ ready: true, checks: [] }),
  });
  const { port } = await server.listen();
  return { port, close: server.close };
}
