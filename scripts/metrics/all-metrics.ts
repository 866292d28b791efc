/** All metrics of a process that serves every area and works, as the product registers them; nothing is opened for it. */
import { createCallMetrics } from "../../src/assistant/tools/call-metrics.ts";
import { registerAssistantNumbers } from "../../src/assistant/module.ts";
import { createInstantiationMetrics } from "../../src/builder/instantiations/running/metrics.ts";
import { registerBuilderNumbers } from "../../src/builder/numbers.ts";
import { countCalls, createPlanMetrics, watchDrivenPlans } from "../../src/coordinator/plan-metrics.ts";
import { registerWatchingMetrics } from "../../src/coordinator/watching/metrics.ts";
import { countAttempts, registerNoticeMetrics } from "../../src/coordinator/watching/notices/metrics.ts";
import { createDataLayerMetrics } from "../../src/data-layer/metrics.ts";
import { countEvaluations } from "../../src/governance/engines/counted-engines.ts";
import { registerGovernanceNumbers } from "../../src/governance/module.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { registerRetentionMetrics } from "../../src/platform/jobs/retention-metrics.ts";
import { registerPlatformMetrics, registerPools } from "../../src/platform/runtime/platform-metrics.ts";
import { createDatabaseNumbers } from "../../src/platform/telemetry/database-numbers.ts";
import { createInstruments } from "../../src/platform/telemetry/instruments.ts";
import { createMetrics } from "../../src/platform/telemetry/metrics.ts";

export interface MetricAbout {
  name: string;
  type: string;
  labels: readonly string[];
  help: string;
  /** Read from a database: every process reports the same. */
  isShared: boolean;
  /** Of prom-client: the process, its memory and its event loop. */
  isOfProcess: boolean;
}

/** What a metric is registered with and never asks while it is only described. */
const never = (): never => {
  throw new Error("Nothing is read here.");
};
const nothing: any = new Proxy(never, { get: () => nothing });

/** By name, in the order of the page. */
export function allMetrics(): MetricAbout[] {
  const instruments = createInstruments();
  registerPools(instruments, {});
  const numbers = createDatabaseNumbers(instruments, { databaseEveryMs: 1, databaseWaitMs: 1 }, silentLogger);
  registerPlatformMetrics({
    instruments,
    numbers,
    version: "",
    schemaVersion: 0,
    now: never,
    read: never,
    countJobs: never,
  });
  registerRetentionMetrics(numbers, nothing);
  createPlanMetrics(instruments, 1);
  watchDrivenPlans(instruments, nothing);
  countCalls(nothing, instruments, 1);
  registerWatchingMetrics(numbers, nothing, []);
  registerNoticeMetrics(numbers, nothing);
  countAttempts(instruments);
  createInstantiationMetrics(instruments);
  registerBuilderNumbers(numbers, nothing);
  countEvaluations(nothing, instruments);
  registerGovernanceNumbers(numbers, nothing);
  createCallMetrics(instruments, 1);
  registerAssistantNumbers(numbers, nothing);
  createDataLayerMetrics(instruments, []);
  const http = createMetrics({ processMetrics: false, instruments });
  http.watchRequests(() => ({ active: 0, waiting: 0 }));
  const ofProcess = createMetrics();
  const httpNames = new Set(http.registry.getMetricsAsArray().map(({ name }) => name));
  const ofLibrary = [
    ...http.registry.getMetricsAsArray(),
    ...ofProcess.registry.getMetricsAsArray().filter(({ name }) => !httpNames.has(name)),
  ].map((metric): MetricAbout => {
    const { name, help, labelNames = [], constructor } = metric as unknown as LibraryMetric;
    const isOfProcess = !httpNames.has(name);
    return {
      name,
      help,
      labels: labelNames,
      type: constructor.name.toLowerCase(),
      isShared: false,
      isOfProcess,
    };
  });
  return [...instruments.all().map((each) => ({ ...each, isOfProcess: false })), ...ofLibrary];
}

/** What prom-client keeps of a metric and does not declare. */
interface LibraryMetric {
  name: string;
  help: string;
  labelNames?: string[];
  constructor: { name: string };
}

/** The names of all series: a histogram has three. */
export const seriesNames = (metrics: readonly MetricAbout[]): Map<string, MetricAbout> =>
  new Map(
    metrics.flatMap((metric): [string, MetricAbout][] =>
      metric.type === "histogram"
        ? ["_bucket", "_sum", "_count"].map((end) => [metric.name + end, metric])
        : [[metric.name, metric]],
    ),
  );
