import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlanEvent, TaskNode } from "../client/wire.ts";
import { stylesFor } from "./colors.ts";
import { widthOf } from "./text.ts";
import { frame } from "./live.ts";
import { applyEvent, failedTasks, progressOf, startProgress, type PlanProgress } from "./plan-progress.ts";
import { countLine, progressLines } from "./plan-view.ts";

const styles = stylesFor(false);

const node = (id: string, dependsOnTasks: TaskNode[] = [], more: Partial<TaskNode> = {}): TaskNode => ({
  id,
  displayName: id,
  status: "WAITING",
  startTime: null,
  stopTime: null,
  result: { message: "" },
  dependsOnTasks,
  ...more,
});

/** validate:S -> gate -> S -> W -> O, and P after S; what is met again has no dependencies. */
const graph = (): TaskNode => {
  const gate = node("p:stage-0", [node("validate:u:S")]);
  const w = node("provision:u:W", [node("provision:u:S", [gate])]);
  return node("p", [node("provision:u:O", [w]), node("provision:u:P", [node("provision:u:S")])]);
};

const task = (id: string, status: string, more: object = {}): PlanEvent => ({
  type: "task",
  data: { id, status, action: "PROVISION", componentId: id.slice("provision:".length), ...more },
});

const log = (id: string, message: string, phase = "PROVISIONING:ADAPTER"): PlanEvent => ({
  type: "log",
  data: { timestamp: "", severity: "INFO", task: id, message, phase },
});

const after = (...events: PlanEvent[]): PlanProgress => {
  const progress = startProgress("p", graph());
  for (const event of events) applyEvent(progress, event, 1_000);
  return progress;
};

test("tasks come after those that they wait for; plan and gates are no tasks", () => {
  expect([...startProgress("p", graph()).tasks.keys()]).toEqual([
    "validate:u:S",
    "provision:u:S",
    "provision:u:W",
    "provision:u:O",
    "provision:u:P",
  ]);
});

test("a chain of 20,000 tasks needs no 20,000 frames", () => {
  let chain = node("provision:0");
  for (let at = 1; at < 20_000; at += 1) chain = node(`provision:${at}`, [chain]);
  expect(startProgress("p", node("p", [chain])).tasks.size).toBe(20_000);
});

describe("events", () => {
  test("the adapter's words stay, the coordinator's do not repeat the state", () => {
    const progress = after(
      task("provision:u:S", "RUNNING"),
      log("provision:u:S", "[2026-11-21T08:05:53.696Z] The table was made."),
      log("provision:u:S", "Provisioning of S completed.", "PROVISIONING"),
      task("provision:u:S", "COMPLETED", {
        startTime: "2026-11-21T08:00:00.000Z",
        stopTime: "2026-11-21T08:00:01.500Z",
        message: "Provisioning of S completed in 1.5 s.",
      }),
    );
    expect(progress.tasks.get("provision:u:S")).toMatchObject({
      status: "COMPLETED",
      tookMs: 1_500,
      message: "The table was made.",
    });
  });

  test("why a task failed beats what its adapter said before", () => {
    const progress = after(
      log("provision:u:S", "working"),
      task("provision:u:S", "FAILED", { message: "Provisioning of S failed: no room." }),
    );
    expect(failedTasks(progress).map(({ message }) => message)).toEqual([
      "Provisioning of S failed: no room.",
    ]);
  });

  test("a task that the graph did not name is added", () => {
    const added = after(task("provision:new", "RUNNING")).tasks.get("provision:new");
    expect(added).toMatchObject({ verb: "provision", subject: "new", status: "RUNNING" });
  });

  test("the plan's own state and reason", () => {
    const data = { id: "p", status: "FAILED", at: "", reason: "A service refused." };
    expect(after({ type: "plan", data })).toMatchObject({ status: "FAILED", reason: "A service refused." });
  });
});

test("from a status alone", () => {
  const more = { status: "FAILED", startTime: "2026-01-01T00:00:00Z", stopTime: "2026-01-01T00:00:02Z" };
  const waiting = { reason: "Waits for S.", since: "" };
  const root = node(
    "p",
    [
      node("provision:a", [], { ...more, result: { message: "broken" } }),
      node("provision:b", [], { waiting }),
    ],
    { status: "RUNNING" },
  );
  expect([...progressOf("p", root).tasks.values()]).toMatchObject([
    { status: "FAILED", tookMs: 2_000, message: "broken" },
    { status: "WAITING", message: "Waits for S." },
  ]);
});

describe("view", () => {
  test("one line per task, aligned", () => {
    const progress = after(
      task("provision:u:S", "COMPLETED", {
        startTime: "2026-01-01T00:00:00Z",
        stopTime: "2026-01-01T00:00:02Z",
      }),
      task("provision:u:W", "RUNNING"),
      log("provision:u:W", "half way"),
    );
    expect(progressLines(progress, { styles, nowMs: 4_250, indent: 1 })).toEqual([
      " validate     S  WAITING",
      " provision    S  COMPLETED        2.00 s",
      " provision    W  RUNNING          3.25 s  half way",
      " provision    O  WAITING",
      " provision    P  WAITING",
    ]);
  });

  test("a large plan shows what is at work and what failed, and counts the rest", () => {
    const progress = startProgress("p");
    for (let at = 0; at < 100; at += 1) {
      const status = at === 3 ? "FAILED" : at < 50 ? "COMPLETED" : at < 53 ? "RUNNING" : "WAITING";
      applyEvent(progress, task(`provision:${at}`, status), 0);
    }
    const lines = progressLines(progress, { styles, nowMs: 0, size: { columns: 80, rows: 12 } });
    expect(lines).toHaveLength(8);
    expect(lines.filter((line) => line.includes("RUNNING"))).toHaveLength(3);
    expect(lines.filter((line) => line.includes("FAILED"))).toHaveLength(1);
    expect(lines.filter((line) => /COMPLETED/.test(line)).map((line) => line.split(/\s+/)[1])).toEqual([
      "47",
      "48",
      "49",
    ]);
    expect(lines.at(-1)).toBe("49 completed, 1 failed, 3 running, 47 waiting");
  });

  test("never wider than the terminal, never higher", () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 60 }), { maxLength: 40 });
    const rule = fc.property(
      names,
      fc.string(),
      fc.integer({ min: 80, max: 200 }),
      (subjects, message, columns) => {
        const progress = startProgress("p");
        for (const subject of subjects) {
          applyEvent(progress, task(`provision:${subject}`, "RUNNING"), 0);
          applyEvent(progress, log(`provision:${subject}`, message), 0);
        }
        const lines = progressLines(progress, { styles, nowMs: 0, size: { columns, rows: 20 } });
        expect(lines.length).toBeLessThanOrEqual(17);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      },
    );
    fc.assert(rule, { numRuns: 200 });
  });

  test("counts by state", () => expect(countLine([...after().tasks.values()])).toBe("5 waiting"));
});

test("a frame goes back over the one before and clears what was longer", () => {
  expect(frame(["a", "b"], 0)).toBe("\ra\u001B[K\n\rb\u001B[K\n\u001B[J");
  expect(frame(["a"], 2)).toBe("\u001B[2A\ra\u001B[K\n\u001B[J");
});
