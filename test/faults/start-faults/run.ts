/** Runs many disturbed starts beside each other and gathers what went wrong. */
import { allPoints, nameOf, type Point, type Workers } from "./points.ts";
import { countStart, tryPoint, type Outcome, type Setting } from "./try-point.ts";

export interface RunOptions extends Omit<Setting, "usualMs"> {
  roles: readonly Workers[];
  /** Which of all points are tried. */
  choose: (points: Point[]) => Point[];
  /** Starts beside each other. */
  parallel: number;
  say: (line: string) => void;
}

export interface Tried {
  point: Point;
  outcome: Outcome;
}

export interface StartFaultsReport {
  points: number;
  tried: Tried[];
  violations: string[];
}

export async function runStartFaults(options: RunOptions): Promise<StartFaultsReport> {
  const { say } = options;
  const setting: Setting = { template: options.template, program: options.program, usualMs: 0 };
  const violations: string[] = [];
  const points: Point[] = [];
  for (const workers of options.roles) {
    const { connects, queries, tookMs, violations: found } = await countStart(setting, workers);
    setting.usualMs = Math.max(setting.usualMs, tookMs);
    violations.push(...found.map((each) => `undisturbed start (workers ${workers}): ${each}`));
    say(`workers ${workers}: ${connects} connections, ${queries} statements, ${Math.round(tookMs)} ms`);
    points.push(...allPoints(workers, { connects, queries }));
  }
  // Starts beside each other take longer than one alone.
  setting.usualMs *= options.parallel;
  const chosen = options.choose(points);
  const open = [...chosen];
  const tried: Tried[] = [];
  const work = async (): Promise<void> => {
    for (let point = open.shift(); point; point = open.shift()) {
      const outcome = await tryPoint(setting, point);
      tried.push({ point, outcome });
      for (const each of outcome.violations) violations.push(`${nameOf(point)}: ${each}`);
      const isBad = outcome.violations.length > 0;
      if (isBad) say(`BROKEN ${nameOf(point)}: ${outcome.violations.join("; ")}`);
      if (tried.length % 25 === 0)
        say(`${tried.length} of ${chosen.length}, ${violations.length} violations`);
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
  return { points: points.length, tried, violations };
}
