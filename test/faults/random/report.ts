/** The figures of a run, a line each. */
import type { FaultRunReport } from "./run.ts";
import { connectionLimit, descriptorLimit, graceMs, idleLimits } from "./under-load.ts";

export function summaryOf(report: FaultRunReport): string[] {
  const { observed, load, samples, instances, windows, violations } = report;
  const endings = instances.flatMap((instance) => instance.endings);
  const lines = {
    time: `${report.seconds.toFixed(0)} s, ${windows.length} faults`,
    faults: counted(windows.map(({ name }) => name)),
    plans: `${load.accepted.length} accepted, ${
      report.drainedMs === null
        ? "NOT ALL ENDED"
        : `the last ended ${Math.ceil(report.drainedMs)} ms after the last fault`
    }`,
    "adapter calls": `${report.calls}, of them ${report.repeats} repeats under the same key; ${report.evidence.takeovers} takeovers`,
    streams: `${load.streams.length} with ${load.streams.reduce((sum, { ids }) => sum + ids.length, 0)} events`,
    answers: listed(observed.answers),
    "longest answer": listed(observed.slowestMs, " ms"),
    connections: `most ${maximum(samples, "connections")}, limit ${connectionLimit}; at rest ${maximum(report.idle, "connections")}, limit ${idleLimits.connections}`,
    descriptors: `most ${maximum(samples, "descriptors")}, limit ${descriptorLimit}; at rest ${maximum(report.idle, "descriptors")}, limit ${idleLimits.descriptors}`,
    starts: spread(instances.flatMap(({ startsMs }) => startsMs)),
    SIGTERM:
      spread(endings.flatMap(({ how, tookMs }) => (how === "asked" ? tookMs : []))) + `, grace ${graceMs} ms`,
    "failed starts": spread(endings.flatMap(({ how, tookMs }) => (how === "start failed" ? tookMs : []))),
    violations: String(violations.length),
  };
  return [
    ...Object.entries(lines).map(([name, line]) => `${name.padEnd(15)} ${line}`),
    ...violations.slice(0, 60).map((violation) => `  ${violation}`),
    ...(report.logs === null ? [] : [`logs of all processes: ${report.logs}`]),
  ];
}

const counted = (names: string[]): string =>
  listed(new Map([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length])));

const listed = (counts: ReadonlyMap<string, number>, unit = ""): string =>
  [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, times]) => `${name}: ${times}${unit}`)
    .join(", ");

const maximum = <K extends string>(samples: readonly Record<K, number>[], kind: K): number =>
  samples.reduce((most, sample) => Math.max(most, sample[kind]), 0);

function spread(times: number[]): string {
  const sorted = times.sort((a, b) => a - b);
  if (sorted.length === 0) return "none";
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  return `${sorted.length}, median ${middle} ms, longest ${sorted.at(-1)} ms`;
}
