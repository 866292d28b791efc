/**
 * Asks adapters again about unknown outcomes, by the clock: polls the token, or repeats the identical call where the adapter
 * declares that this is safe. A retry is counted before it is made, so a process that is killed delays the next one and never
 * makes two at once.
 */
import { startRounds } from "../../../platform/jobs/rounds.ts";
import { systemContext } from "../../../platform/lib/request-context.ts";
import { counted } from "../../../platform/lib/check.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import { inSpan, type SpanStart } from "../../../platform/telemetry/spans.ts";
import type { AdapterOperation, PollAnswer } from "../../adapters/protocol/answers.ts";
import type { CoordinatorContext, CoordinatorDeps } from "../../context.ts";
import type { CoordinatorCode } from "../../errors.ts";
import { storedBody } from "./stored-body.ts";
import type { TaskAction } from "../../execution/types.ts";
import { taskKinds } from "../../execution/tasks/task-kinds.ts";
import type { OutcomeRow } from "./entry.ts";
import { mayRepeat, pollToken, refuseWhenChanged, settleByAnswer } from "./service.ts";
import {
  beginRepeat,
  claimRetry,
  endRepeat,
  endRetries,
  findDueRetries,
  postponeRetry,
  storeToken,
} from "./store.ts";

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
/** Longest time until one that could not be asked about is looked at again. */
const postponeMs = 60_000;
/** Longest time that a repeated call takes besides its time limit. */
const besideCallMs = 5_000;
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
    const span: SpanStart<"work"> = {
      name: `work ${workName}`,
      parent: row.traceparent,
      attributes: () => ({ "plinth.work.name": workName }),
    };
    // One that fails must not keep the others from being asked.
    await inSpan("work", span, () => retry(ctx, row)).catch((error: Error) =>
      log.warn({ ...factsOf(row), reason: error.message }, "an unknown outcome could not be asked about"),
    );
  }
}

const factsOf = ({ planId, taskId }: OutcomeRow) => ({ planId, taskId });

/** Only calls are counted: what cannot be asked about now is put off, and what never can be is ended. */
async function retry(ctx: CoordinatorContext, row: OutcomeRow): Promise<void> {
  const { database, settings } = ctx.coordinator;
  const delays = settings.outcomeRetryDelaysMs;
  if (row.retries >= delays.length) return endRetries(database.db, row, askedText(row.retries));
  const attempt = await prepare(ctx, row).catch(async (error: Error) => {
    await postpone(ctx, row, "The call could not be prepared; the log has the cause.");
    throw error;
  });
  if ("ended" in attempt) return endRetries(database.db, row, attempt.ended);
  if ("waiting" in attempt) return postpone(ctx, row, attempt.waiting);
  const made = row.retries + 1;
  // After the last one the time is that of its end, should this process be killed meanwhile.
  const nextRetryAt = new Date(ctx.now().getTime() + (delays[made] ?? settings.adapterCallTimeoutMs(row)));
  if (!(await claimRetry(database.db, { ...factsOf(row), retries: row.retries, nextRetryAt }))) return;
  await askAndSettle(ctx, row, { made, ask: attempt.ask });
  if (made >= delays.length) await endRetries(database.db, row, askedText(made));
}

const askedText = (count: number): string =>
  `The adapter was asked ${counted(count, "time")} and is not asked again.`;

function postpone(ctx: CoordinatorContext, row: OutcomeRow, why: string): Promise<void> {
  const { database, settings } = ctx.coordinator;
  const delayMs = Math.min(settings.outcomeRetryDelaysMs[row.retries] ?? postponeMs, postponeMs);
  const nextRetryAt = new Date(ctx.now().getTime() + delayMs);
  return postponeRetry(database.db, { ...factsOf(row), retries: row.retries, nextRetryAt }, why);
}

async function askAndSettle(
  ctx: CoordinatorContext,
  row: OutcomeRow,
  { made, ask }: Call & { made: number },
): Promise<void> {
  const settle = async (answer: PollAnswer): Promise<void> => {
    const { state } = await settleByAnswer(ctx, row, { answer, isByClock: true });
    if (state === "SETTLED") ctx.log.info(factsOf(row), "an unknown outcome was settled by its adapter");
    else if (answer.type === "token-unknown")
      await endRetries(ctx.coordinator.database.db, row, "The adapter does not know the token any more.");
  };
  try {
    await ask({ made, settle });
  } catch (error) {
    // Settled meanwhile, or the unit is at work: its plan settles it, or the next retry does.
    if (!isConflict(error)) throw error;
    ctx.log.debug({ ...factsOf(row), reason: error.message }, "an unknown outcome could not be settled yet");
  }
}

/** A call that may be made; what it brings is given to `settle`, unless there is nothing to settle yet. */
interface Call {
  ask: (retry: Retry) => Promise<void>;
}

interface Retry {
  /** Retries up to and with this one. */
  made: number;
  settle: (answer: PollAnswer) => Promise<void>;
}

/** Or why none may be made: for now, or ever. */
type Prepared = Call | { waiting: string } | { ended: string };

async function prepare(ctx: CoordinatorContext, row: OutcomeRow): Promise<Prepared> {
  try {
    if (row.token === null) return await prepareRepeat(ctx, row);
    if (row.adapterUrl === null) return { ended: "The address that has accepted the call is not known." };
    await refuseWhenChanged(ctx.coordinator.database.db, row);
    return { ask: (asked) => pollOrRepeat(ctx, row, asked) };
  } catch (error) {
    if (!isConflict(error)) throw error;
    const isFinal = error.code === ("COORD_OUTCOME_SUPERSEDED" satisfies CoordinatorCode);
    return isFinal ? { ended: error.message } : { waiting: error.message };
  }
}

const isConflict = (error: unknown): error is Failure =>
  error instanceof Failure && error.kind === "conflict";

async function pollOrRepeat(ctx: CoordinatorContext, row: OutcomeRow, asked: Retry): Promise<void> {
  const answer = await pollToken(ctx, row);
  if (answer.type !== "token-unknown" || !row.isRepeatable) return asked.settle(answer);
  const repeat = await prepareRepeat(ctx, row);
  if ("ask" in repeat) return repeat.ask(asked);
  if ("ended" in repeat) await asked.settle(answer);
}

/** The same bytes under the same key, at the address that got them before. */
async function prepareRepeat(ctx: CoordinatorContext, row: OutcomeRow): Promise<Prepared> {
  const { call } = taskKinds[row.action as TaskAction];
  const { adapterUrl: url } = row;
  if (url === null || call === "validation" || call === "service" || call === "policies")
    return { ended: "Its call cannot be repeated." };
  // Nothing is put off where that has settled it.
  if (!(await mayRepeat(ctx, row))) return { waiting: "A later change of access to the component is open." };
  const body = await storedBody(ctx.coordinator.database, factsOf(row));
  if (body === null) return { ended: "Its call cannot be repeated: its task is not stored any more." };
  return {
    ask: (asked) =>
      repeatAlone(ctx, row, { ...asked, repeat: () => repeatCall(ctx, row, { call, url, body }) }),
  };
}

/** No plan of the unit begins before it is settled; where one has been accepted since that was looked at, nothing is repeated. */
async function repeatAlone(
  ctx: CoordinatorContext,
  row: OutcomeRow,
  { made, settle, repeat }: Retry & { repeat: () => Promise<PollAnswer> },
): Promise<void> {
  const { database, settings } = ctx.coordinator;
  const limitMs = settings.adapterCallTimeoutMs(row) + besideCallMs;
  if (!(await beginRepeat(database.db, row, { made, limitMs }))) return;
  try {
    if (await mayRepeat(ctx, row)) await settle(await repeat());
  } finally {
    // Where this is refused its time ends it.
    await endRepeat(database.db, row, made).catch(({ message }: Error) =>
      ctx.log.warn({ ...factsOf(row), reason: message }, "the end of a repeated call could not be written"),
    );
  }
}

async function repeatCall(
  { coordinator: { database, adapters, settings }, signal }: CoordinatorContext,
  row: OutcomeRow,
  { call, url, body }: { call: AdapterOperation; url: string; body: Buffer[] },
): Promise<PollAnswer> {
  const { adapterId, idempotencyKey, traceparent } = row;
  const timeoutMs = settings.adapterCallTimeoutMs(row);
  const answer = await adapters.start(
    { url, adapterId, idempotencyKey, traceparent, timeoutMs, signal },
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
