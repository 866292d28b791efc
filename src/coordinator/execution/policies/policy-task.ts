/**
 * Runs the tasks that check a plan's policies. The task of the unit has all of them evaluated, once for the
 * plan, and stores the verdict before any of the tasks ends; the tasks of components read it there. So a plan
 * that another worker takes over keeps its verdict.
 */
import { Failure } from "../../../platform/errors/failure.ts";
import { systemContext } from "../../../platform/lib/request-context.ts";
import type { PolicyVerdict } from "../../ports.ts";
import { endCut, fail, label } from "../tasks/ends.ts";
import { Interrupted, pause, phaseOf, step, type PlanRun, type TaskState } from "../tasks/plan-run.ts";
import { isTerminal } from "../transitions.ts";
import type { LogLine } from "../types.ts";
import {
  findingsInfo,
  findingsOf,
  findingsText,
  heldText,
  someOf,
  storedVerdict,
  unavailable,
  verdictIn,
  type Findings,
  type StoredVerdict,
} from "./verdict.ts";

/** Evaluates, or waits for the task that does, and ends by what the policies say about the task's component. */
export async function runPolicyTask(run: PlanRun, task: TaskState): Promise<void> {
  const lead = leadOf(run);
  if (task === lead) return runLead(run, task);
  if (task.status === "WAITING") {
    if (!(await untilDecided(run, lead))) return;
    await step(run, task, "start", { startedAt: run.now() });
  }
  const verdict = verdictIn(lead?.info ?? null);
  if (verdict === null) {
    await fail(run, task, "The policies of the plan were not evaluated.");
    return;
  }
  await conclude(run, task, { verdict, findings: findingsOf(verdict, (key) => key === task.componentKey) });
}

/** The task of the unit is the first. */
const leadOf = (run: PlanRun): TaskState | undefined =>
  [...run.tasks.values()].find(({ action }) => action === "POLICY_VALIDATE_COMPONENT");

async function runLead(run: PlanRun, task: TaskState): Promise<void> {
  try {
    if (run.cut.signal.aborted) return await endCut(run, task);
    const stored = verdictIn(task.info);
    const decided = stored ?? (await decide(run, task));
    if (decided === null) return await endCut(run, task);
    run.policies.decided.resolve();
    const others = new Set(
      [...run.tasks.values()]
        .filter((each) => each !== task && each.action === "POLICY_VALIDATE_COMPONENT")
        .map(({ componentKey }) => componentKey),
    );
    // What belongs to no other task is reported here, so that nothing is lost.
    const findings = findingsOf(decided, (key) => !others.has(key));
    await conclude(run, task, { verdict: decided, findings });
  } catch (error) {
    // The others end as this one does: where the plan is released, they are left for the next worker as well.
    run.policies.decided.reject(error);
    throw error;
  } finally {
    run.policies.decided.resolve();
  }
}

/** False when the plan starts nothing more. */
async function untilDecided(run: PlanRun, lead: TaskState | undefined): Promise<boolean> {
  const { signal } = run.noMoreStarts;
  if (lead && !isTerminal(lead.status) && verdictIn(lead.info) === null) {
    const { promise: stopped, resolve: onStop } = Promise.withResolvers<void>();
    const stop = (): void => onStop();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    await Promise.race([run.policies.decided.promise, stopped]);
    signal.removeEventListener("abort", stop);
  }
  return !signal.aborted;
}

/** Evaluates and stores the verdict; null when the plan was cut meanwhile. */
async function decide(run: PlanRun, task: TaskState): Promise<StoredVerdict | null> {
  await step(run, task, "start", {
    intentAt: run.now(),
    attempts: task.attempts + 1,
    ...(task.startedAt ? {} : { startedAt: run.now() }),
  });
  const evaluated = await evaluate(run, task);
  if (evaluated === null) return null;
  const { verdict, report } = evaluated;
  const result = report === undefined ? {} : { result: JSON.stringify(report) };
  await step(run, task, "note", { info: { verdict }, ...result });
  return verdict;
}

interface Evaluated {
  verdict: StoredVerdict;
  report?: object;
}

/** Longest wait between two attempts. */
const longestWaitMs = 5_000;

/** Tries for as long as an adapter that can't be reached is tried. Null when the plan was cut meanwhile. */
async function evaluate(run: PlanRun, task: TaskState): Promise<Evaluated | null> {
  const { limits, policies, plan } = run;
  if (policies.evaluate === undefined)
    return { verdict: { ...nothing, unavailable: "Governance is switched off in this process." } };
  const previous = await policies.readDeployed();
  const since = run.now();
  for (let delayMs = limits.retryDelayMs; ; delayMs = Math.min(delayMs * 2, longestWaitMs)) {
    const answer = await ask(run, task, previous);
    if (run.halt.signal.aborted) throw new Interrupted();
    if (run.cut.signal.aborted) return null;
    if (typeof answer !== "string") return { verdict: storedVerdict(answer), report: answer.report };
    // Another worker evaluates again.
    if (run.quiet.signal.aborted) throw new Interrupted();
    const leftMs = since.getTime() + limits.connectRetryMs - run.now().getTime();
    if (leftMs <= 0) {
      run.log.warn({ planId: plan.id, reason: answer }, "the policies of a plan could not be evaluated");
      return { verdict: { ...nothing, unavailable: answer } };
    }
    const waitMs = Math.min(delayMs, leftMs);
    await step(run, task, "note", {
      waiting: {
        reason: answer,
        since: since.toISOString(),
        nextAttemptAt: new Date(run.now().getTime() + waitMs).toISOString(),
        attempts: task.attempts,
        next: "The policies are evaluated again.",
      },
      logLine: { severity: "WARNING", message: `${label(task)}: ${answer} Trying again in ${waitMs} ms.` },
    });
    await pause(run, waitMs, true);
    if (run.cut.signal.aborted) return null;
  }
}

const nothing = { fingerprint: "", results: [], held: {} };

/** One evaluation within the time of one call; a text when it could not be done. */
async function ask(run: PlanRun, task: TaskState, previous: object | null): Promise<PolicyVerdict | string> {
  const { plan, policies } = run;
  const { promise: stopped, resolve: onStop } = Promise.withResolvers<string>();
  const over = new AbortController();
  const tooLong = `The policies were not evaluated within ${task.callTimeoutMs} ms.`;
  const timer = setTimeout(() => over.abort(), task.callTimeoutMs);
  const signal = AbortSignal.any([run.endsCalls, run.quiet.signal, over.signal]);
  const stop = (): void => onStop(tooLong);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const ctx = {
    ...systemContext(run.log, run.now),
    traceparent: task.traceparent ?? plan.traceparent,
    signal,
  };
  const request = {
    unitId: plan.unitId ?? "",
    environment: plan.environment,
    descriptor: plan.request.descriptor ?? {},
    previous,
    componentIds: componentIds(run, task),
    scope: plan.kind === "VALIDATION" ? ("validation" as const) : ("plan" as const),
    withinMs: task.callTimeoutMs,
  };
  try {
    return await Promise.race([policies.evaluate!(ctx, request), stopped]);
  } catch (error) {
    if (error instanceof Failure) return error.message;
    run.log.error({ planId: plan.id, error }, "policies were not evaluated because of an internal error");
    return "The policies could not be evaluated because of an internal error.";
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

const componentIds = (run: PlanRun, lead: TaskState): string[] =>
  [...run.tasks.values()].flatMap((task) =>
    task !== lead && task.action === "POLICY_VALIDATE_COMPONENT" ? (task.componentId ?? []) : [],
  );

interface Conclusion {
  verdict: StoredVerdict;
  findings: Findings;
}

/** Ends the task by its findings. The result of the task that evaluated stays the report of the unit. */
async function conclude(run: PlanRun, task: TaskState, { verdict, findings }: Conclusion): Promise<void> {
  const { unavailable: why } = verdict;
  const { evaluate: isOn, onUnavailable } = run.policies;
  const all = why === undefined ? findings : unavailable(why, isOn === undefined || onUnavailable === "warn");
  const { problems, warnings, held } = all;
  const isLead = verdictIn(task.info) !== null;
  const change = {
    stoppedAt: run.now(),
    info: { ...findingsInfo(all), ...(isLead ? { verdict } : {}) },
    ...(isLead && why === undefined ? {} : { result: findingsText(all) }),
    logLines: warnings.map((message) => warningLine(run, task, message)),
  };
  if (problems.length > 0) {
    const message = `${label(task)} failed: ${someOf(problems)}`;
    return step(run, task, "fail", { ...change, logLine: { severity: "ERROR", message } });
  }
  const message = `${label(task)}: ${heldText(held)}${warnings.length > 0 ? `, ${warnings.length} warned` : ""}.`;
  return step(run, task, "succeed", { ...change, logLine: { severity: "INFO", message } });
}

const warningLine = (run: PlanRun, task: TaskState, message: string): LogLine => ({
  at: run.now(),
  severity: "WARNING",
  taskId: task.taskId,
  phase: phaseOf(task),
  message: `${label(task)}: ${message}`,
});
