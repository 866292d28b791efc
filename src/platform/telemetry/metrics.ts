import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { createDurations } from "./durations.ts";

export interface Metrics {
  /** Others add their own metrics here: `new Counter({ registers: [metrics.registry], … })`. */
  registry: Registry;
  /** Seconds by operation and status; also what the request counts are read from. */
  observeRequest: (operation: string, status: number, seconds: number) => void;
  openStreams: Gauge;
}

/** One registry per server, so that two servers in one process (tests) do not share numbers. */
export const createMetrics = (options: { processMetrics?: boolean } = {}): Metrics => {
  const registry = new Registry();
  if (options.processMetrics !== false) {
    collectDefaultMetrics({ register: registry });
  }
  const durations = createDurations({
    name: "http_request_duration_seconds",
    help: "Time from the request's head to the end of its answer, by operation and status.",
    labels: ["operation", "status"],
    upperBounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
  });
  registry.registerMetric(durations.metric);
  const openStreams = new Gauge({
    name: "http_event_streams",
    help: "Server-Sent Events streams that are open now.",
    registers: [registry],
  });
  return { registry, openStreams, observeRequest: durations.observe };
};
