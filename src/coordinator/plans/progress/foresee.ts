/** Pure. What a termination of each mode will do with the tasks of a plan, as the worker then does it. */
import { taskKinds } from "../../execution/tasks/task-kinds.ts";
import { isTerminal } from "../../execution/transitions.ts";
import type { TaskAction, TaskStatus, TerminateMode } from "../../execution/types.ts";
import type { TerminationPreview } from "./termination-schema.ts";

export interface TerminableTask {
  taskId: string;
  action: TaskAction;
  componentId: string | null;
  status: TaskStatus;
  /** The adapter has accepted it and gave a token. */
  hasToken: boolean;
  mayHaveActed: boolean;
}

type Mode = TerminationPreview["modes"][number];
type Foreseen = Pick<Mode["tasks"][number], "effect" | "why"> & { mayCorrupt: boolean };

export interface TerminablePlan {
  /** Null where none was asked for. */
  terminateMode: TerminateMode | null;
  hasBegun: boolean;
}

/** A forced termination that was asked for stays forced. */
export function foresee(
  plan: TerminablePlan,
  tasks: readonly TerminableTask[],
  mode: TerminateMode,
): Omit<Mode, "mode"> {
  const isForced = mode === "forced" || plan.terminateMode === "forced";
  const open = tasks
    .filter(({ status }) => !isTerminal(status))
    .map((task) => ({ task, ...ofTask(task, isForced) }));
  const corrupt = new Set(open.filter(({ mayCorrupt }) => mayCorrupt).map(({ task }) => task.componentId));
  const untouched = open.filter(({ task, effect }) => effect === "NEVER_BEGUN" && changesComponent(task));
  return {
    summary: summaryOf(
      plan,
      open.map(({ effect }) => effect),
      isForced,
    ),
    tasks: open.map(({ task, effect, why }) => {
      const { taskId, action, componentId, status } = task;
      return { taskId, action, componentId, status, effect, why };
    }),
    mayBecomeCorrupt: [...corrupt].filter((id) => id !== null),
    untouched: untouched.flatMap(({ task }) => task.componentId ?? []),
  };
}

export const changesComponent = ({ action }: Pick<TerminableTask, "action">): boolean =>
  taskKinds[action].becomes !== null;

function ofTask(task: TerminableTask, isForced: boolean): Foreseen {
  if (task.status === "WAITING")
    return { effect: "NEVER_BEGUN", why: "It has not begun, and does not begin.", mayCorrupt: false };
  if (!isForced) {
    const why = "It is at work and runs to its own end, at the latest the time limit of the operation.";
    return { effect: "FINISHES", why, mayCorrupt: false };
  }
  const { call, canBeStopped, becomes } = taskKinds[task.action];
  if (call === "policies")
    return { effect: "ABORTED", why: "The evaluation of its policies is given up.", mayCorrupt: false };
  if (task.hasToken && canBeStopped) {
    const why =
      "Its adapter is asked to stop, and has the grace time to do so; only where it completes after all is it done.";
    return { effect: "STOPPED", why, mayCorrupt: becomes !== null };
  }
  if (task.hasToken) {
    const why = "An adapter cannot be asked to stop this work; its outcome is left to it.";
    return { effect: "ABORTED", why, mayCorrupt: false };
  }
  if (!task.mayHaveActed) {
    const why = "It waits between two attempts of its call, none of which has reached the adapter's work.";
    return { effect: "ABORTED", why, mayCorrupt: false };
  }
  const why = "Its call is under way and is cut off; the adapter may have acted.";
  return { effect: "ABORTED", why, mayCorrupt: becomes !== null };
}

function summaryOf(
  plan: TerminablePlan,
  effects: readonly Mode["tasks"][number]["effect"][],
  isForced: boolean,
) {
  if (!plan.hasBegun) return "The plan ends without having begun: no adapter has been called.";
  const count = (effect: string): number => effects.filter((each) => each === effect).length;
  const never = `${tasksOf(count("NEVER_BEGUN"))} will not begin`;
  if (!isForced) return `${tasksOf(count("FINISHES"))} at work will finish; ${never}.`;
  return `${tasksOf(count("STOPPED"))} will be stopped by the adapters, ${tasksOf(count("ABORTED"))} cut off; ${never}.`;
}

const tasksOf = (count: number): string => `${count} task${count === 1 ? "" : "s"}`;
