/**
 * Registers the OpenTelemetry SDK before Plinth is loaded: NODE_OPTIONS=--import=/opt/opentelemetry/register.mjs
 *
 * Where spans go, which are kept, and how the service is called is said by the variables of OpenTelemetry: OTEL_EXPORTER_OTLP_ENDPOINT,
 * OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME, … The guide docs/guides/traces.md has more.
 */
import { isMainThread } from "node:worker_threads";

// Threads, commands of the command line and programs that Plinth starts load this file as well; only a server has spans.
if (isMainThread && process.argv.includes("start")) {
  const { NodeSDK } = await import("@opentelemetry/sdk-node");
  process.env.OTEL_SERVICE_NAME ??= "plinth";
  // Plinth has metrics at /metrics and a log of its own.
  process.env.OTEL_METRICS_EXPORTER ??= "none";
  process.env.OTEL_LOGS_EXPORTER ??= "none";
  // Plinth makes all its spans itself: instrumentations of HTTP would make a second one of each.
  new NodeSDK({ instrumentations: [] }).start();
}
