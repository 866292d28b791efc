/** Metrics of the process: its memory, its CPU, its garbage collection, its event loop. */
import { collectDefaultMetrics, Registry, type Metric } from "prom-client";
import { addEventLoopDelay, longestPrecisionMs } from "./event-loop-delay.ts";

let registry: Registry | undefined;

/** Starts the metrics once in a process, for all its servers, because prom-client can't stop its observer of garbage collections. */
export function registerProcessMetrics(target: Registry): void {
  registry ??= startMeasuring();
  for (const metric of registry.getMetricsAsArray()) target.registerMetric(metric as unknown as Metric);
}

function startMeasuring(): Registry {
  const started = new Registry();
  collectDefaultMetrics({ register: started, eventLoopMonitoringPrecision: longestPrecisionMs });
  for (const name of misnamed) started.removeSingleMetric(name);
  addEventLoopDelay(started);
  return started;
}

/** Sums of others, with the ending of a counter: Prometheus' own check of metrics refuses them. */
const misnamed = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];
