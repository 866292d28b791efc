/**
 * Asks adapters again about unknown outcomes, by the clock: polls the token, or repeats the identical call where the adapter
 * declares that this is safe. A retry is counted before it is made, so a process that is killed delays the next one and never
 * makes two at once.
 */
import { startRounds } from "../../../platform/jobs/rounds.ts";
import { systemContext } from "../../../platform/lib/request-context.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import { inSpan, type SpanStart } from "../../../platform/telemetry/spans.ts";
import type { PollAnswer } from "../../adapters/protocol/answers.ts";
import type { CoordinatorContext, CoordinatorDeps } from "../../context.ts";
import { storedBody } from "./stored-body.ts";
import type { TaskAction } from "../../execution/types.ts";
import { taskKinds } from "../../execution/tasks/task-kinds.ts";
import type { OutcomeRow } from "./entry.ts";
import { mayRepeat, pollToken, settleByAnswer } from "./service.ts";
import { claimRetry, endRetries, findDueRetries, storeToken } from "./store.ts";

interface RetryDeps {
  coordinator: CoordinatorDeps;
  log: Logger;
  now: () => Date;
  /** Aborted when the process stops. */
  signal: AbortSignal;
}

/** Entries of one round; others come in the next. */
const maxAtOnce = 20;

const idleMs = 2_000;
const workName = "unknown outcomes";

export function startRetries(deps: Omit<RetryDeps, "signal">): { close(): Promise<void> } {
  const halt = new AbortController();
  const rounds = startRounds({
    round: () => retryRound({ ...deps, signal: halt.signal }),
    idleMs,
    log: deps.log,
    what: "unknown outcomes",
  });
  return {
    async close() {
      halt.abort();
      await rounds.close();
    },
  };
}

async function retryRound({ coordinator, log, now, signal }: RetryDeps): Promise<"idle" | void> {
  const delays = coordinator.settings.outcomeRetryDelaysMs;
  const [firstDelayMs] = delays;
  if (firstDelayMs === undefined) return "idle";
  const ctx = { ...systemContext(log, now), signal, coordinator };
  const due = await findDueRetries(coordinator.database.db, { at: now(), firstDelayMs, limit: maxAtOnce });
  if (due.length === 0) return "idle";
  for (const row of due) {
    if (signal.aborted) return;
    if (!(await claimRetry(coordinator.database.db, claimOf(row, delays, now())))) continue;
    const span: SpanStart<"work"> = {
      name: `work ${workName}`,
      parent: row.traceparent,
      attributes: () => ({ "plinth.work.name": workName }),
    };
    await inSpan("work", span, () => retry(ctx, row));
  }
}

function claimOf({ planId, taskId, retries }: OutcomeRow, delays: readonly number[], at: Date) {
  const delayMs = delays[retries + 1];
  const nextRetryAt = delayMs === undefined ? null : new Date(at.getTime() + delayMs);
  const ended =
    nextRetryAt === null ? `The adapter was asked ${retries + 1} times and is not asked again.` : null;
  return { planId, taskId, retries, nextRetryAt, ended };
}

async function retry(ctx: CoordinatorContext, row: OutcomeRow): Promise<void> {
  const facts = { planId: row.planId, taskId: row.taskId };
  try {
    const answer = await ask(ctx, row);
    if (answer === null) return;
    const { state } = await settleByAnswer(ctx, row, { answer, auditOperation: "retryUnknownOutcome" });
    if (state === "SETTLED") ctx.log.info(facts, "an unknown outcome was settled by its adapter");
    else if (answer.type === "token-unknown")
      await endRetries(ctx.coordinator.database.db, row, "The adapter does not know the token any more.");
  } catch (error) {
    // Settled meanwhile, or the unit is at work: its plan settles it, or the next retry does.
    if (!(error instanceof Failure) || error.kind !== "conflict") throw error;
    ctx.log.debug({ ...facts, reason: error.message }, "an unknown outcome could not be settled yet");
  }
}

/** Null where there is nothing to settle yet. */
async function ask(ctx: CoordinatorContext, row: OutcomeRow): Promise<PollAnswer | null> {
  if (row.token === null) return repeatCall(ctx, row);
  const answer = await pollToken(ctx, row);
  return answer.type === "token-unknown" && row.isRepeatable ? repeatCall(ctx, row) : answer;
}

/** The same bytes under the same key, at the address that got them before. */
async function repeatCall(ctx: CoordinatorContext, row: OutcomeRow): Promise<PollAnswer | null> {
  const { database, adapters, settings } = ctx.coordinator;
  const { call } = taskKinds[row.action as TaskAction];
  if (row.adapterUrl === null || call === "validation" || call === "service" || call === "policies")
    return null;
  if (!(await mayRepeat(ctx, row))) return null;
  const body = await storedBody(database, { planId: row.planId, taskId: row.taskId });
  if (body === null) return null;
  const { adapterUrl: url, adapterId, idempotencyKey, traceparent } = row;
  const timeoutMs = settings.callTimeoutMs;
  const answer = await adapters.start(
    { url, adapterId, idempotencyKey, traceparent, timeoutMs, signal: ctx.signal },
    call,
    body,
  );
  if (answer.type === "accepted") {
    await storeToken(database.db, row, answer.token);
    return { type: "running", logs: [] };
  }
  if (answer.type !== "unsupported") return answer;
  return {
    type: "fault",
    reason: "server_error",
    requestSent: true,
    retryable: false,
    message: answer.message,
  };
}
