/** One task from its intent to its end: the call, its repeats, the polling, and what a cut does to each. */
import type {
  AdapterOperation,
  Fault,
  Refused,
  StartAnswer,
  StartValidationAnswer,
  Unsupported,
} from "../../adapter-protocol/answers.ts";
import { conclude, endCut, fail, failureOf, label, succeed } from "./ends.ts";
import { follow } from "./follow.ts";
import { Interrupted, pause, predecessorInfo, step, type PlanRun, type TaskState } from "./plan-run.ts";
import { taskKinds } from "./task-kinds.ts";

export async function runTask(run: PlanRun, task: TaskState): Promise<void> {
  if (run.cut.signal.aborted && task.token === null) return endCut(run, task);
  const { adapterUrl: url, token } = task;
  if (!url) {
    await step(run, task, "start", { startedAt: run.now() });
    await fail(
      run,
      task,
      `No adapter is registered and enabled for ${task.adapterId ?? "it"} in ${run.plan.environment}.`,
    );
    return;
  }
  const { call } = taskKinds[task.action];
  if (token !== null) await follow(run, task, { url, token });
  else if (call === "validation") await validate(run, task, url);
  else if (call === "service") await notify(run, task, url);
  else await start(run, task, { url, operation: call });
}

async function start(
  run: PlanRun,
  task: TaskState,
  { url, operation }: { url: string; operation: AdapterOperation },
): Promise<void> {
  const body = bodyOf(run, task);
  await repeat(run, task, async () => {
    const answer = await run.adapters.start(callOf(run, task, url), operation, body);
    if ((answer.type !== "fault" || answer.requestSent) && !isUntouched(answer)) task.mayHaveActed = true;
    task.outcomeKnown = answer.type === "done" || (answer.type === "refused" && !isUntouched(answer));
    switch (answer.type) {
      case "accepted":
        return accept(run, task, { url, token: answer.token });
      case "done":
        if (answer.status === "COMPLETED") await succeed(run, task, answer);
        else await fail(run, task, failureOf(answer), { logs: answer.logs });
        return null;
      case "running":
      case "terminating":
        return askAgain(run);
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

async function accept(run: PlanRun, task: TaskState, at: { url: string; token: string }): Promise<null> {
  const { token, url } = at;
  const acceptedAt = run.now();
  // What is polled under it may then be about either; only the adapter can tell.
  const other = [...run.tasks.values()].find(
    (each) => each !== task && each.token === token && each.adapterUrl === url,
  );
  const message = `${label(task)}: the adapter gave a token that it has given before, for ${other?.taskId}.`;
  await step(run, task, "note", { token, ...(other ? { say: { severity: "WARNING", message } } : {}) });
  await follow(run, task, { ...at, acceptedAt });
  return null;
}

/** An adapter that is at work but gave no token: only the identical call can ask again. */
const askAgain = (run: PlanRun): Again => ({
  again: true,
  message: "The adapter is at work but gave no token to poll.",
  delayMs: run.limits.pollInitialMs,
});

async function validate(run: PlanRun, task: TaskState, url: string): Promise<void> {
  const body = bodyOf(run, task);
  await repeat(run, task, async () => {
    const answer = await askForVerdict(run, task, { url, body });
    switch (answer.type) {
      case "validated":
        await conclude(run, task, answer);
        return null;
      case "accepted":
        return accept(run, task, { url, token: answer.token });
      case "running":
      case "terminating":
        return askAgain(run);
      case "refused":
        await fail(run, task, refusal(answer));
        return null;
      default:
        return retryOf(answer);
    }
  });
}

/** By /v2/validate where the adapter's deployment says so; an adapter that has it not after all is asked as any other. */
async function askForVerdict(
  run: PlanRun,
  task: TaskState,
  { url, body }: { url: string; body: Buffer[] },
): Promise<Exclude<StartValidationAnswer, Unsupported>> {
  if (task.details?.asyncValidation) {
    const answer = await run.adapters.startValidation(callOf(run, task, url), body);
    if (answer.type !== "unsupported") return answer;
    const message = `${label(task)}: ${answer.message} It is asked by POST /v1/validate instead.`;
    await step(run, task, "note", { say: { severity: "WARNING", message } });
  }
  return run.adapters.validate(callOf(run, task, url), body);
}

/** Tells an external service. It has no tokens: what it answers is the outcome. */
async function notify(run: PlanRun, task: TaskState, url: string): Promise<void> {
  const body = bodyOf(run, task);
  // A notice that did not arrive, or arrived twice, leaves nothing behind that somebody would have to settle.
  task.outcomeKnown = true;
  await repeat(run, task, async () => {
    const answer = await run.services.notify(callOf(run, task, url), task.adapterId ?? "", body);
    if (answer.type === "fault") return retryOf(answer);
    if (answer.type === "refused") await fail(run, task, refusal(answer));
    else await succeed(run, task, { info: null, logs: [] });
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
      return fail(run, task, `${sentence(verdict.message)} The time limit of the task ran out.`);
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
        message: `${label(task)}: ${sentence(verdict.message)} Trying again in ${delayMs} ms.`,
      },
    });
    await pause(run, delayMs, true);
    if (run.cut.signal.aborted) return endCut(run, task);
  }
}

/** Adapters end their words as they like. */
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

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

function bodyOf(run: PlanRun, task: TaskState): Buffer[] {
  const { body: content } = taskKinds[task.action];
  const stored = task.details?.body;
  if (stored !== undefined) return [Buffer.from(stored)];
  if (content === "stored") throw new TypeError(`The task ${task.taskId} has no body.`);
  const { id: planId, environment, unitId, unitKey, request } = run.plan;
  const predecessors = predecessorInfo(run, task);
  if (content === "notice")
    return run.bodies.notice({ operation: task.action, planId, environment, unitId, predecessors });
  return run.bodies.call({
    isEnriched: content === "enriched",
    isRetired: taskKinds[task.action].becomes === "NOT_DEPLOYED",
    componentId: task.componentId ?? "",
    isRoot: task.componentKey === unitKey,
    removeData: request.removeData,
    predecessors,
  });
}

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
