/** Why a task does not go on just now; nobody should ever have to guess. Pure. */
import { isTerminal } from "../execution/transitions.ts";
import { stages, type Waiting } from "../execution/types.ts";
import type { PlanView, TaskView } from "./store.ts";

export interface Surroundings {
  plan: PlanView;
  tasks: Map<string, TaskView>;
  /** The earliest stage that has a task which has not completed; worked out once for all tasks. */
  openStage: number;
}

/** Null for a task that has ended, or that is within a call of its adapter. */
export function waitingOf(task: TaskView, { plan, tasks, openStage }: Surroundings): Waiting | null {
  if (isTerminal(task.status)) return null;
  if (task.waiting) return task.waiting;
  if (task.status !== "WAITING") {
    if (!task.token) return null;
    return {
      reason: "The adapter is at work; its token is polled.",
      since: iso(task.startedAt ?? plan.createdAt),
    };
  }
  const since = iso(plan.startedAt ?? plan.createdAt);
  if (plan.waitsFor) return { reason: `Waits for the change of access of plan ${plan.waitsFor}.`, since };
  if (!plan.startedAt) return { reason: "No worker has taken the plan yet.", since };
  const before = task.dependsOn
    .map((id) => tasks.get(id))
    .filter((other) => other && other.status !== "COMPLETED")
    .map((other) => other?.componentName ?? other?.taskId);
  if (before.length > 0) return { reason: `Waits for ${list(before)}.`, since };
  if (openStage < task.stage) {
    const end = openStage === stages.validate ? "is found valid" : "is done";
    return { reason: `Waits until every component ${end}.`, since };
  }
  return { reason: "Ready; waits for a free place among the tasks that may run at once.", since };
}

export const openStageOf = (tasks: readonly TaskView[]): number =>
  tasks.reduce(
    (least, { stage, status }) => (status === "COMPLETED" ? least : Math.min(least, stage)),
    Infinity,
  );

const iso = (date: Date): string => date.toISOString();

function list(names: (string | undefined)[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
