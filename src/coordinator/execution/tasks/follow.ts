/** Follows a call that the adapter accepted: polls its token, and takes it back when the plan is cut. */
import type { Done, PollAnswer, PollValidationAnswer } from "../../adapter-protocol/answers.ts";
import { conclude, endCut, endTerminated, fail, failureOf, newAdapterLogs, succeed } from "./ends.ts";
import { Interrupted, pause, step, type PlanRun, type TaskState } from "./plan-run.ts";
import type { Polled as Paced } from "../poll-pace.ts";
import { taskKinds } from "./task-kinds.ts";

export interface Followed {
  url: string;
  token: string;
  /** When the adapter accepted the work; unknown after a restart, when the start of the task stands for it. */
  acceptedAt?: Date;
}

export async function follow(run: PlanRun, task: TaskState, at: Followed): Promise<void> {
  task.mayHaveActed = true;
  const polling = newPolling(run, task, at);
  let faults = 0;
  if (task.status === "WAITING")
    throw new Error(`The task ${task.taskId} has a token but was never started.`);
  for (;;) {
    if (run.cut.signal.aborted) return takeBack(run, task, at);
    await untilDue(run, polling);
    if (run.cut.signal.aborted) return takeBack(run, task, at);
    if (isOver(run, task))
      return fail(run, task, `The time limit of the task (${task.taskTimeoutMs} ms) ran out.`);
    // A cut ends a poll that hangs, or the grace time would be over before the adapter is asked to stop.
    const signal = run.endsCalls;
    const answer = await poll(run, task, { ...at, timeoutMs: task.callTimeoutMs, signal });
    if (run.halt.signal.aborted) throw new Interrupted();
    if (run.cut.signal.aborted && answer.type === "fault") return takeBack(run, task, at);
    const askedMs = elapsedMs(run, polling);
    if (answer.type === "done" && answer.status === "COMPLETED") run.pace.learn(polling.kind, askedMs);
    if (await settle(run, task, answer)) return;
    run.pace.asked(polling, askedMs);
    polling.restMs = answer.type === "fault" ? (answer.retryAfterMs ?? 0) : 0;
    faults = await noteProgress(run, task, { answer, faults });
  }
}

/** What the adapter asked for itself goes before any pace. */
type Polling = Paced & { since: number; restMs: number };

function newPolling(run: PlanRun, task: TaskState, { url, acceptedAt }: Followed): Polling {
  const since = (acceptedAt ?? task.startedAt ?? run.now()).getTime();
  const polling = { kind: `${url}|${task.action}`, seed: task.idempotencyKey, since };
  return { ...polling, askedMs: elapsedMs(run, polling), polls: 0, hints: 0, restMs: 0 };
}

const elapsedMs = (run: PlanRun, { since }: { since: number }): number => run.now().getTime() - since;

/** What other tasks show may make a poll due earlier, so a long wait looks again now and then. */
const lookAgainMs = 250;

async function untilDue(run: PlanRun, polling: Polling): Promise<void> {
  while (!run.cut.signal.aborted) {
    const dueMs = Math.max(run.pace.dueMs(polling, run.limits), polling.askedMs + polling.restMs);
    const leftMs = Math.ceil(dueMs - elapsedMs(run, polling));
    if (leftMs <= 0) return;
    await pause(run, Math.min(leftMs, lookAgainMs), true);
  }
}

type Poll = Followed & { timeoutMs: number; signal: AbortSignal };
type Polled = PollAnswer | PollValidationAnswer;

function poll(run: PlanRun, task: TaskState, { url, token, timeoutMs, signal }: Poll): Promise<Polled> {
  const { idempotencyKey } = task;
  const { traceparent } = run.plan;
  const at = { url, idempotencyKey, traceparent, timeoutMs, signal };
  const { call } = taskKinds[task.action];
  if (call === "service") throw new Error(`The task ${task.taskId} has nothing to poll.`);
  return call === "validation" ? run.adapters.pollValidation(at, token) : run.adapters.poll(at, token, call);
}

/** True when the answer ended the task. */
async function settle(run: PlanRun, task: TaskState, answer: Polled): Promise<boolean> {
  switch (answer.type) {
    case "done":
      await end(run, task, answer);
      return true;
    case "validated":
      await conclude(run, task, answer);
      return true;
    case "refused":
    case "token-unknown":
      await fail(run, task, answer.message);
      return true;
    default:
      return false;
  }
}

async function end(run: PlanRun, task: TaskState, done: Done): Promise<void> {
  task.outcomeKnown = true;
  if (done.status === "COMPLETED") return succeed(run, task, done);
  if (done.status === "TERMINATED" && run.ending === "forced")
    return endTerminated(run, task, done.result ?? "The adapter stopped the work.");
  return fail(run, task, failureOf(done), { logs: done.logs });
}

/** Writes what a poll brought: fresh log lines, and a fault when one begins or is over. */
async function noteProgress(
  run: PlanRun,
  task: TaskState,
  { answer, faults }: { answer: Polled; faults: number },
): Promise<number> {
  if (answer.type === "fault") {
    const since = new Date(run.now().getTime()).toISOString();
    if (faults === 0) {
      await step(run, task, "note", {
        waiting: { reason: `Polling goes on: ${answer.message}`, since, attempts: 1 },
        say: { severity: "WARNING", message: `A poll did not succeed and is repeated: ${answer.message}` },
      });
    }
    return faults + 1;
  }
  const moreLogs =
    answer.type === "running" || answer.type === "terminating" ? newAdapterLogs(run, task, answer.logs) : [];
  if (moreLogs.length > 0 || faults > 0) await step(run, task, "note", { moreLogs });
  return 0;
}

const isOver = (run: PlanRun, task: TaskState): boolean =>
  task.startedAt !== null && run.now().getTime() > task.startedAt.getTime() + task.taskTimeoutMs;

/** What a call gets at the very end of the grace time. */
const shortestCallMs = 100;

/** Asks the adapter to stop, and polls within the grace time until it has. */
async function takeBack(run: PlanRun, task: TaskState, at: Followed): Promise<void> {
  if (run.ending === "deadline") return endCut(run, task);
  if (!taskKinds[task.action].canBeStopped) {
    return endTerminated(
      run,
      task,
      "An adapter can't be asked to stop this work; its outcome is left to it.",
    );
  }
  if (task.status === "RUNNING") await step(run, task, "terminating");
  const graceEndsAt = (run.plan.terminateAt?.getTime() ?? run.now().getTime()) + run.limits.terminateGraceMs;
  const timeoutMs = (): number =>
    Math.max(shortestCallMs, Math.min(task.callTimeoutMs, graceEndsAt - run.now().getTime()));
  const call = {
    url: at.url,
    idempotencyKey: task.idempotencyKey,
    traceparent: run.plan.traceparent,
    timeoutMs: timeoutMs(),
    signal: run.halt.signal,
  };
  const answer = await run.adapters.terminate(call, at.token);
  if (run.halt.signal.aborted) throw new Interrupted();
  if (answer.type === "done") return end(run, task, answer);
  if (!("logs" in answer)) return endTerminated(run, task, answer.message);
  let delayMs = run.limits.pollInitialMs;
  while (run.now().getTime() < graceEndsAt) {
    await pause(run, Math.min(delayMs, Math.max(0, graceEndsAt - run.now().getTime())), false);
    const next = await poll(run, task, { ...at, timeoutMs: timeoutMs(), signal: run.halt.signal });
    if (run.halt.signal.aborted) throw new Interrupted();
    if (await settle(run, task, next)) return;
    delayMs = Math.min(delayMs * run.limits.pollFactor, run.limits.pollMaxMs);
  }
  await endTerminated(run, task, `The adapter did not stop within ${run.limits.terminateGraceMs} ms.`);
}
