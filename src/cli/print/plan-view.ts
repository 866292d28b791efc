/** Pure. A running plan as lines: all of them for a terminal, or only the new one for a file. */
import { paintOf, type Styles } from "./colors.ts";
import { shortenIds } from "./short-ids.ts";
import { cut, cutMiddle, duration, oneLine, padEnd, padStart, widthOf } from "./text.ts";
import { hasFinished, type PlanProgress, type TaskProgress } from "./plan-progress.ts";

export interface ViewOptions {
  styles: Styles;
  nowMs: number;
  indent?: number;
  /** Size of the terminal; a file has none. */
  size?: { columns: number; rows: number } | undefined;
}

/** Lines of a terminal that the view leaves free. */
const reservedRows = 4;
const statusWidth = 11;
const timeWidth = 10;
const verbWidth = 11;

/** One line per task; of a plan that is higher than the terminal, the tasks that matter now, and a count. */
export function progressLines(progress: PlanProgress, options: ViewOptions): string[] {
  const tasks = [...progress.tasks.values()];
  const available = Math.max(3, (options.size?.rows ?? Infinity) - reservedRows);
  const shown = tasks.length <= available ? tasks : pick(tasks, available - 1);
  const layout = layoutOf(tasks);
  const lines = shown.map((task) => taskLine(task, layout, options));
  const pad = " ".repeat(options.indent ?? 0);
  return tasks.length <= available ? lines : [...lines, pad + options.styles.faint(countLine(tasks))];
}

/** The line of one task, as progressLines has it. */
export const singleLine = (progress: PlanProgress, task: TaskProgress, options: ViewOptions): string =>
  taskLine(task, layoutOf([...progress.tasks.values()]), options);

/** `12 completed, 3 running, 5 waiting`. */
export function countLine(tasks: readonly TaskProgress[]): string {
  const groups = Map.groupBy(tasks, (task) => task.status);
  return [...groups].map(([status, members]) => `${members.length} ${status.toLowerCase()}`).join(", ");
}

interface Layout {
  subjectWidth: number;
  short: (id: string) => string;
}

function layoutOf(tasks: readonly TaskProgress[]): Layout {
  const { short } = shortenIds(tasks.map((task) => task.subject));
  const widths = tasks.map((task) => widthOf(oneLine(short(task.subject))));
  return { short, subjectWidth: Math.min(40, Math.max(0, ...widths)) };
}

function taskLine(
  task: TaskProgress,
  layout: Layout,
  { styles, nowMs, indent = 0, size }: ViewOptions,
): string {
  const paint = paintOf(styles, task.status);
  const subject = padEnd(
    cutMiddle(oneLine(layout.short(task.subject)), layout.subjectWidth),
    layout.subjectWidth,
  );
  const status = padEnd(task.status, statusWidth);
  const time = padStart(timeOf(task, nowMs), timeWidth);
  const head = `${" ".repeat(indent)}${padEnd(oneLine(task.verb), verbWidth)}  ${subject}  `;
  const available = (size?.columns ?? Infinity) - widthOf(head) - statusWidth - timeWidth - 5;
  const message = available < 4 ? "" : cut(oneLine(textOf(task)), available);
  return `${head}${paint(status)}  ${styles.faint(time)}  ${message}`.trimEnd();
}

/** A task that waits says why; others, what their adapter said last. */
const textOf = (task: TaskProgress): string =>
  task.waiting !== undefined && (task.status === "WAITING" || task.message === "")
    ? task.waiting
    : task.message;

/** Why the plan itself has not begun; nothing once it has. */
export const planWaitingLines = (
  { waiting }: PlanProgress,
  { styles, indent = 0, size }: ViewOptions,
): string[] =>
  waiting === ""
    ? []
    : [" ".repeat(indent) + styles.faint(cut(oneLine(waiting), (size?.columns ?? Infinity) - indent))];

function timeOf(task: TaskProgress, nowMs: number): string {
  if (task.tookMs !== undefined) return duration(task.tookMs);
  return task.seenStartAt === undefined || hasFinished(task) ? "" : duration(nowMs - task.seenStartAt);
}

const weights: Record<string, number> = {
  RUNNING: 0,
  TERMINATING: 0,
  FAILED: 1,
  TERMINATED: 3,
  SKIPPED: 4,
  WAITING: 5,
};
const weightOf = (task: TaskProgress): number => weights[task.status] ?? 2;

/** Picks running tasks, then failures, then finished ones, newest first; returns them in the plan's order. */
function pick(tasks: readonly TaskProgress[], available: number): TaskProgress[] {
  const ranked = tasks
    .map((task, at) => ({ task, at }))
    .sort((a, b) => weightOf(a.task) - weightOf(b.task) || b.at - a.at)
    .slice(0, available);
  return ranked.sort((a, b) => a.at - b.at).map(({ task }) => task);
}
