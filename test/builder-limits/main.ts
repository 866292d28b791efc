/**
 * What the builder promises of time, measured over real processes:
 *
 *   npm run test:builder-limits [-- --rounds 3] [--width 8] [--kills 3] [--starts 50]
 *
 * Hostile templates are instantiated and tried at the same time; workers are killed in the middle of a step; tasks are
 * posted where nobody works. Prints each figure with its goal and ends with 1 when one is missed.
 */
import { parseArgs } from "node:util";
import { runHostile } from "./hostile.ts";
import { atShare, startPlatform } from "./platform.ts";
import { runStarts } from "./starts.ts";
import { runTakeovers } from "./takeovers.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    width: { type: "string", default: "8" },
    kills: { type: "string", default: "3" },
    starts: { type: "string", default: "50" },
  },
});

const spread = (sorted: readonly number[]): string =>
  `p50 ${atShare(sorted, 0.5).toFixed(0)} ms, p99 ${atShare(sorted, 0.99).toFixed(0)} ms, worst ${atShare(sorted, 1).toFixed(0)} ms (${sorted.length} times)`;

function printFigure(name: string, text: string, missed: boolean | null = null): void {
  const verdict = missed === null ? "" : missed ? "  MISSED" : "  ok";
  console.log(`${name.padEnd(22)} ${text}${verdict}`);
  if (missed === true) process.exitCode = 1;
}

function printViolations(violations: readonly string[]): void {
  printFigure("", `${violations.length} violations, goal 0`, violations.length > 0);
  for (const violation of violations.slice(0, 30)) console.log(`  ${violation}`);
}

const whole = await startPlatform("on");
try {
  const report = await runHostile(whole, { rounds: Number(values.rounds), width: Number(values.width) });
  const { loop, stoppedMs, slowest } = report;
  printFigure("hostile templates", `${report.tasks} instantiated, ${report.dryRuns} tried`);
  printFigure(
    "event loop",
    `p50 ${loop.p50.toFixed(1)} ms, p99 ${loop.p99.toFixed(1)} ms, worst ${loop.max.toFixed(1)} ms; goal p99 below 50 ms`,
    !(loop.p99 < 50),
  );
  printFigure(
    "stopped after",
    `${spread(stoppedMs)}, slowest ${slowest}; goal each within 1000 ms`,
    !(atShare(stoppedMs, 1) <= 1_000),
  );
  printFigure("  in the crowd", `${spread(report.crowdedMs)}, with the wait for a thread`);
  printFigure("  other calls", spread(report.otherCallsMs));
  printViolations(report.violations);
} finally {
  await whole.close();
}

const split = await startPlatform("off");
try {
  const { startedMs } = await runStarts(split, Number(values.starts));
  printFigure(
    "post to start",
    `${spread(startedMs)}; goal each within 1000 ms`,
    !(atShare(startedMs, 1) <= 1_000),
  );
  const takeovers = await runTakeovers(split, { kills: Number(values.kills), tasksAtOnce: 5 });
  const { recoveredMs } = takeovers;
  printFigure(
    "kill -9 to recovered",
    `${spread(recoveredMs)}; goal each within 15000 ms`,
    !(atShare(recoveredMs, 1) <= 15_000),
  );
  printViolations(takeovers.violations);
} finally {
  await split.close();
}
