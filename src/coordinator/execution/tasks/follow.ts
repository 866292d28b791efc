/** Follows accepted work: polls its token, and asks the adapter to stop it when the plan is cut. */
import type {
  Done,
  PollAnswer,
  PollValidationAnswer,
  TerminateAnswer,
} from "../../adapters/protocol/answers.ts";
import { askAboutWork } from "./addresses.ts";
import { createElapsed } from "../../../platform/lib/elapsed.ts";
import { conclude, endCut, endTerminated, fail, failRefused, failureOf, freshLogs, succeed } from "./ends.ts";
import { Interrupted, pause, step, type PlanRun, type TaskState } from "./plan-run.ts";
import type { Polled as Paced } from "./poll-pace.ts";
import { taskKinds } from "./task-kinds.ts";

export interface Followed {
  token: string;
  /** When the adapter accepted the work; after a restart the start of the task is used instead. */
  acceptedAt?: Date;
}

export async function follow(run: PlanRun, task: TaskState, at: Followed): Promise<void> {
  task.mayHaveActed = true;
  const polling = newPolling(run, task, at);
  let faults: Faults | null = null;
  if (task.status === "WAITING")
    throw new Error(`The task ${task.taskId} has a token but was never started.`);
  for (;;) {
    if (run.cut.signal.aborted) return stopWork(run, task, at);
    await untilDue(run, polling);
    if (run.cut.signal.aborted) return stopWork(run, task, at);
    if (polling.elapsedMs() >= polling.endMs)
      return fail(run, task, `The time limit of the task (${task.taskTimeoutMs} ms) ran out.`);
    // A cut aborts a hanging poll, so that the adapter can be asked to stop within the grace time.
    const signal = run.endsCalls;
    const answer = await poll(run, task, { token: at.token, timeoutMs: task.callTimeoutMs, signal });
    if (run.halt.signal.aborted) throw new Interrupted();
    if (run.cut.signal.aborted && answer.type === "fault") return stopWork(run, task, at);
    const askedMs = polling.elapsedMs();
    if (answer.type === "done" && answer.status === "COMPLETED") run.pace.learn(polling.kind, askedMs);
    if (await settle(run, task, answer)) return;
    run.pace.asked(polling, askedMs);
    polling.restMs = answer.type === "fault" ? (answer.retryAfterMs ?? 0) : 0;
    faults = await noteProgress(run, task, { answer, faults, polling });
  }
}

/**
 * A Retry-After of the adapter (`restMs`) overrides an earlier due time. At `endMs` the time limit of the task is over; both
 * it and due times are since the work was accepted.
 */
type Polling = Paced & { elapsedMs: () => number; restMs: number; endMs: number };

function newPolling(run: PlanRun, task: TaskState, { acceptedAt }: Followed): Polling {
  const since = (acceptedAt ?? task.startedAt ?? run.now()).getTime();
  const elapsedMs = createElapsed(() => run.now().getTime(), since);
  const kind = `${task.adapterUrl}|${task.action}`;
  const endMs = task.startedAt === null ? Infinity : task.startedAt.getTime() + task.taskTimeoutMs - since;
  const paced = { kind, seed: task.idempotencyKey, askedMs: elapsedMs(), polls: 0, hints: 0 };
  return { ...paced, elapsedMs, restMs: 0, endMs };
}

/** Durations of other tasks may make a poll due earlier, so a long wait checks again at this interval. */
const lookAgainMs = 250;

async function untilDue(run: PlanRun, polling: Polling): Promise<void> {
  while (!run.cut.signal.aborted) {
    const leftMs = Math.ceil(dueMs(run, polling) - polling.elapsedMs());
    if (leftMs <= 0) return;
    await pause(run, Math.min(leftMs, lookAgainMs), true);
  }
}

/** When the next poll is due, no later than the task's end, in milliseconds since the work was accepted. */
const dueMs = (run: PlanRun, polling: Polling): number =>
  Math.min(Math.max(run.pace.dueMs(polling, run.limits), polling.askedMs + polling.restMs), polling.endMs);

interface Poll {
  token: string;
  timeoutMs: number;
  signal: AbortSignal;
}
type Polled = PollAnswer | PollValidationAnswer;

function poll(run: PlanRun, task: TaskState, { token, timeoutMs, signal }: Poll): Promise<Polled> {
  const { idempotencyKey, adapterId, traceparent = run.plan.traceparent } = task;
  const { call } = taskKinds[task.action];
  if (call === "service" || call === "policies")
    throw new Error(`The task ${task.taskId} has nothing to poll.`);
  return askAboutWork<Polled>(run, task, (url) => {
    const at = { url, adapterId, idempotencyKey, traceparent, timeoutMs, signal };
    return call === "validation"
      ? run.adapters.pollValidation(at, token)
      : run.adapters.poll(at, token, call);
  });
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
      await failRefused(run, task, answer);
      return true;
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

/** Consecutive failed polls. */
interface Faults {
  count: number;
  since: string;
}

/**
 * Writes the result of a poll: new log lines; a fault as the reason to wait, which the next success clears.
 */
async function noteProgress(
  run: PlanRun,
  task: TaskState,
  { answer, faults, polling }: { answer: Polled; faults: Faults | null; polling: Polling },
): Promise<Faults | null> {
  if (answer.type === "fault") {
    const { count, since } = faults ?? { count: 0, since: run.now().toISOString() };
    const attempts = count + 1;
    const leftMs = Math.max(0, dueMs(run, polling) - polling.elapsedMs());
    const nextAttemptAt = new Date(run.now().getTime() + leftMs).toISOString();
    const message = `A poll did not succeed and is repeated: ${answer.message}`;
    await step(run, task, "note", {
      waiting: { reason: `Polling goes on: ${answer.message}`, since, attempts, nextAttemptAt },
      // Consecutive faults are logged once.
      logLine: attempts === 1 ? { severity: "WARNING", message } : undefined,
    });
    return { count: attempts, since };
  }
  const logLines =
    answer.type === "running" || answer.type === "terminating" ? freshLogs(task, answer.logs, run.now()) : [];
  if (logLines.length > 0 || faults !== null) await step(run, task, "note", { logLines });
  return null;
}

/** Shortest timeout of a call at the end of the grace time. */
const shortestCallMs = 100;

/** Asks the adapter to stop the work, and polls within the grace time until it has. */
async function stopWork(run: PlanRun, task: TaskState, at: Followed): Promise<void> {
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
  const { signal } = run.halt;
  const { idempotencyKey, adapterId, traceparent = run.plan.traceparent } = task;
  const call = { adapterId, idempotencyKey, traceparent, signal };
  const answer = await askAboutWork<TerminateAnswer>(run, task, (url) =>
    run.adapters.terminate({ ...call, url, timeoutMs: timeoutMs() }, at.token),
  );
  if (run.halt.signal.aborted) throw new Interrupted();
  if (answer.type === "done") return end(run, task, answer);
  if (!("logs" in answer)) return endTerminated(run, task, answer.message);
  let delayMs = run.limits.pollInitialMs;
  while (run.now().getTime() < graceEndsAt) {
    await pause(run, Math.min(delayMs, Math.max(0, graceEndsAt - run.now().getTime())), false);
    const next = await poll(run, task, { token: at.token, timeoutMs: timeoutMs(), signal });
    if (run.halt.signal.aborted) throw new Interrupted();
    if (await settle(run, task, next)) return;
    delayMs = Math.min(delayMs * run.limits.pollFactor, run.limits.pollMaxMs);
  }
  await endTerminated(run, task, `The adapter did not stop within ${run.limits.terminateGraceMs} ms.`);
}
