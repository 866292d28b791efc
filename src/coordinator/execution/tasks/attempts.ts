/** The retries of one call: when, at which address, after which delay, and when they end. */
import { isUnconnected, type Fault } from "../../adapters/protocol/answers.ts";
import { redactUrl } from "../../../platform/outbound/redact.ts";
import { addressOf, mayMove, movedLine, otherAddress } from "./addresses.ts";
import { endCut, endTerminated, fail, label } from "./ends.ts";
import { Interrupted, isOptional, pause, step, type PlanRun, type TaskState } from "./plan-run.ts";

/** What to do after a call that did not settle its task. */
export interface Again {
  again: boolean;
  message: string;
  delayMs?: number;
  /** No connection could be made. */
  isUnconnected?: boolean;
}

export const retryOf = (fault: Fault): Again => ({
  again: fault.retryable,
  message: fault.message,
  isUnconnected: isUnconnected(fault),
  ...(fault.retryAfterMs === undefined ? {} : { delayMs: fault.retryAfterMs }),
});

/** Repeats the call until it settles the task, within the limits of attempts and time. */
export async function repeat(
  run: PlanRun,
  task: TaskState,
  call: (url: string) => Promise<Again | null>,
): Promise<void> {
  let tries: Tries = { answered: 0, unconnected: 0, unconnectedSince: null };
  for (;;) {
    const url = (await addressOf(run, task)) ?? "";
    await beginAttempt(run, task, url);
    if (run.isTerminated && task.attempts === 1) return endUncalled(run, task);
    const verdict = await call(url);
    if (verdict === null) return;
    if (run.halt.signal.aborted) throw new Interrupted();
    if (run.cut.signal.aborted) return endCut(run, task);
    // The plan does not wait for the receiver of an optional notice.
    const isAway = verdict.isUnconnected === true && !isOptional(task);
    if (isAway) {
      const other = await otherAddress(run, task);
      if (other !== null && mayMove(task)) continue;
      if (other !== null) return fail(run, task, unknownElsewhere(verdict, other));
    }
    tries = isAway
      ? {
          ...tries,
          unconnected: tries.unconnected + 1,
          unconnectedSince: tries.unconnectedSince ?? run.now(),
        }
      : { answered: tries.answered + 1, unconnected: 0, unconnectedSince: null };
    const end = endOfTries(run, { verdict, tries });
    if (end !== null) return fail(run, task, end, { unanswered: true });
    const delayMs = pauseBefore(run, { verdict, tries });
    if (isPast(run, task, delayMs))
      return fail(run, task, `${sentence(verdict.message)} The time limit of the task ran out.`, {
        unanswered: true,
      });
    const since = tries.unconnectedSince ?? run.now();
    await noteWait(run, task, { verdict, delayMs, since });
    task.isRetrying = true;
    await pause(run, delayMs, true);
    if (run.cut.signal.aborted) return endCut(run, task);
  }
}

/** The attempts of one call since this worker claimed the plan. */
interface Tries {
  /** Attempts for which a connection could be made. */
  answered: number;
  /** Later attempts without a connection, and when the first of them was. */
  unconnected: number;
  unconnectedSince: Date | null;
}

async function beginAttempt(run: PlanRun, task: TaskState, url: string): Promise<void> {
  const attempts = task.attempts + 1;
  const message = `${label(task)}: attempt ${attempts}, the same call under the same idempotency key.`;
  const isMoved = url !== task.adapterUrl;
  await step(run, task, "start", {
    intentAt: run.now(),
    attempts,
    mayHaveActed: true,
    logLine: attempts === 1 ? undefined : { severity: "WARNING", message },
    ...(isMoved ? { adapterUrl: url, logLines: [movedLine(run, task, url)] } : {}),
    ...(task.startedAt ? {} : { startedAt: run.now() }),
  });
}

/** A termination that was accepted just before the task's first intent was written is learned by that write: nothing is called. */
async function endUncalled(run: PlanRun, task: TaskState): Promise<void> {
  task.mayHaveActed = false;
  await endTerminated(run, task, "The plan was terminated before its call was made.");
}

const unknownElsewhere = ({ message }: Again, other: string): string =>
  `${sentence(message)} An earlier call may have reached the adapter there, which is registered at ${redactUrl(other)} now: it is not called again.`;

/** Longest wait between two attempts to connect. */
const longestConnectWaitMs = 5_000;

/** Why the call is not tried again; null when it is tried again. */
function endOfTries({ limits, now }: PlanRun, at: { verdict: Again; tries: Tries }): string | null {
  const { verdict, tries } = at;
  if (!verdict.again) return verdict.message;
  if (tries.unconnectedSince === null) return tries.answered >= limits.callAttempts ? verdict.message : null;
  const triedMs = now().getTime() - tries.unconnectedSince.getTime();
  if (triedMs < limits.connectRetryMs) return null;
  return `${sentence(verdict.message)} It was tried for ${limits.connectRetryMs} ms.`;
}

function pauseBefore({ limits, now }: PlanRun, at: { verdict: Again; tries: Tries }): number {
  const { verdict, tries } = at;
  if (verdict.delayMs !== undefined) return verdict.delayMs;
  if (tries.unconnectedSince === null) return limits.retryDelayMs * 2 ** (tries.answered - 1);
  const leftMs = tries.unconnectedSince.getTime() + limits.connectRetryMs - now().getTime();
  const growing = limits.retryDelayMs * 2 ** Math.min(tries.unconnected - 1, 30);
  return Math.max(0, Math.min(growing, longestConnectWaitMs, leftMs));
}

async function noteWait(
  run: PlanRun,
  task: TaskState,
  { verdict, delayMs, since }: { verdict: Again; delayMs: number; since: Date },
): Promise<void> {
  await step(run, task, "note", {
    // The outcome of the attempt is known: a crash during the pause must not make it unknown again.
    mayHaveActed: task.mayHaveActed,
    waiting: {
      reason: verdict.message,
      since: since.toISOString(),
      nextAttemptAt: new Date(run.now().getTime() + delayMs).toISOString(),
      attempts: task.attempts,
    },
    logLine: {
      severity: "WARNING",
      message: `${label(task)}: ${sentence(verdict.message)} Trying again in ${delayMs} ms.`,
    },
  });
}

/** Messages of adapters may lack a full stop. */
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function isPast(run: PlanRun, task: TaskState, delayMs: number): boolean {
  const started = task.startedAt?.getTime() ?? run.now().getTime();
  return run.now().getTime() + delayMs > started + task.taskTimeoutMs;
}
