import { describe, expect, it } from "vitest";
import type { PlanView, TaskView, Situation } from "./store.ts";
import {
  createdAt,
  planRow,
  policyTask,
  polling,
  startedAt,
  stoppedAt,
  taskRow,
  validation,
} from "./testdata.ts";
import { nextPoll, planWaiting, stageWaiting, waitingContextOf, waitingOf } from "./waiting.ts";

const now = new Date("2026-11-21T08:00:20.000Z");
const context = (tasks: TaskView[], plan: PlanView) => waitingContextOf(plan, tasks, { now, polling });
const waiting = (task: TaskView, others: TaskView[] = [], plan: PlanView = planRow()) =>
  waitingOf(task, context([task, ...others], plan));
const done = { status: "COMPLETED" as const, stoppedAt };
const situation = (more: Partial<Situation>): Situation => ({
  line: null,
  repeat: null,
  turnAt: null,
  isDriven: true,
  slots: null,
  ...more,
});

it.each(["COMPLETED", "FAILED", "SKIPPED", "TERMINATED"] as const)(
  "nothing for a task that is %s",
  (status) => {
    expect(waiting(taskRow("a", [], { status, waiting: { reason: "old", since: "x" } }))).toBeNull();
  },
);

describe("a task at work", () => {
  it("waits for the answer of its call, since the call was made", () => {
    const task = taskRow("a", [], { status: "RUNNING", startedAt, intentAt: stoppedAt, attempts: 2 });
    expect(waiting(task)).toEqual({
      reason: "Its call is under way; the answer is awaited.",
      since: stoppedAt.toISOString(),
      attempts: 2,
      next: "Its answer ends the task, or brings a token to poll.",
    });
  });

  it("is polled, and the time of the next poll is shown", () => {
    expect(waiting(taskRow("a", [], { status: "RUNNING", token: true, startedAt }))).toEqual({
      reason: "The adapter is at work; its token is polled.",
      since: startedAt.toISOString(),
      nextAttemptAt: "2026-11-21T08:00:21.781Z",
      next: "The next poll, by about that time.",
    });
  });

  it("has been asked to stop", () => {
    const task = taskRow("a", [], { status: "TERMINATING", token: true, startedAt });
    expect(waiting(task)?.reason).toBe("The adapter has been asked to stop.");
  });

  it("says what the engine wrote down, before everything else", () => {
    const own = { reason: "The adapter can't be reached.", since: "s", nextAttemptAt: "n", attempts: 2 };
    const task = taskRow("a", ["b"], { status: "RUNNING", waiting: own });
    expect(waiting(task, [taskRow("b")])).toEqual({ ...own, next: "The same call is made again." });
  });
});

describe("the policies of a plan", () => {
  const next = "What they say ends the task.";

  it("are being evaluated, or wait for that", () => {
    const lead = policyTask("u", { status: "RUNNING", startedAt });
    expect(waiting(lead)).toMatchObject({ reason: "The policies are being evaluated.", next });
    expect(waiting(policyTask("a"), [lead])).toMatchObject({
      reason: "Waits for the evaluation of the plan's policies.",
      next,
    });
    const own = {
      reason: "Governance can't be reached.",
      since: "s",
      next: "The policies are evaluated again.",
    };
    expect(waiting({ ...lead, waiting: own })).toEqual(own);
  });

  it("are what the validations wait for", () => {
    expect(waiting(validation("v"), [policyTask("u")])?.reason).toBe(
      "Waits until the policies hold for every component.",
    );
    expect(waiting(validation("v"), [policyTask("u", { ...done, status: "FAILED" })])?.reason).toBe(
      "Will not begin, because of U.",
    );
  });
});

describe("a task that has not begun waits for", () => {
  it("a worker, since the plan was made or its turn came", () => {
    expect(waiting(taskRow("a"), [], planRow({ startedAt: null }))).toEqual({
      reason: "No worker has taken the plan yet.",
      since: createdAt.toISOString(),
      next: "A worker that has room for another plan takes it.",
    });
    const queuedStart = planRow({
      startedAt: null,
      situation: situation({ turnAt: stoppedAt, isDriven: false }),
    });
    expect(waiting(taskRow("a"), [], queuedStart)?.since).toBe(stoppedAt.toISOString());
  });

  it("another worker, when its own has gone", () => {
    const plan = planRow({ situation: situation({ isDriven: false }) });
    expect(waiting(taskRow("a", [], { status: "RUNNING", token: true }), [], plan)?.reason).toBe(
      "Its worker has gone.",
    );
  });

  it("the tasks before it that have not completed, at most three by name", () => {
    const others = ["b", "c", "d", "e", "f"].map((id) => taskRow(id, [], id === "b" ? done : {}));
    expect(waiting(taskRow("a", ["b", "c"]), others)).toEqual({
      reason: "Waits for C.",
      since: startedAt.toISOString(),
      blockedBy: ["c"],
      next: "It begins when they have completed.",
    });
    expect(waiting(taskRow("a", ["b", "c", "d", "e", "f"]), others)?.reason).toBe(
      "Waits for C, D, E and 1 more.",
    );
    expect(waiting(taskRow("a", ["b"]), [taskRow("b", [], { componentName: null })])?.reason).toBe(
      "Waits for b.",
    );
  });

  it("the stage before it", () => {
    expect(waiting(taskRow("a"), [validation("v", done), validation("w")])).toMatchObject({
      reason: "Waits until every component is found valid.",
      blockedBy: ["w"],
    });
    const notice = taskRow("n", [], { stage: 2 });
    expect(waiting(notice, [taskRow("a")])?.reason).toBe("Waits until every component is done.");
  });

  it("nothing any more, when what it needs has failed or the plan is being terminated", () => {
    const failed = taskRow("b", [], { status: "FAILED" });
    expect(waiting(taskRow("a", ["b"]), [failed])).toMatchObject({
      reason: "Will not begin, because of B.",
      next: "It is skipped when nothing runs any more.",
    });
    expect(waiting(taskRow("a"), [validation("v", { status: "FAILED" })])?.reason).toMatch(/because of V/);
    expect(waiting(taskRow("a"), [], planRow({ status: "TERMINATING" }))?.reason).toBe(
      "The plan is being terminated.",
    );
  });

  it("a place, since the last of what it needed had ended", () => {
    expect(waiting(taskRow("a", ["b"]), [taskRow("b", [], done)])).toEqual({
      reason: "Ready; waits for a free place among the tasks that may run at once, as number 1 of its plan.",
      since: stoppedAt.toISOString(),
      position: 1,
      next: "It begins when its turn for a place comes.",
    });
    expect(waiting(validation("v"), [taskRow("a")])?.reason).toMatch(/^Ready/);
  });

  const full = { used: 32, limit: 32 };
  const roomy = { used: 32, limit: 64 };
  it.each([
    ["parallelTasksPerAdapter", { adapters: { x: full } }, "32 of 32 are at work on its adapter"],
    ["environments.parallelTasks", { environments: { development: full } }, "at work in development"],
    [
      "parallelTasksPerAdapter",
      { adapters: { x: { used: 30, limit: 32, own: { used: 10, share: 11 } } } },
      "30 of 32 are at work on its adapter in all processes, 10 of its worker's share of 11",
    ],
    ["parallelTasks", { total: full }, "32 of 32 are at work in its worker"],
  ])("a place, by the limit %s", (limit, more, text) => {
    const slots = { total: roomy, environments: {}, adapters: {}, waitingTasks: 9, waitingUnits: 3, ...more };
    const plan = planRow({ situation: situation({ slots }) });
    const others = [taskRow("b"), taskRow("c")];
    const tasks = [...others, taskRow("a", [], { adapterUrl: "x" })];
    const listed = waitingOf(tasks[2]!, context(tasks, plan));
    expect(listed).toMatchObject({ limit, position: 3 });
    expect(listed?.reason).toContain(text);
    expect(listed?.reason).toMatch(/as number 3 of its plan. 2 other units wait too; units take turns.$/);
  });
});

describe("a plan waits for", () => {
  const listed = (plan: PlanView, ...tasks: TaskView[]) => planWaiting(context(tasks, plan));

  it("its turn on the unit", () => {
    const line = { position: 2, behind: "p0" };
    const plan = planRow({
      status: "WAITING",
      startedAt: null,
      queued: true,
      situation: situation({ line }),
    });
    expect(listed(plan)).toEqual({
      reason: "Waits for plan p0; position 2 in the line of its unit.",
      since: createdAt.toISOString(),
      position: 2,
      waitsForPlan: "p0",
      next: "At its turn it is planned on the state that the unit then has.",
    });
  });

  it("its own start, where its unit is free", () => {
    const plan = (lastError: { reason: string; since: string } | null) =>
      planRow({
        status: "WAITING",
        queued: true,
        startedAt: null,
        situation: situation({ line: { position: 1, behind: null, lastError } }),
      });
    expect(listed(plan(null))).toEqual({
      reason: "Its turn on the unit has come; it is about to be planned.",
      since: createdAt.toISOString(),
      position: 1,
      next: "At its turn it is planned on the state that the unit then has.",
    });
    const since = "2026-11-21T08:00:10.000Z";
    expect(listed(plan({ reason: "Governance is away.", since }))).toEqual({
      reason: "Its turn on the unit has come, but it could not begin yet: Governance is away.",
      since,
      position: 1,
      next: "It is tried again, and ends as failed when that takes too long.",
    });
  });

  it("the next attempt, after an error of its worker", () => {
    const lastError = {
      reason: "The database refused a statement (42501).",
      since: "2026-11-21T08:00:10.000Z",
      attempts: 3,
      nextAttemptAt: "2026-11-21T08:00:30.000Z",
      progress: 0,
    };
    const running = taskRow("a", [], { status: "RUNNING", startedAt });
    const shown = {
      reason: "Its worker could not go on: The database refused a statement (42501).",
      since: lastError.since,
      attempts: 3,
      nextAttemptAt: lastError.nextAttemptAt,
    };
    const plan = planRow({ situation: situation({ isDriven: false, lastError }) });
    expect(listed(plan, running)).toMatchObject(shown);
    expect(waiting(running, [], plan)).toMatchObject(shown);
    const lost = planRow({ situation: situation({ isDriven: false, lastError: null }) });
    expect(waiting(running, [], lost)?.reason).toBe("Its worker has gone.");
  });

  it("each component once, though several tasks are about it", () => {
    const open = [validation("a"), taskRow("a"), taskRow("b"), taskRow("c"), taskRow("d")];
    expect(listed(planRow(), ...open)).toMatchObject({
      reason: "Waits for A, B, C and 1 more.",
      next: "Then the plan ends.",
    });
  });

  it("changes of access that came before it", () => {
    const line = { position: 3, behind: "p0" };
    const plan = planRow({ status: "WAITING", startedAt: null, situation: situation({ line }) });
    expect(listed(plan, taskRow("a"))).toMatchObject({
      reason: "Waits for the change of access of plan p0.",
      position: 3,
    });
  });

  it("a call of an earlier plan that is made again", () => {
    const repeat = { plan: "p0", until: "2026-11-21T08:00:40.000Z" };
    const plan = planRow({ status: "WAITING", startedAt: null, situation: situation({ repeat }) });
    expect(listed(plan, taskRow("a"))).toMatchObject({
      reason: "Waits until a call whose outcome was unknown has been made again, of plan p0.",
      waitsForPlan: "p0",
      next: "A worker takes it. It does so by 2026-11-21T08:00:40.000Z at the latest.",
    });
  });

  it("its tasks, those at work first", () => {
    const running = taskRow("a", [], { status: "RUNNING" });
    expect(listed(planRow(), running, taskRow("b", ["a"]))).toEqual({
      reason: "Waits for A.",
      since: startedAt.toISOString(),
      blockedBy: ["a"],
      next: "Then 1 more task.",
    });
    expect(listed(planRow({ status: "TERMINATING" }), running)?.reason).toBe(
      "Is being terminated; waits for A.",
    );
    expect(listed(planRow(), taskRow("a", [], done))?.reason).toMatch(/about to/);
    expect(listed(planRow({ status: "COMPLETED" }), taskRow("a", [], done))).toBeNull();
  });

  it("and so do its stages", () => {
    const members = [validation("v", done), validation("w")];
    expect(stageWaiting(members, context(members, planRow()))?.reason).toBe("Waits for W.");
    expect(stageWaiting([members[0]!], context(members, planRow()))).toBeNull();
  });
});

it.each([
  [0, 1_000],
  [999, 1_000],
  [1_000, 2_500],
  [2_500, 4_750],
  [3_600_000, 3_602_171],
])("the poll after %d ms is at about %d ms", (after, at) => {
  const since = new Date(0);
  expect(nextPoll(since, new Date(after), polling).getTime()).toBeCloseTo(at, -1);
  const even = { initialMs: 100, factor: 1, maxMs: 1_000 };
  expect(nextPoll(since, new Date(after), even).getTime()).toBe((Math.floor(after / 100) + 1) * 100);
});
