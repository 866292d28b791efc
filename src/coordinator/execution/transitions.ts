/** The state machine of a plan task: by event and state, the next state. No event leaves a terminal state. */
import type { PlanStatus, TaskStatus } from "./types.ts";

export type TaskEvent = "start" | "note" | "succeed" | "fail" | "skip" | "terminating" | "terminate";

const table: Record<TaskEvent, Partial<Record<TaskStatus, TaskStatus>>> = {
  start: { WAITING: "RUNNING", RUNNING: "RUNNING", TERMINATING: "TERMINATING" },
  /** Stores a token, an attempt or a reason to wait; the state stays. */
  note: { RUNNING: "RUNNING", TERMINATING: "TERMINATING" },
  succeed: { RUNNING: "COMPLETED", TERMINATING: "COMPLETED" },
  fail: { WAITING: "FAILED", RUNNING: "FAILED", TERMINATING: "FAILED" },
  skip: { WAITING: "SKIPPED" },
  terminating: { RUNNING: "TERMINATING", TERMINATING: "TERMINATING" },
  terminate: { WAITING: "TERMINATED", RUNNING: "TERMINATED", TERMINATING: "TERMINATED" },
};

/** The state after the event, or null when the event is not allowed there. */
export const nextTaskStatus = (status: TaskStatus, event: TaskEvent): TaskStatus | null =>
  table[event][status] ?? null;

const terminal: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "SKIPPED", "TERMINATED"]);

export const isTerminal = (status: TaskStatus): boolean => terminal.has(status);

/**
 * The final status of a plan, from the final statuses of its tasks. A plan whose tasks have all completed is
 * COMPLETED, even if it was terminated.
 */
export function planOutcome(statuses: readonly TaskStatus[], terminated: boolean): PlanStatus {
  if (statuses.every((status) => status === "COMPLETED")) return "COMPLETED";
  return terminated ? "TERMINATED" : "FAILED";
}
