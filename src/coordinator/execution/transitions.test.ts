import { describe, expect, it } from "vitest";
import { isTerminal, nextTaskStatus, planOutcome, type TaskEvent } from "./transitions.ts";
import type { TaskStatus } from "./types.ts";

const statuses: TaskStatus[] = [
  "WAITING",
  "RUNNING",
  "COMPLETED",
  "FAILED",
  "SKIPPED",
  "TERMINATING",
  "TERMINATED",
];
const events: TaskEvent[] = ["start", "note", "succeed", "fail", "skip", "terminating", "terminate"];

describe("a task", () => {
  it("moves so and not otherwise", () => {
    const rows = statuses.map((status) => [
      status,
      ...events.map((event) => nextTaskStatus(status, event) ?? "-"),
    ]);
    expect(rows).toEqual([
      ["WAITING", "RUNNING", "-", "-", "FAILED", "SKIPPED", "-", "TERMINATED"],
      ["RUNNING", "RUNNING", "RUNNING", "COMPLETED", "FAILED", "-", "TERMINATING", "TERMINATED"],
      ["COMPLETED", "-", "-", "-", "-", "-", "-", "-"],
      ["FAILED", "-", "-", "-", "-", "-", "-", "-"],
      ["SKIPPED", "-", "-", "-", "-", "-", "-", "-"],
      ["TERMINATING", "TERMINATING", "TERMINATING", "COMPLETED", "FAILED", "-", "TERMINATING", "TERMINATED"],
      ["TERMINATED", "-", "-", "-", "-", "-", "-", "-"],
    ]);
  });

  it("is over in exactly the states that nothing leaves", () => {
    for (const status of statuses) {
      const leaves = events.some((event) => nextTaskStatus(status, event) !== null);
      expect([status, isTerminal(status)]).toEqual([status, !leaves]);
    }
  });
});

describe("a plan", () => {
  it.each([
    ["without tasks", [], false, "COMPLETED"],
    ["all of whose tasks completed", ["COMPLETED", "COMPLETED"], false, "COMPLETED"],
    ["with a failed task", ["COMPLETED", "FAILED", "SKIPPED"], false, "FAILED"],
    ["with a terminated task that nobody asked to end", ["TERMINATED"], false, "FAILED"],
    ["that was asked to end", ["COMPLETED", "TERMINATED"], true, "TERMINATED"],
    ["that was asked to end when all was done", ["COMPLETED"], true, "COMPLETED"],
    ["that was asked to end and failed", ["FAILED"], true, "TERMINATED"],
  ] as [string, TaskStatus[], boolean, string][])("%s ends so", (_name, tasks, asked, outcome) => {
    expect(planOutcome(tasks, asked)).toBe(outcome);
  });
});
