/** One task from its intent to its end: the call, its repeats, the polling, and what a cut does to each. */
import type {
  AdapterOperation,
  Refused,
  StartAnswer,
  StartValidationAnswer,
  Unsupported,
} from "../../adapter-protocol/answers.ts";
import { addressOf } from "./addresses.ts";
import { repeat, retryOf, type Again } from "./attempts.ts";
import { conclude, endCut, fail, failRefused, failureOf, label, succeed } from "./ends.ts";
import { follow } from "./follow.ts";
import { predecessorInfo, step, type PlanRun, type TaskState } from "./plan-run.ts";
import { taskKinds } from "./task-kinds.ts";

export async function runTask(run: PlanRun, task: TaskState): Promise<void> {
  if (run.cut.signal.aborted && task.token === null) return endCut(run, task);
  const { call } = taskKinds[task.action];
  if (task.token !== null) return follow(run, task, { token: task.token });
  if (!(await addressOf(run, task))) {
    await step(run, task, "start", { startedAt: run.now() });
    await fail(
      run,
      task,
      `No adapter is registered and enabled for ${task.adapterId ?? "it"} in ${run.plan.environment}.`,
    );
    return;
  }
  if (call === "validation") await validate(run, task);
  else if (call === "service") await notify(run, task);
  else await start(run, task, call);
}

async function start(run: PlanRun, task: TaskState, operation: AdapterOperation): Promise<void> {
  const body = bodyOf(run, task);
  await repeat(run, task, async (url) => {
    const isUntried = !task.mayHaveActed;
    const answer = await run.adapters.start(callOf(run, task, url), operation, body);
    if ((answer.type !== "fault" || answer.requestSent) && !isUntouched(answer)) task.mayHaveActed = true;
    task.outcomeKnown = answer.type === "done" || (answer.type === "refused" && !isUntouched(answer));
    switch (answer.type) {
      case "accepted":
        return accept(run, task, answer.token);
      case "done":
        if (answer.status === "COMPLETED") await succeed(run, task, answer);
        else await fail(run, task, failureOf(answer), { logs: answer.logs });
        return null;
      case "running":
      case "terminating":
        return askAgain(run);
      case "refused":
        await refuse(run, task, { answer, isUntried });
        return null;
      case "unsupported":
        await fail(run, task, answer.message);
        return null;
      default:
        return retryOf(answer);
    }
  });
}

/**
 * A 400 to the first call for a component that was never deployed says that nothing has begun, and there was nothing
 * before: the component stays as it was, and the ledger keeps that the adapter has refused.
 */
async function refuse(
  run: PlanRun,
  task: TaskState,
  { answer, isUntried }: { answer: Refused; isUntried: boolean },
): Promise<void> {
  const refused = answer.status === 400 && isUntried && task.details?.neverDeployed === true;
  if (refused) task.mayHaveActed = false;
  await failRefused(run, task, answer, { refused });
}

async function accept(run: PlanRun, task: TaskState, token: string): Promise<null> {
  const acceptedAt = run.now();
  // What is polled under it may then be about either; only the adapter can tell.
  const other = [...run.tasks.values()].find(
    (each) => each !== task && each.token === token && each.adapterUrl === task.adapterUrl,
  );
  const message = `${label(task)}: the adapter gave a token that it has given before, for ${other?.taskId}.`;
  await step(run, task, "note", { token, ...(other ? { say: { severity: "WARNING", message } } : {}) });
  await follow(run, task, { token, acceptedAt });
  return null;
}

/** An adapter that is at work but gave no token: only the identical call can ask again. */
const askAgain = (run: PlanRun): Again => ({
  again: true,
  message: "The adapter is at work but gave no token to poll.",
  delayMs: run.limits.pollInitialMs,
});

async function validate(run: PlanRun, task: TaskState): Promise<void> {
  const body = bodyOf(run, task);
  await repeat(run, task, async (url) => {
    const answer = await askForVerdict(run, task, { url, body });
    switch (answer.type) {
      case "validated":
        await conclude(run, task, answer);
        return null;
      case "accepted":
        return accept(run, task, answer.token);
      case "running":
      case "terminating":
        return askAgain(run);
      case "refused":
        await failRefused(run, task, answer);
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
async function notify(run: PlanRun, task: TaskState): Promise<void> {
  const body = bodyOf(run, task);
  // A notice that did not arrive, or arrived twice, leaves nothing behind that somebody would have to settle.
  task.outcomeKnown = true;
  await repeat(run, task, async (url) => {
    const answer = await run.services.notify(callOf(run, task, url), task.adapterId ?? "", body);
    if (answer.type === "fault") return retryOf(answer);
    if (answer.type === "refused") await failRefused(run, task, answer);
    else await succeed(run, task, { info: null, logs: [] });
    return null;
  });
}

const callOf = (run: PlanRun, task: TaskState, url: string) => ({
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
  const { becomes } = taskKinds[task.action];
  const predecessors = predecessorInfo(run, task);
  if (content === "notice")
    return run.bodies.notice({ operation: task.action, planId, environment, unitId, predecessors });
  return run.bodies.call({
    isEnriched: content === "enriched",
    isRetired: becomes === "NOT_DEPLOYED",
    componentId: task.componentId ?? "",
    isRoot: task.componentKey === unitKey,
    // What is deployed keeps its data whatever becomes of others; its validation asks about the plan as it was wanted.
    removeData: request.removeData && becomes !== "DEPLOYED",
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
