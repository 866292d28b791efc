import { collectDefaultMetrics, Gauge, Registry, type Metric } from "prom-client";

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
  const durations = createDurations();
  registry.registerMetric(durations.metric);
  const openStreams = new Gauge({
    name: "http_event_streams",
    help: "Server-Sent Events streams that are open now.",
    registers: [registry],
  });
  return { registry, openStreams, observeRequest: durations.observe };
};

const durationName = "http_request_duration_seconds";
const upperBounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];

interface Series {
  labels: { operation: string; status: string };
  /** Observations per bucket, the last one without an upper bound. */
  buckets: number[];
  sum: number;
}

/**
 * The one histogram that every request adds to. The library's own looks its series up by a text made of the labels,
 * which costs several times what the adding does; here each request adds to numbers and the text is made when asked for.
 */
const createDurations = (): { observe: Metrics["observeRequest"]; metric: Metric } => {
  const byOperation = new Map<string, Map<number, Series>>();
  const observe: Metrics["observeRequest"] = (operation, status, seconds) => {
    const series = byOperation.get(operation)?.get(status) ?? addSeries(byOperation, operation, status);
    series.sum += seconds;
    let bucket = 0;
    while (bucket < upperBounds.length && seconds > (upperBounds[bucket] ?? 0)) {
      bucket += 1;
    }
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
  };
  const metric = {
    name: durationName,
    help: "Time from the request's head to the end of its answer, by operation and status.",
    type: "histogram",
    aggregator: "sum",
    get() {
      const values = [...byOperation.values()].flatMap((byStatus) =>
        [...byStatus.values()].flatMap(samplesOf),
      );
      return Promise.resolve({ ...this, values });
    },
    reset: () => byOperation.clear(),
  };
  return { observe, metric: metric as unknown as Metric };
};

const addSeries = (
  byOperation: Map<string, Map<number, Series>>,
  operation: string,
  status: number,
): Series => {
  const series: Series = {
    labels: { operation, status: String(status) },
    buckets: upperBounds.map(() => 0).concat(0),
    sum: 0,
  };
  byOperation.set(operation, (byOperation.get(operation) ?? new Map<number, Series>()).set(status, series));
  return series;
};

/** Buckets are cumulative on the wire. */
const samplesOf = ({ labels, buckets, sum }: Series): object[] => {
  let count = 0;
  const samples: object[] = buckets.map((inBucket, index) => {
    count += inBucket;
    const le = upperBounds[index] ?? "+Inf";
    return { metricName: `${durationName}_bucket`, labels: { le, ...labels }, value: count };
  });
  samples.push({ metricName: `${durationName}_sum`, labels, value: sum });
  samples.push({ metricName: `${durationName}_count`, labels, value: count });
  return samples;
};
