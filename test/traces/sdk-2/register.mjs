/** As deploy/opentelemetry/register.mjs, with the SDK of this folder. */
import { isMainThread } from "node:worker_threads";

if (isMainThread && process.argv.includes("start")) {
  const { NodeSDK } = await import("@opentelemetry/sdk-node");
  process.env.OTEL_METRICS_EXPORTER ??= "none";
  process.env.OTEL_LOGS_EXPORTER ??= "none";
  new NodeSDK({ instrumentations: [] }).start();
}
