/** Pure. The state of a running plan, from its task graph and its events. */
import { hasEnded, type PlanEvent, type TaskNode } from "../client/wire.ts";

export interface TaskProgress {
  id: string;
  /** What is done: `provision`, `validate`, `publish`, … */
  verb: string;
  /** Id of the component, or a name where there is none. */
  subject: string;
  status: string;
  /** When this process saw it start; the clock of the server may differ. */
  seenStartAt?: number;
  /** Measured by the server, once it has ended. */
  tookMs?: number;
  /** The last thing that its adapter said, or why it failed. */
  message: string;
  /** Why it has not begun or ended yet, and what comes next. */
  waiting?: string;
}

export interface PlanProgress {
  token: string;
  status: string;
  /** Why the plan failed, when the plan itself says so. */
  reason: string;
  /** Why none of its tasks has begun, such as its place in a queue; empty once one has. */
  waiting: string;
  /** Between its first and its last change of status, as the server has them. */
  tookMs?: number;
  beganAt?: string;
  /** In topological order. */
  tasks: Map<string, TaskProgress>;
}

export function startProgress(token: string, root?: TaskNode): PlanProgress {
  const progress: PlanProgress = { token, status: "WAITING", reason: "", waiting: "", tasks: new Map() };
  for (const node of root ? inOrder(root) : []) {
    progress.tasks.set(node.id, { ...namesOf(node), id: node.id, status: "WAITING", message: "" });
  }
  return progress;
}

/** The time now by the clock of this process, which begins anywhere, and as the time of day in ms. */
export interface TwoClocks {
  nowMs: number;
  at: number;
}

/** The progress of a plan made from its status, without events. Running tasks have a start time only when `clocks` are given. */
export function progressOf(token: string, root: TaskNode, clocks?: TwoClocks): PlanProgress {
  const progress = startProgress(token, root);
  progress.status = root.status;
  progress.reason = root.result.message;
  for (const { id, status, startTime, stopTime, result, waiting } of inOrder(root)) {
    const task = progress.tasks.get(id)!;
    task.status = status;
    task.message = waiting?.reason ?? result.message;
    if (startTime !== null && clocks) task.seenStartAt = Date.parse(startTime) - clocks.at + clocks.nowMs;
    if (startTime !== null && stopTime !== null) task.tookMs = Date.parse(stopTime) - Date.parse(startTime);
  }
  return progress;
}

/** Applies why a plan and its tasks wait, from its status, and returns what waits for something else than before. */
export function applyWaiting(
  progress: PlanProgress,
  root: TaskNode,
): { tasks: TaskProgress[]; isPlan: boolean } {
  const tasks = [];
  const ofPlan = root.waiting ? sentencesOf(root.waiting) : "";
  for (const { id, status, waiting } of inOrder(root)) {
    const task = progress.tasks.get(id);
    // The status may be older than the events that were read meanwhile.
    if (!task || task.status !== status || !waiting || hasFinished(task)) continue;
    const text = sentencesOf(waiting);
    const isSame = isSameReason(task.waiting, text);
    // Until a worker has claimed the plan, every task waits for the reason of the plan itself, which is shown once.
    if (isSameReason(ofPlan, text)) delete task.waiting;
    else task.waiting = text;
    if (!isSame && task.waiting !== undefined && (status === "WAITING" || task.message === ""))
      tasks.push(task);
  }
  const hasBegun = [...progress.tasks.values()].some((task) => task.status !== "WAITING");
  const text = hasBegun ? "" : ofPlan;
  const isPlan = !isSameReason(progress.waiting, text);
  progress.waiting = text;
  return { tasks, isPlan };
}

const sentencesOf = ({ reason, next }: { reason: string; next?: string }): string =>
  [reason, next].filter(Boolean).join(" ");

/** A position in a queue, or the time of the next poll, changes all the time without being news. */
const isSameReason = (before: string | undefined, now: string): boolean =>
  before?.replace(/\d+/g, "0") === now.replace(/\d+/g, "0");

/** Applies an event and returns the task whose state it changed, if any. */
export function applyEvent(progress: PlanProgress, event: PlanEvent, nowMs: number): TaskProgress | null {
  if (event.type === "plan") {
    progress.status = event.data.status;
    progress.reason = event.data.reason ?? progress.reason;
    progress.beganAt ??= event.data.at;
    progress.tookMs = Date.parse(event.data.at) - Date.parse(progress.beganAt);
    return null;
  }
  if (event.type === "log") {
    const task = progress.tasks.get(event.data.task ?? "");
    const { phase, severity, message } = event.data;
    // Only messages of the adapter and warnings of policies; the coordinator's repeat the state.
    if (task && (phase.endsWith(":ADAPTER") || (phase === "POLICIES" && severity === "WARNING")))
      task.message = withoutTime(message);
    return null;
  }
  const { id, status, action, componentId, startTime, stopTime, message } = event.data;
  const task = progress.tasks.get(id) ?? addTask(progress, { id, action, componentId });
  if (task.status === status) return null;
  task.status = status;
  delete task.waiting;
  progress.waiting = "";
  if (status === "RUNNING") task.seenStartAt ??= nowMs;
  if (startTime !== undefined && stopTime !== undefined) {
    task.tookMs = Date.parse(stopTime) - Date.parse(startTime);
  }
  if (message && (status !== "COMPLETED" || task.message === "")) {
    task.message = status === "COMPLETED" ? "" : message;
  }
  return task;
}

export const failedTasks = ({ tasks }: PlanProgress): TaskProgress[] =>
  [...tasks.values()].filter((task) => task.status === "FAILED");

export const hasFinished = (task: TaskProgress): boolean => hasEnded(task.status);

function addTask(
  progress: PlanProgress,
  { id, action, componentId }: { id: string; action: string; componentId: string | null },
): TaskProgress {
  const verb = verbs[action] ?? action.toLowerCase();
  const task: TaskProgress = { id, verb, subject: componentId ?? id, status: "WAITING", message: "" };
  progress.tasks.set(id, task);
  return task;
}

const verbs: Record<string, string> = {
  POLICY_VALIDATE_COMPONENT: "policy",
  VALIDATE_COMPONENT: "validate",
  PROVISION: "provision",
  UNPROVISION: "unprovision",
  UPDATE_ACL: "access",
  REVERSE_PROVISION: "reverse",
  PUBLISH: "publish",
  UNPUBLISH: "unpublish",
};

/** The ids of tasks are `<verb>:<component id>`. */
function namesOf({ id, displayName }: TaskNode): Pick<TaskProgress, "verb" | "subject"> {
  const colon = id.indexOf(":");
  const verb = id.slice(0, Math.max(0, colon));
  if (Object.values(verbs).includes(verb)) return { verb, subject: id.slice(colon + 1) };
  return { verb: "", subject: displayName };
}

/**
 * The tasks of a graph, each after its dependencies. A node has its dependencies where it is first met only. The
 * plan itself and the gates between its stages are not tasks. Without recursion, for chains of any length.
 */
function inOrder(root: TaskNode): TaskNode[] {
  const nodes = new Map<string, TaskNode>();
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    const known = nodes.get(node.id);
    if (!known || node.dependsOnTasks.length > known.dependsOnTasks.length) nodes.set(node.id, node);
    open.push(...node.dependsOnTasks);
  }
  const order: TaskNode[] = [];
  const entered = new Set<string>();
  const done = new Set<string>();
  const stack = [root.id];
  for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
    const node = nodes.get(id)!;
    const before = entered.has(id) ? [] : node.dependsOnTasks.filter((other) => !done.has(other.id));
    entered.add(id);
    if (before.length > 0) {
      stack.push(...before.map((other) => other.id).toReversed());
      continue;
    }
    stack.pop();
    if (done.has(id)) continue;
    done.add(id);
    if (id !== root.id && !id.startsWith(`${root.id}:`)) order.push(node);
  }
  return order;
}

const withoutTime = (message: string): string => message.replace(/^\[[^\]]{10,40}\] /, "");
