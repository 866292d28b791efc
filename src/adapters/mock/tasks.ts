/** The simulated work: one task for each start that was carried out. */
import { newId } from "../../platform/lib/ids.ts";
import type { Behaviour, JsonObject, Operation } from "./behaviour.ts";

export interface Task {
  token: string;
  operation: Operation;
  componentId: string | null;
  bodyHash: string;
  behaviour: Behaviour;
  startedAtMs: number;
  polls: number;
  /** Polls since an accepted termination; null while none was asked for. */
  terminating: number | null;
  /** Polls answered with a final status. */
  finals: number;
}

interface NewTask {
  operation: Operation;
  componentId: string | null;
  idempotencyKey: string | null;
  bodyHash: string;
  behaviour: Behaviour;
  nowMs: number;
}

export interface Tasks {
  /** The task of this start; `repeat` when its idempotency key was acted upon before. */
  begin(wanted: NewTask): { task: Task; repeat: boolean };
  /** Whether a start with this key would be a repeat. */
  isRepeat(operation: Operation, idempotencyKey: string | null): boolean;
  find(token: string): Task | undefined;
  /** Forgets everything, as a restart without a database does. */
  forget(): void;
  /** Whatever is at work has ended: the next poll gets the final answer. */
  finish(): void;
}

/** Maximum number of tasks in memory; the oldest are dropped. */
const maxTasks = 500_000;

export function createTasks(): Tasks {
  const byToken = new Map<string, Task>();
  const byKey = new Map<string, Task>();
  const keyOf = (operation: Operation, key: string) => `${operation} ${key}`;
  return {
    begin(wanted) {
      const { operation, componentId, idempotencyKey, bodyHash, behaviour, nowMs } = wanted;
      const key = idempotencyKey === null ? null : keyOf(operation, idempotencyKey);
      const known = key === null ? undefined : byKey.get(key);
      if (known !== undefined) return { task: known, repeat: true };
      const reused = behaviour.odd.start?.name === "reused-token";
      const token = reused ? "the-one-token" : `${operation}-${newId()}`;
      const task: Task = {
        token,
        operation,
        componentId,
        bodyHash,
        behaviour,
        startedAtMs: nowMs,
        polls: 0,
        terminating: null,
        finals: 0,
      };
      byToken.set(token, task);
      if (key !== null) byKey.set(key, task);
      trim(byToken);
      trim(byKey);
      return { task, repeat: false };
    },
    isRepeat: (operation, key) => key !== null && byKey.has(keyOf(operation, key)),
    find: (token) => byToken.get(token),
    forget() {
      byToken.clear();
      byKey.clear();
    },
    finish() {
      for (const task of byToken.values())
        task.behaviour = { ...task.behaviour, runningMs: 0, runningPolls: 0 };
    },
  };
}

function trim(map: Map<string, Task>): void {
  if (map.size <= maxTasks) return;
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}

/** The status of a task at a poll; counts the poll. */
export function pollTask(task: Task, nowMs: number): JsonObject {
  const { behaviour } = task;
  task.polls++;
  if (task.terminating !== null) {
    task.terminating++;
    const over = behaviour.terminate !== "never" && task.terminating > behaviour.terminatingPolls;
    return statusBody(task, over ? "TERMINATED" : "TERMINATING");
  }
  const running = task.polls <= behaviour.runningPolls || nowMs < task.startedAtMs + behaviour.runningMs;
  if (running) return statusBody(task, "RUNNING");
  task.finals++;
  const flips = behaviour.odd.poll?.name === "flip" && task.finals % 2 === 0;
  return statusBody(task, flips ? opposite(behaviour.outcome) : behaviour.outcome);
}

const opposite = (outcome: Behaviour["outcome"]) => (outcome === "COMPLETED" ? "FAILED" : "COMPLETED");

/** A provisioning status of the task; final ones carry what it produced. */
export function statusBody(task: Task, status: string): JsonObject {
  const { behaviour, operation, componentId } = task;
  const logs = logsOf(task);
  if (status === "RUNNING" || status === "TERMINATING") return { status, result: "", logs };
  if (operation === "validate") return validationStatus(task, logs);
  const result =
    behaviour.result ?? (status === "COMPLETED" ? `${operation} done` : `${operation} did not work`);
  if (operation === "reverse-provisioning") {
    return { status, updates: behaviour.updates ?? { "spec.mesh.mock": componentId }, logs };
  }
  const info = behaviour.info ?? {
    publicInfo: { mock: { type: "string", label: "Mock", value: componentId } },
    privateInfo: { token: task.token },
  };
  return { status, result, info: status === "COMPLETED" ? info : null, logs };
}

/** The verdict in `result` as JSON text, or in `info.publicInfo`. */
function validationStatus(task: Task, logs: JsonObject[]): JsonObject {
  const { behaviour } = task;
  const verdict = verdictOf(behaviour.validationErrors);
  const status = behaviour.validationErrors.length === 0 ? "COMPLETED" : "FAILED";
  if (behaviour.verdictIn === "result") return { status, result: JSON.stringify(verdict), logs };
  return { status, info: { publicInfo: verdict, privateInfo: {} }, logs };
}

export function verdictOf(errors: string[]): JsonObject {
  return errors.length === 0 ? { valid: true } : { valid: false, error: { errors } };
}

function logsOf(task: Task): JsonObject[] {
  const { lines, style } = task.behaviour.logs;
  const passed = Math.max(task.polls, 1);
  const [from, to] = style === "new" ? [(passed - 1) * lines, passed * lines] : [0, passed * lines];
  const count = style === "repeated" ? lines : to - from;
  return Array.from({ length: count }, (_none, index) => ({
    timestamp: new Date(task.startedAtMs + from + index).toISOString(),
    level: "INFO",
    message: `${task.operation} of ${task.componentId}: line ${from + index + 1}`,
    phase: "mock",
  }));
}
