/**
 * How long the event loop is busy at a time: gauges by the names of prom-client, which measures by a timer. A timer wakes an idle
 * process at each look and misses what ends between two. Here each iteration of the loop is measured, and nothing is woken.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

/** For prom-client's own timer: the longest there is, because its gauges are replaced. */
export const longestPrecisionMs = 2 ** 31 - 1;

type Iterations = ReturnType<typeof monitorEventLoopDelay>;

const figures: [name: string, help: string, read: (iterations: Iterations) => number][] = [
  ["min", "The shortest iteration of the event loop since the last scrape.", ({ min }) => min],
  ["max", "The longest iteration of the event loop since the last scrape.", ({ max }) => max],
  ["mean", "The mean of the iterations of the event loop since the last scrape.", ({ mean }) => mean],
  ["stddev", "The standard deviation of the iterations since the last scrape.", ({ stddev }) => stddev],
  [
    "p50",
    "50 % of the iterations since the last scrape were no longer.",
    (iterations) => iterations.percentile(50),
  ],
  [
    "p90",
    "90 % of the iterations since the last scrape were no longer.",
    (iterations) => iterations.percentile(90),
  ],
  [
    "p99",
    "99 % of the iterations since the last scrape were no longer.",
    (iterations) => iterations.percentile(99),
  ],
];
const nanoseconds = 1e-9;

/** The time in which the event loop waits for events is not counted. */
export function addEventLoopDelay(registry: Registry): void {
  const iterations = monitorEventLoopDelay({ samplePerIteration: true });
  iterations.enable();
  // The first gauge that a scrape reads sets all of them, so that they describe the same iterations.
  const collect = (): void => {
    for (const { gauge, read } of gauges)
      gauge.set(iterations.count === 0 ? 0 : read(iterations) * nanoseconds);
    iterations.reset();
  };
  const gauges = figures.map(([figure, help, read], index) => {
    const name = `nodejs_eventloop_lag_${figure}_seconds`;
    registry.removeSingleMetric(name);
    const gauge = new Gauge({ name, help, registers: [registry], ...(index === 0 ? { collect } : {}) });
    return { gauge, read };
  });
}
