/** A judge that can't find anything is of no use: each violation is planted once into a run in which all is well. */
import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../../src/adapters/mock/journal.ts";
import { judgeCalls, type CalledTask } from "../../engine/calls.ts";
import {
  isExplained,
  judgeComponents,
  judgeEndings,
  judgePlans,
  judgeRest,
  judgeSamples,
  judgeStreams,
  mayBeLate,
} from "./judge.ts";
import type { Ending, FaultWindow, PlanRecord } from "./records.ts";

const second = (n: number): number => Date.UTC(2026, 0, 1) + n * 1_000;

const task = (more: Partial<CalledTask> = {}): CalledTask => ({
  planId: "p",
  taskId: "t",
  action: "PROVISION",
  componentId: "c",
  status: "COMPLETED",
  idempotencyKey: "p:t",
  attempts: 1,
  result: null,
  stoppedAt: new Date(second(20)),
  ...more,
});

const call = (at: number, more: Partial<JournalEntry> = {}): JournalEntry => ({
  sequence: at,
  time: new Date(second(at)).toISOString(),
  method: "POST",
  path: "/v1/provision",
  operation: "provision",
  componentId: "c",
  idempotencyKey: "p:t",
  traceparent: null,
  bodyHash: "body",
  acted: true,
  repeat: false,
  otherBody: false,
  token: "token",
  odd: null,
  ...more,
});

const again = (at: number, more: Partial<JournalEntry> = {}): JournalEntry =>
  call(at, { acted: false, repeat: true, ...more });

const plan = (more: Partial<PlanRecord> = {}): PlanRecord => ({
  planId: "p",
  unitId: "u",
  deploys: true,
  components: ["c"],
  failing: new Set(),
  ...more,
});

const fault = (more: Partial<FaultWindow> = {}): FaultWindow => ({
  name: "database cut",
  from: second(9),
  to: second(12),
  holds: false,
  ...more,
});

describe("calls", () => {
  const judge = (tasks: CalledTask[], journal: JournalEntry[], windows: FaultWindow[] = []): string[] =>
    judgeCalls({ tasks, journal, isExplained: isExplained(windows), mayBeLate: mayBeLate(windows) })
      .violations;

  it("finds nothing where all is well", () => {
    expect(judge([task()], [call(10)])).toEqual([]);
    expect(judge([task({ attempts: 2 })], [call(10), again(11)], [fault()])).toEqual([]);
    expect(judge([task({ status: "SKIPPED", stoppedAt: null })], [])).toEqual([]);
  });

  const planted: [string, CalledTask[], JournalEntry[], FaultWindow[], string][] = [
    ["a lost call", [task()], [], [], "p:t is COMPLETED and was never called"],
    ["a call that nobody acted upon", [task()], [again(10)], [], "p:t is COMPLETED and was never acted upon"],
    [
      "a doubled effect",
      [task({ attempts: 2 })],
      [call(10), call(11)],
      [fault()],
      "p:t was acted upon 2 times",
    ],
    [
      "a repeat with other bytes",
      [task({ attempts: 2 })],
      [call(10), again(11, { bodyHash: "other" })],
      [fault()],
      "p:t was sent with 2 bodies",
    ],
    ["a repeat without an intent", [task()], [call(10), again(11)], [fault()], "p:t: 2 calls, 1 intents"],
    [
      "a repeat without a reason",
      [task({ attempts: 2, stoppedAt: new Date(second(60)) })],
      [call(40), again(41)],
      [fault()],
      "p:t was repeated without a reason",
    ],
    [
      "a repeat of what is polled",
      [task({ attempts: 2 })],
      [call(10), call(11, { operation: "poll", idempotencyKey: null }), again(12)],
      [fault()],
      "p:t was started again although its token was polled",
    ],
    [
      "a call after the end",
      [task({ attempts: 2, stoppedAt: new Date(second(10)) })],
      [call(9), again(11)],
      [fault()],
      "p:t was called after it had ended",
    ],
    [
      "a key of no task",
      [task()],
      [call(10), call(11, { idempotencyKey: "p:x" })],
      [],
      "p:x belongs to no task",
    ],
    [
      "two keys for one task",
      [task(), task({ taskId: "t2", idempotencyKey: "p:t2" })],
      [call(10), call(11, { idempotencyKey: "p:t2" })],
      [],
      "p PROVISION c has 2 tasks with keys of their own",
    ],
  ];
  it.each(planted)("finds %s", (...[, tasks, journal, windows, violation]) => {
    expect(judge(tasks, journal, windows)).toEqual([violation]);
  });

  it("lets a call arrive late where its caller stood still meanwhile", () => {
    const ended = task({ attempts: 2, stoppedAt: new Date(second(10)) });
    expect(judge([ended], [call(9), again(11)], [fault({ name: "SIGSTOP", holds: true })])).toEqual([]);
    // The intent was written, then the process stood still while another took over, called and polled.
    const polled = [call(10), call(11, { operation: "poll", idempotencyKey: null }), again(12)];
    const stopped = fault({ name: "SIGSTOP", holds: true });
    expect(judge([task({ attempts: 2 })], polled, [stopped])).toEqual([]);
  });
});

describe("plans, components and streams", () => {
  const done = { status: "COMPLETED", operation: "SUCCEEDED" };

  it("finds plans that are lost, that ended otherwise, and that were reported to nobody", () => {
    expect(judgePlans([plan()], new Map([["p", done]]), [])).toEqual([]);
    expect(judgePlans([plan()], new Map(), [])).toEqual([
      "plan p of u is lost and should be COMPLETED/SUCCEEDED. ",
    ]);
    const failed = { status: "FAILED", operation: "FAILED" };
    const why = task({ status: "FAILED", result: "No answer." });
    expect(judgePlans([plan()], new Map([["p", failed]]), [why])).toEqual([
      "plan p of u is FAILED/FAILED and should be COMPLETED/SUCCEEDED. t: No answer.",
    ]);
    expect(judgePlans([plan({ failing: new Set(["c"]) })], new Map([["p", failed]]), [why])).toEqual([]);
    expect(judgePlans([], new Map([["p", done]]), [])).toEqual(["plan p was reported to nobody"]);
  });

  it("finds components that are not what their adapter has made of them", () => {
    const evidence = { tasks: [task()], journal: [call(10)] };
    expect(judgeComponents([plan()], evidence, new Map([["c", "DEPLOYED"]]))).toEqual([]);
    expect(judgeComponents([plan()], evidence, new Map([["c", "CORRUPT"]]))).toEqual([
      "component c is CORRUPT, its adapter has left it DEPLOYED",
    ]);
    const failing = plan({ failing: new Set(["c"]) });
    expect(judgeComponents([failing], evidence, new Map([["c", "CORRUPT"]]))).toEqual([]);
  });

  it("finds gaps and repeats in streams, and streams without an end", () => {
    const stored = new Map([["p", [1, 2, 3]]]);
    const judge = (ids: number[], isWhole = true): string[] =>
      judgeStreams([{ planId: "p", ids, isWhole }], stored);
    expect(judge([1, 2, 3])).toEqual([]);
    expect(judge([1, 3])).toEqual(["the stream of plan p: 2 of 3 events, 1 missed, or out of order"]);
    expect(judge([1, 2, 2, 3])).toEqual(["the stream of plan p: 4 of 3 events, 0 missed, or out of order"]);
    expect(judge([1, 3, 2])).toHaveLength(1);
    expect(judge([1, 2, 3], false)).toEqual(["the stream of plan p did not come to its end"]);
  });
});

describe("processes", () => {
  const limits = { connections: 28, descriptors: 100 };
  const sample = { instance: "A", pid: 1, at: second(10), connections: 28, descriptors: 100 };

  it("finds connections and descriptors beyond their limit", () => {
    expect(judgeSamples([sample], limits, [])).toEqual([]);
    expect(judgeSamples([sample, { ...sample, connections: 29 }], limits, [fault()])).toEqual([
      "A (process 1) had 29 connections, the limit is 28; at that time: database cut",
    ]);
    expect(judgeSamples([{ ...sample, descriptors: 101 }], limits, [])).toHaveLength(1);
    expect(judgeRest([sample], limits)).toEqual([]);
    expect(judgeRest([{ ...sample, connections: 29 }], limits)).toHaveLength(1);
  });

  const ending = (more: Partial<Ending> = {}): Ending => ({
    instance: "A",
    how: "asked",
    code: 0,
    tookMs: 5_000,
    from: second(0),
    to: second(11),
    said: "",
    ...more,
  });
  const judge = (one: Ending, windows: FaultWindow[] = [fault()]): string[] =>
    judgeEndings([one], { stopMs: 5_000, failedStartMs: 10_000 }, windows);

  it("takes a stop in time, a kill, and a start that failed during a fault", () => {
    expect(judge(ending())).toEqual([]);
    expect(judge(ending({ how: "killed", code: null }))).toEqual([]);
    expect(judge(ending({ how: "asked unborn", code: null, tookMs: 20 }))).toEqual([]);
    expect(judge(ending({ how: "asked at its start", code: 130 }))).toEqual([]);
    expect(judge(ending({ how: "start failed", code: 1 }))).toEqual([]);
  });

  it.each<[string, Ending, FaultWindow[]]>([
    ["a late stop", ending({ tookMs: 5_001 }), []],
    ["a stop with another code", ending({ code: 1 }), []],
    ["a stop at work that says it was interrupted", ending({ code: 130 }), []],
    ["a late stop at the start", ending({ how: "asked at its start", code: 130, tookMs: 5_001 }), []],
    ["a stop by force", ending({ code: null }), []],
    ["a late end of what had not begun", ending({ how: "asked unborn", code: null, tookMs: 5_001 }), []],
    ["an end by itself", ending({ how: "itself", code: 1 }), [fault()]],
    ["a start that failed without a fault", ending({ how: "start failed", code: 1 }), []],
    ["a failed start that took long", ending({ how: "start failed", code: 1, tookMs: 10_001 }), [fault()]],
    ["a failed start that says all is well", ending({ how: "start failed", code: 0 }), [fault()]],
  ])("finds %s", (_name, one, windows) => {
    expect(judge(one, windows)).toHaveLength(1);
  });
});
