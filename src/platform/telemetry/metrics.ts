import { Gauge, Registry, type Metric } from "prom-client";
import { createInstruments, type Histogram, type Instruments } from "./instruments.ts";
import { registerProcessMetrics } from "./process-metrics.ts";

export interface Metrics {
  registry: Registry;
  /** What a scrape gets. Scrapes at the same time get the same text. */
  text: () => Promise<string>;
  /** Seconds by operation and status; also what the request counts are read from. */
  observeRequest: (operation: string, status: number, seconds: number) => void;
  openStreams: Gauge;
  /** Counts a request that was refused because of overload. */
  countRefused: (reason: string) => void;
  /** Records for how many seconds a request was queued before it began. */
  observeQueued: (seconds: number) => void;
  /** `count` is called at each scrape and fills the gauges of active and waiting requests. */
  watchRequests: (count: () => { active: number; waiting: number }) => void;
}

/** One registry per server: two servers in one process (tests) share no numbers but those of the process. */
export const createMetrics = ({
  processMetrics = true,
  instruments = createInstruments(),
}: { processMetrics?: boolean; instruments?: Instruments } = {}): Metrics => {
  const registry = new Registry();
  if (processMetrics) registerProcessMetrics(registry);
  const durations = instruments.histogram({
    name: "http_request_duration_seconds",
    help: "Time from the request's head to the end of its answer, by operation and status.",
    labels: ["operation", "status"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
  });
  const openStreams = new Gauge({
    name: "http_event_streams",
    help: "Server-Sent Events streams that are open now.",
    registers: [registry],
  });
  return {
    registry,
    text: shared(() => {
      // The registry needs no more of a metric than that it can be got.
      for (const each of instruments.all()) registry.registerMetric(each as unknown as Metric);
      return registry.metrics();
    }),
    openStreams,
    observeRequest: requestObserver(durations),
    ...admissionCounts(instruments),
    watchRequests: (count) => watchRequests(registry, count),
  };
};

/** Keeps the series of each status and operation, so that they are not looked up for each request. There are few of both. */
const requestObserver = (durations: Histogram): Metrics["observeRequest"] => {
  const byStatus = new Map<number, Map<string, ReturnType<Histogram["series"]>>>();
  const addSeries = (operation: string, status: number) => {
    const series = durations.series([operation, String(status)]);
    byStatus.set(status, (byStatus.get(status) ?? new Map()).set(operation, series));
    return series;
  };
  return (operation, status, seconds) =>
    (byStatus.get(status)?.get(operation) ?? addSeries(operation, status)).observe(seconds);
};

/** Work that is under way is not begun a second time. */
const shared = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let underWay: Promise<T> | null = null;
  return () => (underWay ??= work().finally(() => (underWay = null)));
};

const admissionCounts = (instruments: Instruments): Pick<Metrics, "countRefused" | "observeQueued"> => {
  const refused = instruments.counter({
    name: "http_requests_refused_total",
    help: "Requests that were answered 503 because of overload: others waited too long, or too many.",
    labels: ["reason"],
  });
  const queued = instruments.histogram({
    name: "http_request_queue_seconds",
    help: "Time that requests have waited before they were begun; those that began at once are not in it.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  });
  return {
    countRefused: (reason) => refused.add([reason]),
    observeQueued: (seconds) => queued.observe(seconds),
  };
};

const watchRequests = (registry: Registry, count: () => { active: number; waiting: number }): void => {
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge(
    "http_requests_active",
    "Requests that are worked on now, without open event streams.",
    () => count().active,
  );
  gauge("http_requests_waiting", "Requests that wait to be begun.", () => count().waiting);
};
