/**
 * A histogram of durations by two labels. The library's own builds a text of the labels for every
 * observation, which costs several times the addition; here an observation only adds to numbers, and the text
 * is built at a scrape.
 */
import type { Metric } from "prom-client";

export interface DurationsOptions {
  name: string;
  help: string;
  labels: readonly [string, string];
  /** Of the buckets, in seconds. */
  upperBounds: readonly number[];
}

export interface Durations {
  observe: (first: string, second: string | number, seconds: number) => void;
  /** To be registered in the registry that shows it. */
  metric: Metric;
}

interface Series {
  labels: Record<string, string>;
  /** Observations per bucket, the last one without an upper bound. */
  buckets: number[];
  sum: number;
}

export const createDurations = ({ name, help, labels, upperBounds }: DurationsOptions): Durations => {
  const byFirst = new Map<string, Map<string | number, Series>>();
  const addSeries = (first: string, second: string | number): Series => {
    const series: Series = {
      labels: { [labels[0]]: first, [labels[1]]: String(second) },
      buckets: upperBounds.map(() => 0).concat(0),
      sum: 0,
    };
    byFirst.set(first, (byFirst.get(first) ?? new Map<string | number, Series>()).set(second, series));
    return series;
  };
  /** Buckets are cumulative on the wire. */
  const samplesOf = ({ labels: own, buckets, sum }: Series): object[] => {
    let count = 0;
    const samples: object[] = buckets.map((inBucket, index) => {
      count += inBucket;
      const le = upperBounds[index] ?? "+Inf";
      return { metricName: `${name}_bucket`, labels: { le, ...own }, value: count };
    });
    samples.push({ metricName: `${name}_sum`, labels: own, value: sum });
    samples.push({ metricName: `${name}_count`, labels: own, value: count });
    return samples;
  };
  const metric = {
    name,
    help,
    type: "histogram",
    aggregator: "sum",
    get() {
      const values = [...byFirst.values()].flatMap((bySecond) => [...bySecond.values()].flatMap(samplesOf));
      return Promise.resolve({ ...this, values });
    },
    reset: () => byFirst.clear(),
  };
  return {
    metric: metric as unknown as Metric,
    observe(first, second, seconds) {
      const series = byFirst.get(first)?.get(second) ?? addSeries(first, second);
      series.sum += seconds;
      let bucket = 0;
      while (bucket < upperBounds.length && seconds > (upperBounds[bucket] ?? 0)) {
        bucket += 1;
      }
      series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
    },
  };
};
