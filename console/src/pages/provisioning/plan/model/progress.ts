/** What can be said of a plan from its tasks. Pure. */
import { isOver, type PlanNode, type TaskStatusWord } from "./plan-nodes.ts";

export interface Progress {
  total: number;
  done: number;
  failed: number;
  /** Did not begin, because of others or because the plan was ended. */
  skipped: number;
  running: number;
  waiting: number;
}

const places: Record<TaskStatusWord, Exclude<keyof Progress, "total">> = {
  COMPLETED: "done",
  FAILED: "failed",
  SKIPPED: "skipped",
  TERMINATED: "skipped",
  RUNNING: "running",
  TERMINATING: "running",
  WAITING: "waiting",
};

export function progressOf(nodes: Iterable<PlanNode>): Progress {
  const progress: Progress = { total: 0, done: 0, failed: 0, skipped: 0, running: 0, waiting: 0 };
  for (const { kind, status } of nodes) {
    if (kind !== "task") continue;
    progress.total += 1;
    progress[places[status]] += 1;
  }
  return progress;
}

/** The task that failed before all others: the others often failed because of it. */
export const firstFailure = (nodes: readonly PlanNode[]): PlanNode | undefined =>
  nodes
    .filter(({ kind, status }) => kind === "task" && status === "FAILED")
    .toSorted((a, b) => (a.stoppedAt ?? Infinity) - (b.stoppedAt ?? Infinity))[0];

/** What could not begin because of this one. */
export function heldUpBy(id: string, nodes: readonly PlanNode[]): PlanNode[] {
  const reached = new Set([id]);
  const held: PlanNode[] = [];
  // Each node comes after all that it depends on.
  for (const node of nodes) {
    if (!node.dependsOn.some((each) => reached.has(each))) continue;
    reached.add(node.id);
    if (node.kind === "task" && node.status !== "COMPLETED") held.push(node);
  }
  return held;
}

export type TaskFilter = "all" | "work" | "failed" | "waiting" | "done";

const shown: Record<Exclude<TaskFilter, "all">, readonly (keyof Progress)[]> = {
  work: ["running"],
  failed: ["failed", "skipped"],
  waiting: ["waiting"],
  done: ["done"],
};

export interface TaskSelection {
  filter: TaskFilter;
  /** A part of the name or the id. */
  q: string;
  /** Ids alone that may be shown. */
  within: ReadonlySet<string> | null;
}

export function selectTasks(nodes: readonly PlanNode[], { filter, q, within }: TaskSelection): PlanNode[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return nodes.filter(
    ({ id, name, kind, status }) =>
      (kind === "task" || kind === "approval") &&
      (filter === "all" || shown[filter].includes(places[status])) &&
      (within === null || within.has(id)) &&
      words.every((word) => `${name} ${id}`.toLowerCase().includes(word)),
  );
}

/** The span of time that bars are drawn in: from what came first to the last end, or to now. */
export function spanOf(nodes: readonly PlanNode[], createdAt: number | null, now: number): [number, number] {
  const starts = nodes.map(({ startedAt }) => startedAt).filter((at) => at !== null);
  const from = Math.min(
    createdAt ?? Infinity,
    starts.reduce((least, at) => Math.min(least, at), Infinity),
  );
  const isDone = nodes.every(({ status }) => isOver(status));
  const to = isDone ? nodes.reduce((last, { stoppedAt }) => Math.max(last, stoppedAt ?? 0), 0) : now;
  return Number.isFinite(from) ? [from, Math.max(to, from + 1)] : [now, now + 1];
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
const mostTicks = 6;
/** A mark further to the right would have no room for its text. */
const lastPlace = 0.92;

/** Places of the marks on the axis, in milliseconds from its beginning. */
export function ticksOf(spanMs: number): number[] {
  const subSecond = [10, 20, 50, 100, 200, 500];
  const all = [...subSecond, ...steps.map((seconds) => seconds * 1000)];
  const step = all.find((each) => spanMs / each <= mostTicks) ?? Math.ceil(spanMs / mostTicks);
  return Array.from({ length: Math.floor(spanMs / step) + 1 }, (_, index) => index * step).filter(
    (at) => at / spanMs <= lastPlace,
  );
}
