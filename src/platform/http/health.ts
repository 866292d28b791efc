import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "../telemetry/metrics.ts";
import { identify } from "./requests/client-address.ts";
import { exchangeOf } from "./requests/exchange.ts";
import { guard } from "./admission/guard.ts";
import type { Kit } from "./kit.ts";

export interface ReadinessCheck {
  name: string;
  ok: boolean;
  /** Why not, in words that may be shown to anyone. */
  reason?: string;
}

export interface Readiness {
  ready: boolean;
  checks: ReadinessCheck[];
}

export interface HealthOptions {
  readiness: () => Promise<Readiness>;
  metrics: Metrics;
}

const readinessTimeoutMs = 5000;

/** `/healthz` (the process answers), `/readyz` (it can do its work, or why not) and `/metrics`. */
export const addHealthRoutes = (
  root: FastifyInstance,
  kit: Kit,
  { readiness, metrics }: HealthOptions,
): void => {
  root.get("/healthz", { onRequest: mark("healthz", kit) }, (_request, reply) => {
    reply.sendJson('{"status":"ok"}');
  });
  root.get("/readyz", { onRequest: mark("readyz", kit) }, async (_request, reply) => {
    const { ready, checks } = await check(readiness, kit);
    reply.sendJson(JSON.stringify({ status: ready ? "ready" : "not ready", checks }), ready ? 200 : 503);
    return reply;
  });
  root.get(
    "/metrics",
    { onRequest: guard({ id: "metrics", rule: "metrics" }, kit) },
    async (_request, reply) => {
      const text = await metrics.text();
      return reply.header("content-type", metrics.registry.contentType).send(text);
    },
  );
};

/** Health is asked for when the process is in trouble, so nothing is refused here: no limits, no credentials. */
const mark =
  (operation: string, kit: Kit) =>
  (_request: FastifyRequest, reply: FastifyReply, proceed: () => void): void => {
    const exchange = exchangeOf(reply.raw);
    exchange.operation = operation;
    identify(reply, kit);
    proceed();
  };

const check = async (readiness: HealthOptions["readiness"], { isDraining, log }: Kit): Promise<Readiness> => {
  if (isDraining()) {
    return { ready: false, checks: [{ name: "server", ok: false, reason: "shutting down" }] };
  }
  const { promise: late, reject } = Promise.withResolvers<Readiness>();
  const timer = setTimeout(() => reject(new Error("The checks took too long.")), readinessTimeoutMs);
  try {
    return await Promise.race([readiness(), late]);
  } catch (error) {
    log.error({ error }, "the readiness checks failed");
    return { ready: false, checks: [{ name: "checks", ok: false, reason: "the checks themselves failed" }] };
  } finally {
    clearTimeout(timer);
  }
};
