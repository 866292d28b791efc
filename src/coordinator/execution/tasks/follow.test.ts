import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PollAnswer } from "../../adapters/protocol/answers.ts";
import type { PlanWrite } from "../group-store.ts";
import { follow } from "./follow.ts";
import type { PlanRun, TaskState } from "./plan-run.ts";
import { createPollPace } from "./poll-pace.ts";

const startedAt = new Date("2026-11-28T12:00:00Z");
const taskTimeoutMs = 60_000;

beforeEach(() => vi.useFakeTimers({ now: startedAt }));
afterEach(() => vi.useRealTimers());

/** A task that its adapter has accepted, and what is written of it. */
function followedBy(answer: PollAnswer) {
  const writes: PlanWrite[] = [];
  const polls: Date[] = [];
  const limits = { pollInitialMs: 1_000, pollFactor: 1.5, pollMaxMs: 15_000 };
  const run = {
    plan: { traceparent: "t", environment: "development" },
    tasks: new Map(),
    limits,
    pace: createPollPace(),
    registrations: { areStale: false, reading: Promise.resolve(), read: async () => new Map() },
    quiet: new AbortController(),
    cut: new AbortController(),
    halt: new AbortController(),
    adapters: {
      poll: async () => {
        polls.push(new Date());
        return answer;
      },
    },
    writer: { write: async (_claim: unknown, write: PlanWrite) => void writes.push(write) },
    metrics: { taskEnded: () => undefined },
    now: () => new Date(),
  } as unknown as PlanRun;
  const task = {
    taskId: "provision:a",
    action: "PROVISION",
    status: "RUNNING",
    adapterUrl: "http://adapter",
    registeredUrl: "http://adapter",
    idempotencyKey: "p:provision:a",
    taskTimeoutMs,
    callTimeoutMs: 1_000,
    startedAt,
    seenLogs: new Set(),
  } as unknown as TaskState;
  return { run, task, writes, polls };
}

it("what an adapter asks to wait ends with the time of the task", async () => {
  const busy: PollAnswer = {
    type: "fault",
    reason: "server_error",
    requestSent: true,
    retryable: true,
    retryAfterMs: 3_600_000,
    message: "come back in an hour",
  };
  const { run, task, writes, polls } = followedBy(busy);
  const end = new Date(startedAt.getTime() + taskTimeoutMs);
  let endedAt: Date | null = null;
  const done = follow(run, task, { token: "x", acceptedAt: startedAt }).then(() => (endedAt = new Date()));
  await vi.advanceTimersByTimeAsync(2 * 3_600_000);
  await done;
  expect(endedAt).toEqual(end);
  expect(polls).toHaveLength(1);
  const changes = writes.flatMap((write) => write.changes);
  expect(changes.map(({ status, waiting }) => [status, waiting?.nextAttemptAt])).toEqual([
    ["RUNNING", end.toISOString()],
    ["FAILED", undefined],
  ]);
  expect(changes[1]?.result).toBe("The time limit of the task (60000 ms) ran out.");
});
