/** One task from its intent to its end: the call, its repeats, the polling, and what a cut does to each. */
import type { Fault, Refused, StartAnswer, Unsupported } from "../adapter-protocol/answers.ts";
import { endCut, fail, label, succeed } from "./ends.ts";
import { follow } from "./follow.ts";
import { Interrupted, pause, predecessorInfo, step, type PlanRun, type TaskState } from "./plan-run.ts";

export async function runTask(run: PlanRun, task: TaskState): Promise<void> {
  if (run.cut.signal.aborted && task.token === null) return endCut(run, task);
  if (!task.adapterUrl) {
    await step(run, task, "start", { startedAt: run.now() });
    await fail(
      run,
      task,
      `No adapter is registered and enabled for ${task.adapterId ?? "it"} in ${run.plan.environment}.`,
    );
    return;
  }
  if (task.action === "VALIDATE_COMPONENT") await validate(run, task, task.adapterUrl);
  else if (task.token !== null) await follow(run, task, { url: task.adapterUrl, token: task.token });
  else await start(run, task, task.adapterUrl);
}

async function start(run: PlanRun, task: TaskState, url: string): Promise<void> {
  const kind = task.action === "PROVISION" ? "provision" : "unprovision";
  const body = bodyOf(run, task);
  await repeat(run, task, async () => {
    const answer = await run.adapters.start(callOf(run, task, url), kind, body);
    if ((answer.type !== "fault" || answer.requestSent) && !isUntouched(answer)) task.mayHaveActed = true;
    task.outcomeKnown = answer.type === "done" || (answer.type === "refused" && !isUntouched(answer));
    switch (answer.type) {
      case "accepted":
        await step(run, task, "note", { token: answer.token });
        await follow(run, task, { url, token: answer.token });
        return null;
      case "done":
        if (answer.status === "COMPLETED") await succeed(run, task, answer);
        else await fail(run, task, answer.result ?? `The adapter answered ${answer.status}.`, answer.logs);
        return null;
      case "running":
      case "terminating":
        // An adapter that is at work but gave no token: only the identical call can ask again.
        return {
          again: true,
          message: "The adapter is at work but gave no token to poll.",
          delayMs: run.limits.pollInitialMs,
        };
      case "refused":
        await fail(run, task, refusal(answer));
        return null;
      case "unsupported":
        await fail(run, task, answer.message);
        return null;
      default:
        return retryOf(answer);
    }
  });
}

async function validate(run: PlanRun, task: TaskState, url: string): Promise<void> {
  const body = bodyOf(run, task);
  await repeat(run, task, async () => {
    const answer = await run.adapters.validate(callOf(run, task, url), body);
    if (answer.type === "fault") return retryOf(answer);
    if (answer.type === "refused") await fail(run, task, refusal(answer));
    else if (answer.valid) await succeed(run, task, { info: null, logs: answer.logs });
    else await fail(run, task, answer.problems.join(" "), answer.logs);
    return null;
  });
}

interface Again {
  again: boolean;
  message: string;
  delayMs?: number;
}

const retryOf = (fault: Fault): Again => ({
  again: fault.retryable,
  message: fault.message,
  ...(fault.retryAfterMs === undefined ? {} : { delayMs: fault.retryAfterMs }),
});

/** Makes the call until it settles the task, within the attempts and the time that a task has. */
async function repeat(run: PlanRun, task: TaskState, call: () => Promise<Again | null>): Promise<void> {
  const { limits } = run;
  for (let inThisLife = 1; ; inThisLife++) {
    const attempts = task.attempts + 1;
    const say =
      attempts === 1
        ? undefined
        : {
            severity: "WARNING" as const,
            message: `${label(task)}: attempt ${attempts}, the same call under the same idempotency key.`,
          };
    await step(run, task, "start", {
      intentAt: run.now(),
      attempts,
      mayHaveActed: true,
      say,
      ...(task.startedAt ? {} : { startedAt: run.now() }),
    });
    const verdict = await call();
    if (verdict === null) return;
    if (run.halt.signal.aborted) throw new Interrupted();
    if (run.cut.signal.aborted) return endCut(run, task);
    if (!verdict.again || inThisLife >= limits.callAttempts) return fail(run, task, verdict.message);
    const delayMs = verdict.delayMs ?? limits.retryDelayMs * 2 ** (inThisLife - 1);
    if (isPast(run, task, delayMs))
      return fail(run, task, `${verdict.message} The time limit of the task ran out.`);
    await step(run, task, "note", {
      // The outcome is known now: a crash in the pause must not make it look unknown again.
      mayHaveActed: task.mayHaveActed,
      waiting: {
        reason: verdict.message,
        since: run.now().toISOString(),
        nextAttemptAt: new Date(run.now().getTime() + delayMs).toISOString(),
        attempts,
      },
      say: {
        severity: "WARNING",
        message: `${label(task)}: ${verdict.message} Trying again in ${delayMs} ms.`,
      },
    });
    await pause(run, delayMs, true);
    if (run.cut.signal.aborted) return endCut(run, task);
  }
}

export function isPast(run: PlanRun, task: TaskState, delayMs: number): boolean {
  const started = task.startedAt?.getTime() ?? run.now().getTime();
  return run.now().getTime() + delayMs > started + task.taskTimeoutMs;
}

export const callOf = (run: PlanRun, task: TaskState, url: string) => ({
  url,
  idempotencyKey: task.idempotencyKey,
  traceparent: run.plan.traceparent,
  timeoutMs: task.callTimeoutMs,
  signal: run.endsCalls,
});

const bodyOf = (run: PlanRun, task: TaskState): Buffer[] =>
  run.bodyOf({
    action: task.action,
    componentId: task.componentId ?? "",
    componentKey: task.componentKey ?? "",
    isRoot: task.componentKey === run.plan.unitKey,
    removeData: run.plan.request.removeData,
    predecessors: predecessorInfo(run, task),
  });

/** Answers by which an adapter says that it has not looked at the work: who you are, where, or how often. */
const untouchedStatuses = new Set([401, 403, 404, 405, 413, 415, 429]);

function isUntouched(answer: StartAnswer): boolean {
  if (answer.type === "unsupported") return true;
  if (answer.type === "refused") return untouchedStatuses.has(answer.status);
  return answer.type === "fault" && answer.status !== undefined && untouchedStatuses.has(answer.status);
}

function refusal(answer: Refused | Unsupported): string {
  if (answer.type === "unsupported") return answer.message;
  const advice = answer.solutions.length > 0 ? ` What to do: ${answer.solutions.join(" ")}` : "";
  return answer.message + advice;
}
