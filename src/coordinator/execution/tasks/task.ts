/** Runs one task from its intent to its end: call, retries, polling, and termination. */
import type { AdapterOperation, Refused, StartAnswer, Unsupported } from "../../adapters/protocol/answers.ts";
import { askForVerdict } from "../../adapters/protocol/client.ts";
import { addressOf } from "./addresses.ts";
import { repeat, retryOf, type Again } from "./attempts.ts";
import { conclude, endCut, fail, failRefused, failureOf, label, succeed } from "./ends.ts";
import { follow } from "./follow.ts";
import { predecessorInfo, step, type BodySource, type PlanRun, type TaskState } from "./plan-run.ts";
import type { TaskRow } from "../types.ts";
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
  else if (call !== "policies") await start(run, task, call);
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
 * A 400 to the first call for a component that was never deployed means that no work has begun: the component
 * keeps its status, and the ledger records that the adapter refused.
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
  // Polls of that token may then report on either task; only the adapter knows which.
  const other = [...run.tasks.values()].find(
    (each) => each !== task && each.token === token && each.adapterUrl === task.adapterUrl,
  );
  const message = `${label(task)}: the adapter gave a token that it has given before, for ${other?.taskId}.`;
  await step(run, task, "note", {
    token,
    acceptedAt,
    ...(other ? { logLine: { severity: "WARNING", message } } : {}),
  });
  await follow(run, task, { token, acceptedAt });
  return null;
}

/** The adapter works but gave no token: only the identical call can be repeated. */
const askAgain = (run: PlanRun): Again => ({
  again: true,
  message: "The adapter is at work but gave no token to poll.",
  delayMs: run.limits.pollInitialMs,
});

async function validate(run: PlanRun, task: TaskState): Promise<void> {
  const body = bodyOf(run, task);
  const isAsync = task.details?.asyncValidation === true;
  const onUnsupported = async (answer: Unsupported): Promise<void> => {
    const message = `${label(task)}: ${answer.message} It is asked by POST /v1/validate instead.`;
    await step(run, task, "note", { logLine: { severity: "WARNING", message } });
  };
  await repeat(run, task, async (url) => {
    const question = { body, isAsync, onUnsupported };
    const answer = await askForVerdict(run.adapters, callOf(run, task, url), question);
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

/** Notifies an external service. It has no tokens: its answer is the outcome. */
async function notify(run: PlanRun, task: TaskState): Promise<void> {
  const body = bodyOf(run, task);
  // A lost or repeated notice needs no settlement, so its outcome never counts as unknown.
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
  adapterId: task.adapterId,
  idempotencyKey: task.idempotencyKey,
  traceparent: task.traceparent ?? run.plan.traceparent,
  timeoutMs: task.callTimeoutMs,
  signal: run.endsCalls,
});

/** The same for the same rows, whoever makes it. */
export function bodyOf(run: BodySource, task: TaskRow): Buffer[] {
  const { body: content } = taskKinds[task.action];
  const stored = task.details?.body;
  if (stored !== undefined) return [Buffer.from(stored)];
  if (content === "stored") throw new TypeError(`The task ${task.taskId} has no body.`);
  const { id: planId, kind, environment, unitId, unitKey, request } = run.plan;
  const { becomes } = taskKinds[task.action];
  const predecessors = predecessorInfo(run, task);
  if (content === "notice")
    return run.bodies.notice({ operation: task.action, planId, environment, unitId, predecessors });
  return run.bodies.call({
    isEnriched: content === "enriched",
    isRetired: becomes === "NOT_DEPLOYED",
    componentId: task.componentId ?? "",
    isRoot: task.componentKey === unitKey,
    // Deployed components keep their data. A validation on its own asks about the whole, so it passes removeData on.
    removeData: request.removeData && (becomes === "NOT_DEPLOYED" || kind === "VALIDATION"),
    predecessors,
  });
}

/** Statuses that show that the adapter has not acted: authentication, path, size, type or rate. */
const untouchedStatuses = new Set([401, 403, 404, 405, 413, 415, 429]);

function isUntouched(answer: StartAnswer): boolean {
  if (answer.type === "unsupported") return true;
  if (answer.type === "refused") return untouchedStatuses.has(answer.status);
  return answer.type === "fault" && answer.status !== undefined && untouchedStatuses.has(answer.status);
}
