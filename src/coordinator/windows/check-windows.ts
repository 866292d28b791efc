/** Pure: what is wrong with maintenance windows as they were given. */
import type { Problem } from "../../platform/errors/failure.ts";
import { parseCron } from "../../platform/lib/cron.ts";
import { isTimeZone } from "../../platform/lib/zoned-time.ts";
import type { MaintenanceWindow } from "./window.ts";

export function windowProblems(windows: readonly MaintenanceWindow[]): Problem[] {
  const names = new Set<string>();
  return windows.flatMap((each, index) => {
    const at = `/windows/${index}`;
    const isRepeated = names.has(each.name);
    names.add(each.name);
    return [
      ...(isRepeated
        ? [problem(`${at}/name`, `The name ${each.name} is used twice.`, "Give each its own name.")]
        : []),
      ...(isTimeZone(each.timeZone)
        ? []
        : [
            problem(`${at}/timeZone`, `${each.timeZone} is no time zone.`, "Use a name such as Europe/Rome."),
          ]),
      ...timeProblems(each, at),
    ];
  });
}

function timeProblems({ cron, durationMinutes, from, until }: MaintenanceWindow, at: string): Problem[] {
  const isRepeating = cron !== undefined || durationMinutes !== undefined;
  const isOnce = from !== undefined || until !== undefined;
  const solution = "Give cron and durationMinutes, or from and until.";
  if (isRepeating === isOnce)
    return [problem(at, isOnce ? "It has two kinds of times." : "It has no times.", solution)];
  if (isRepeating && (cron === undefined || durationMinutes === undefined))
    return [problem(at, "A cron expression and a duration belong together.", solution)];
  if (isOnce && (from === undefined || until === undefined))
    return [problem(at, "A begin and an end belong together.", solution)];
  if (cron !== undefined && parseCron(cron) === null) {
    const message = `${cron} is no cron expression that ever comes true.`;
    return [problem(`${at}/cron`, message, "Write five fields: minute, hour, day, month, day of the week.")];
  }
  return from !== undefined && new Date(until ?? "") <= new Date(from)
    ? [problem(`${at}/until`, "It ends before it begins.", "Give an end after the begin.")]
    : [];
}

const problem = (where: string, message: string, solution: string): Problem => ({ where, message, solution });
