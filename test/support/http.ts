/** Helpers of tests that speak HTTP over real sockets. */
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { Type } from "typebox";
import { defaultAdmission } from "../../src/platform/http/admission/admission.ts";
import { statusOf } from "../../src/platform/http/errors.ts";
import type { Area, AreaApp } from "../../src/platform/http/operation.ts";
import { createHttpServer, type HttpServerOptions } from "../../src/platform/http/server.ts";
import type { Actor } from "../../src/platform/lib/actor.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createMetrics } from "../../src/platform/telemetry/metrics.ts";

export const testActor: Actor = { ref: "user:default/ada", roles: ["admin"], provider: "test" };

export interface RunningServer extends AsyncDisposable {
  url: string;
  port: number;
  close: () => Promise<void>;
  openStreams: () => number;
}

/** A server on a free port of the loopback address; everybody is an admin unless told otherwise. */
export const startTestServer = async (
  areas: readonly Area[],
  options: Partial<Omit<HttpServerOptions, "server">> & {
    server?: Partial<HttpServerOptions["server"]>;
  } = {},
): Promise<RunningServer> => {
  const server = await createHttpServer({
    log: silentLogger,
    metrics: createMetrics({ processMetrics: false }),
    access: {
      authenticate: () => testActor,
      authorize: () => undefined,
      hasRule: () => true,
      isPublic: () => false,
    },
    readiness: async () => ({ ready: true, checks: [] }),
    ...options,
    areas,
    server: {
      host: "127.0.0.1",
      port: 0,
      bodyLimitBytes: 1024 * 1024,
      shutdownGraceMs: 2000,
      rateLimitPerMinute: 0,
      trustProxy: false,
      // The tests work in the same process and have many requests under way at once.
      admission: { ...defaultAdmission, queueMs: 60_000, queuedRequests: 10_000 },
      ...options.server,
    },
  });
  const { url, port } = await server.listen();
  const { close, openStreams } = server;
  return { url, port, close, openStreams, [Symbol.asyncDispose]: close };
};

/** An area whose failures carry everything, for tests of the layer below the areas. */
export const testArea = <Extra extends object = object>(
  register: (app: AreaApp<Extra>) => void | Promise<void>,
  more: Partial<Area<Extra>> = {},
): Area<Extra> => ({
  name: "test",
  prefix: "/api/test",
  title: "Test",
  version: "1.0.0",
  errorSchema: Type.Object({ code: Type.String(), problems: Type.Array(Type.Unknown()) }),
  register,
  toBody: (failure, { method, url }) => ({
    status: statusOf(failure),
    body: {
      area: more.name ?? "test",
      code: failure.code,
      message: failure.message,
      problems: failure.problems,
      method,
      url,
    },
  }),
  ...more,
});

/** Sends bytes as they are and returns all that comes back until the other side closes. */
export const sendRaw = async (port: number, bytes: string): Promise<string> => {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.setTimeout(5000, () => socket.destroy(new Error("no answer within 5 s")));
  socket.write(bytes, "latin1");
  return textOf(socket);
};
