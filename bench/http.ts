/**
 * How much of bare node:http is left behind our stack? Requests per second of a small GET (path and query read by
 * schema, a bearer token checked, the answer serialised by schema, metrics, one log line to /dev/null) as a ratio to a
 * node:http server that writes the same JSON. The goal is at least 0.5.
 *
 * Both servers live in this process on ports of their own and take turns; a child process is the client: keep-alive
 * connections over raw sockets, one request at a time each, so that the client costs as little as it can. Medians of
 * the rounds are compared.
 *
 *   node bench/http.ts [--rounds N] [--ms N] [--connections N]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { parseArgs } from "node:util";
import { Type } from "typebox";
import { createAuthenticator } from "../src/platform/auth/authenticator.ts";
import { challengeOf } from "../src/platform/auth/errors.ts";
import { authorize, isPolicyId, isPublic } from "../src/platform/auth/policy.ts";
import { statusOf } from "../src/platform/http/errors.ts";
import { route, type Area } from "../src/platform/http/operation.ts";
import { createHttpServer } from "../src/platform/http/server.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { createLogger, logDestination } from "../src/platform/telemetry/logger.ts";
import { createMetrics } from "../src/platform/telemetry/metrics.ts";

const goal = 0.5;
const secret = "a-service-token-of-enough-length-for-a-bench";
const path = "/api/coordinator/v1/execution-plans/0b7e4e0e-3f1c-4a53-9d0f-0d6e1f6f6a11/status?verbose=true";
const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    ms: { type: "string", default: "1000" },
    connections: { type: "string", default: "32" },
  },
});

const planStatus = (token: string): object => ({
  id: token,
  displayName: "fleet positions",
  status: "RUNNING",
  startTime: "2026-01-01T00:00:00.000Z",
  tasks: 12,
});

async function main(): Promise<void> {
  const bare = await startBare();
  const ours = await startOurs();
  const client = fork(import.meta.filename, process.argv.slice(2), { stdio: "inherit" });
  const measure = async (port: number): Promise<Sample> => {
    const before = process.cpuUsage();
    client.send({ port });
    const [count]: unknown[] = await once(client, "message");
    const { user, system } = process.cpuUsage(before);
    return {
      perSecond: (Number(count) * 1000) / Number(options.ms),
      cpuMicros: (user + system) / Number(count),
    };
  };
  const samples = { bare: [] as Sample[], ours: [] as Sample[] };
  await measure(bare.port);
  await measure(ours.port);
  for (let round = 0; round < Number(options.rounds); round += 1) {
    samples.bare.push(await measure(bare.port));
    samples.ours.push(await measure(ours.port));
  }
  client.disconnect();
  await Promise.all([bare.close(), ours.close()]);
  const base = report("node:http", samples.bare);
  const ratio = report("our stack", samples.ours).perSecond / base.perSecond;
  console.log(`ratio ${ratio.toFixed(2)}, goal at least ${goal}: ${ratio >= goal ? "kept" : "MISSED"}`);
  process.exitCode = ratio >= goal ? 0 : 1;
}

interface Sample {
  perSecond: number;
  /** Of this process; says the same on a machine where others work too. */
  cpuMicros: number;
}

function report(name: string, samples: readonly Sample[]): Sample {
  const perSecond = median(samples.map((sample) => sample.perSecond));
  const cpuMicros = median(samples.map((sample) => sample.cpuMicros));
  console.log(`${name}  ${Math.round(perSecond)} requests/s  ${cpuMicros.toFixed(1)} us of CPU each`);
  return { perSecond, cpuMicros };
}

interface Running {
  port: number;
  close: () => Promise<void>;
}

async function startBare(): Promise<Running> {
  const server = createServer((request, response) => {
    const token = request.url?.split("/")[5] ?? "";
    const body = JSON.stringify(planStatus(token));
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  });
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

async function startOurs(): Promise<Running> {
  const authenticate = createAuthenticator({
    auth: {
      environment: "default",
      providers: { service: { default: { tokens: [{ name: "bench", secret, roles: ["service"] }] } } },
    },
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
    },
    areas: [benchArea],
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

const benchArea: Area = {
  name: "coordinator",
  prefix: "/api/coordinator",
  title: "Bench",
  version: "1.0.0",
  register: (app) =>
    route(app, {
      id: "getPlanStatus",
      method: "GET",
      path: "/v1/execution-plans/{token}/status",
      summary: "Status of a plan",
      rule: "getPlanStatus",
      params: Type.Object({ token: Type.String({ minLength: 1 }) }),
      query: Type.Object({ verbose: Type.Boolean({ default: false }) }),
      response: {
        200: Type.Object({
          id: Type.String(),
          displayName: Type.String(),
          status: Type.String(),
          startTime: Type.String(),
          tasks: Type.Integer(),
        }),
      },
      handler: async (_ctx, { params }) => planStatus(params.token),
    }),
  toBody: (failure) => ({ status: statusOf(failure), body: { code: failure.code } }),
};

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Sends requests for the given time and counts the answers. */
async function load(order: unknown): Promise<number> {
  const port = Number(Reflect.get(Object(order), "port"));
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\nauthorization: Bearer ${secret}\r\naccept: application/json\r\n\r\n`,
  );
  const endAt = performance.now() + Number(options.ms);
  stayAwake(endAt);
  const counts = await Promise.all(
    Array.from({ length: Number(options.connections) }, () => hammer(port, request, endAt)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Waking a client that sleeps costs the server's write more than the write itself, and the slower server more often. */
function stayAwake(endAt: number): void {
  if (performance.now() < endAt) {
    setImmediate(() => stayAwake(endAt));
  }
}

/** One connection. Answers to the same request have the same length, so counting bytes finds their ends. */
async function hammer(port: number, request: Buffer, endAt: number): Promise<number> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let answers = 0;
  let answerBytes = 0;
  let pending = 0;
  socket.on("data", (chunk) => {
    if (answerBytes === 0) {
      answerBytes = lengthOf(chunk);
    }
    pending += chunk.length;
    if (pending < answerBytes) {
      return;
    }
    pending -= answerBytes;
    answers += 1;
    if (performance.now() >= endAt) {
      socket.destroy();
      resolve(answers);
    } else {
      socket.write(request);
    }
  });
  socket.on("error", reject);
  socket.write(request);
  return promise;
}

function lengthOf(first: Buffer): number {
  const text = first.toString("latin1");
  const head = text.indexOf("\r\n\r\n");
  const body = /content-length: (\d+)/i.exec(text);
  if (!text.startsWith("HTTP/1.1 200 ") || head === -1 || body === null) {
    throw new Error(`unexpected answer: ${text.slice(0, 500)}`);
  }
  return head + 4 + Number(body[1]);
}

if (process.send === undefined) {
  await main();
} else {
  process.on("message", (order) => {
    void load(order).then((count) => process.send?.(count));
  });
}
