/** Pure. Where the time of a plan's tasks went, which of them decide how long it takes, and how long the rest may take. */
import { isTerminal } from "../../execution/transitions.ts";
import type { TaskStatus } from "../../execution/types.ts";
import { longestPath, type TaskPath } from "./longest-path.ts";

export interface TimedPlan {
  /** When its first worker took it. */
  startedAt: Date | null;
  stoppedAt: Date | null;
}

export interface TaskTimes {
  id: string;
  stage: number;
  action: string;
  adapterId: string | null;
  dependsOn: readonly string[];
  status: TaskStatus;
  attempts: number;
  startedAt: Date | null;
  /** Of its last attempt. */
  intentAt: Date | null;
  /** When the adapter gave a token to poll. */
  acceptedAt: Date | null;
  stoppedAt: Date | null;
}

/** Of earlier tasks with the same adapter and action that completed. */
export interface Durations {
  samples: number;
  medianMs: number;
  p90Ms: number;
}

export type DurationsOf = (task: Pick<TaskTimes, "adapterId" | "action">) => Durations | null;

/** Milliseconds; together the time since the plan began, until the task ended or until now. */
export interface TaskSplit {
  predecessorsMs: number;
  queueMs: number;
  retriesMs: number;
  callMs: number;
  pollMs: number;
}

export interface Remaining {
  medianMs: number | null;
  p90Ms: number | null;
  /** Why there is no estimate. */
  reason: string | null;
}

export interface PlanTiming {
  splits: Map<string, TaskSplit>;
  criticalPath: TaskPath;
  /** What is left of each task that has not ended. */
  open: Map<string, Remaining>;
  remaining: Remaining;
}

export function timingOf(
  plan: TimedPlan,
  tasks: readonly TaskTimes[],
  { now, durationsOf }: { now: Date; durationsOf: DurationsOf },
): PlanTiming {
  const at = plan.stoppedAt ?? now;
  const open = new Map(
    tasks
      .filter(({ status }) => plan.stoppedAt === null && !isTerminal(status))
      .map((task) => [task.id, remainingOfTask(task, durationsOf(task), now)]),
  );
  return {
    splits: splitsOf(plan, tasks, at),
    criticalPath: criticalPathOf(tasks, open, at),
    open,
    remaining: remainingOf(plan, tasks, open),
  };
}

function splitsOf({ startedAt }: TimedPlan, tasks: readonly TaskTimes[], at: Date): Map<string, TaskSplit> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const stageEnds = stageEndsOf(tasks);
  const begun = (startedAt ?? at).getTime();
  return new Map(
    tasks.map((task) => {
      const ends = task.dependsOn.map((id) => byId.get(id)).map((each) => (each ? endOf(each) : 0));
      const ready = Math.max(begun, stageEnds.get(task.stage) ?? 0, ...ends);
      return [task.id, splitOf(task, { begun, ready, at: at.getTime() })];
    }),
  );
}

/** Infinite until a task has completed. */
const endOf = ({ status, stoppedAt }: TaskTimes): number =>
  status === "COMPLETED" && stoppedAt ? stoppedAt.getTime() : Infinity;

/** By stage, when all earlier stages had ended. */
function stageEndsOf(tasks: readonly TaskTimes[]): Map<number, number> {
  const ends = new Map<number, number>();
  let last = 0;
  for (const [stage, members] of [...Map.groupBy(tasks, (task) => task.stage)].toSorted(
    ([a], [b]) => a - b,
  )) {
    ends.set(stage, last);
    last = members.reduce((latest, task) => Math.max(latest, endOf(task)), last);
  }
  return ends;
}

interface Instants {
  begun: number;
  ready: number;
  at: number;
}

function splitOf(task: TaskTimes, { begun, ready, at }: Instants): TaskSplit {
  const end = task.stoppedAt?.getTime() ?? at;
  const start = task.startedAt?.getTime() ?? end;
  // A task that was skipped never became ready.
  const readyAt = Math.min(ready, start);
  const call = clamp(task.attempts > 1 ? task.intentAt?.getTime() : start, start, end);
  const accepted = clamp(task.acceptedAt?.getTime() ?? end, call, end);
  return {
    predecessorsMs: Math.max(0, readyAt - begun),
    queueMs: Math.max(0, start - Math.max(readyAt, begun)),
    retriesMs: call - start,
    callMs: accepted - call,
    pollMs: end - accepted,
  };
}

/** Clocks of several processes may differ by some milliseconds. */
const clamp = (value: number | undefined, least: number, most: number): number =>
  Math.max(least, Math.min(value ?? least, most));

/** What has begun counts with what it took, and open tasks with what they will take too, by the median. */
function criticalPathOf(
  tasks: readonly TaskTimes[],
  open: ReadonlyMap<string, Remaining>,
  at: Date,
): TaskPath {
  const counting = tasks.filter(({ id, startedAt }) => startedAt !== null || open.has(id));
  return longestPath(
    counting.map((task) => ({ ...task, ms: tookMs(task, at) + (open.get(task.id)?.medianMs ?? 0) })),
  );
}

const tookMs = ({ startedAt, stoppedAt }: TaskTimes, at: Date): number =>
  startedAt ? Math.max(0, (stoppedAt ?? at).getTime() - startedAt.getTime()) : 0;

function remainingOfTask(task: TaskTimes, durations: Durations | null, now: Date): Remaining {
  if (durations === null) {
    const whose = task.adapterId === null ? "" : ` of ${task.adapterId}`;
    return { medianMs: null, p90Ms: null, reason: `No earlier ${task.action}${whose} has completed.` };
  }
  const elapsed = tookMs(task, now);
  return {
    medianMs: Math.max(0, durations.medianMs - elapsed),
    p90Ms: Math.max(0, durations.p90Ms - elapsed),
    reason: null,
  };
}

/** The longest chain of what is left, as if each task found a free place at once. */
function remainingOf(
  plan: TimedPlan,
  tasks: readonly TaskTimes[],
  open: ReadonlyMap<string, Remaining>,
): Remaining {
  const none = (reason: string): Remaining => ({ medianMs: null, p90Ms: null, reason });
  if (plan.stoppedAt !== null) return { medianMs: 0, p90Ms: 0, reason: null };
  if (tasks.length === 0) return none("It is planned at its turn; until then it has no tasks.");
  const reasons = new Set([...open.values()].flatMap(({ reason }) => reason ?? []));
  const [first] = reasons;
  if (first !== undefined) {
    return none(reasons.size === 1 ? first : `${first} ${reasons.size - 1} more such kinds of tasks.`);
  }
  const chain = (field: "medianMs" | "p90Ms"): number =>
    longestPath(
      tasks
        .filter(({ id }) => open.has(id))
        .map((task) => ({ ...task, ms: open.get(task.id)?.[field] ?? 0 })),
    ).ms;
  return { medianMs: chain("medianMs"), p90Ms: chain("p90Ms"), reason: null };
}
