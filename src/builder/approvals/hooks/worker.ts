/**
 * Runs the hooks in this process: calls third parties and expires overdue hooks. A call that was in progress
 * in a dead worker is repeated with the same request id.
 */
import type { HookSettings } from "../../../platform/config/schema/schema-hooks.ts";
import { inTransaction } from "../../../platform/db/database.ts";
import { startRounds } from "../../../platform/jobs/rounds.ts";
import { openTogether } from "../../../platform/lib/opened.ts";
import { systemActor } from "../../../platform/lib/actor.ts";
import { newId, newTraceparent } from "../../../platform/lib/ids.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { OutboundError, publicMessage } from "../../../platform/outbound/outbound-error.ts";
import type { BuilderDeps } from "../../context.ts";
import { type ActionHandlers, type HookContext, hookQueue } from "./handlers.ts";
import { hashOfRequestId, requestIdOf } from "./request-id.ts";
import { hookSettings, settle } from "./service.ts";
import {
  claimCalls,
  findExpired,
  pruneActions,
  readHook,
  writeCallResult,
  type CallResult,
  type DueCall,
} from "./store.ts";
import { verdictOn, type SentCall, type Verdict } from "./verdict.ts";

export interface HookWorkerOptions {
  builder: Pick<BuilderDeps, "database" | "jobs" | "settings" | "outbound">;
  handlers: ActionHandlers;
  log: Logger;
  now: () => Date;
  /** The worker lease of this process. */
  workerId: string;
}

export interface HookWorker {
  /**
   * Starts no further call; calls in progress may finish within the time, and are otherwise repeated
   * elsewhere.
   */
  close(graceMs: number): Promise<void>;
}

const idleMs = 1_000;
/** Concurrent calls of third parties in this process. */
const parallelCalls = 16;
const maxResponseBytes = 256 * 1024;
const expiredAtATime = 100;
const pruneEveryMs = 3_600_000;
/** How long an ended action and its hooks can be read. */
const retentionMs = 90 * 24 * 3_600_000;

export async function startHookWorker(options: HookWorkerOptions): Promise<HookWorker> {
  const { builder, log, now, workerId } = options;
  const underWay = new Map<string, Promise<void>>();
  const halt = new AbortController();
  let prunedAt = 0;

  /** A short wait gets an exact timer; for a long one the polling interval is enough. */
  const wakeAt = (at: Date | null): void => {
    const waitMs = at === null ? idleMs : at.getTime() - now().getTime();
    if (waitMs < idleMs) setTimeout(() => rounds.wake(), Math.max(0, waitMs)).unref();
  };
  const round = async (): Promise<void> => {
    const limit = parallelCalls - underWay.size;
    const query = { workerId, underWay: [...underWay.keys()], at: now(), limit };
    const due = limit > 0 ? await claimCalls(builder.database.kysely, query) : [];
    for (const call of due) {
      const calling = callThirdParty(options, call, halt.signal)
        .then(wakeAt)
        .catch((error: Error) =>
          log.warn({ hookId: call.id, reason: error.message }, "the result of a hook's call was not written"),
        )
        .finally(() => {
          underWay.delete(call.id);
          rounds.wake();
        });
      underWay.set(call.id, calling);
    }
    await expire(options);
    if (now().getTime() - prunedAt < pruneEveryMs) return;
    prunedAt = now().getTime();
    await pruneActions(builder.database.kysely, new Date(prunedAt - retentionMs));
  };
  const rounds = startRounds({ round, idleMs, log, what: "hooks wait" });
  const close = async (graceMs: number): Promise<void> => {
    await rounds.close();
    const timer = setTimeout(() => halt.abort(), graceMs);
    await Promise.all(underWay.values());
    clearTimeout(timer);
  };
  await openTogether(log, async (opened) => {
    opened.add("the rounds of hooks", () => close(0));
    await builder.jobs.work(hookQueue, async () => rounds.wake());
  });
  return { close };
}

const contextOf = (
  { builder, log, now }: HookWorkerOptions,
  traceparent = newTraceparent(),
): HookContext => ({
  builder,
  log,
  now,
  actor: systemActor,
  signal: new AbortController().signal,
  requestId: newId(),
  traceparent,
});

async function expire(options: HookWorkerOptions): Promise<void> {
  const { database } = options.builder;
  for (const hookId of await findExpired(database.kysely, options.now(), expiredAtATime)) {
    await inTransaction(database, async (tx) => {
      const row = await readHook(tx, hookId);
      if (!row) return;
      const end = {
        hookId,
        status: "KO",
        response: null,
        endedBy: systemActor.ref,
        reason: "Nobody answered in time.",
        at: options.now(),
        expired: true,
      } as const;
      await settle(contextOf(options), options.handlers, { tx, row, end });
    });
  }
}

/** Returns when the next call is due, if there is one. */
async function callThirdParty(
  options: HookWorkerOptions,
  due: DueCall,
  signal: AbortSignal,
): Promise<Date | null> {
  const ctx = contextOf(options, due.traceparent);
  const settings = hookSettings(ctx, due);
  const requestId = requestIdOf(due.requestSeed, {
    hookId: due.id,
    secret: due.isSigned ? settings?.secret : undefined,
  });
  const problem = callProblem(settings, { requestId, due });
  const answer =
    problem === null ? await send(options, { due, settings: settings!, requestId, signal }) : null;
  // This process aborted the call; the next worker that claims it repeats it.
  if (signal.aborted && answer?.status === null) return null;
  const verdict: Verdict =
    answer === null
      ? { result: "failed", error: problem ?? "" }
      : verdictOn({ ...answer, attempts: due.attempts, at: options.now() }, settings!.retryDelaysMs);
  await writeVerdict(options, { ctx, due, verdict });
  return verdict.result === "retry" ? verdict.nextAttemptAt : null;
}

function callProblem(
  settings: HookSettings | undefined,
  { requestId, due }: { requestId: string; due: DueCall },
): string | null {
  if (settings?.url === undefined) return "The hook is not configured any more.";
  if (hashOfRequestId(requestId) !== due.requestHash)
    return "The secret of the hook was changed before the third party had taken the request in.";
  return null;
}

interface Sending {
  due: DueCall;
  settings: HookSettings;
  requestId: string;
  signal: AbortSignal;
}

async function send(
  { builder }: HookWorkerOptions,
  { due, settings, requestId, signal }: Sending,
): Promise<Pick<SentCall, "status" | "body" | "fault">> {
  const fields = {
    ...due.fields,
    hookId: due.id,
    hookName: due.name,
    expiresAt: due.expiresAt.toISOString(),
  };
  const respondToUrl = `${builder.settings.baseUrl}/api/builder/hooks/${requestId}`;
  try {
    const { status, body } = await builder.outbound.hooks.request({
      method: "POST",
      url: settings.url ?? "",
      headers: {
        ...settings.headers,
        "content-type": "application/json",
        "x-request-id": requestId,
        traceparent: due.traceparent,
      },
      body: JSON.stringify({ respondToUrl, fields }),
      timeoutMs: settings.timeoutMs,
      maxResponseBytes,
      signal,
    });
    return { status, body, fault: null };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { status: null, body: null, fault: publicMessage(error) };
  }
}

/** Also when the third party's answer arrived first: then only the information of the response is added. */
async function writeVerdict(
  options: HookWorkerOptions,
  { ctx, due, verdict }: { ctx: HookContext; due: DueCall; verdict: Verdict },
): Promise<void> {
  const { workerId, builder, log } = options;
  const { id, attempts } = due;
  const at = options.now();
  const fields = { hookId: id, hook: due.name, attempts };
  const result: CallResult = { id, workerId, attempts, at, accepted: null, error: null, nextAttemptAt: null };
  if (verdict.result === "accepted") {
    Object.assign(result, { accepted: { info: verdict.info }, error: verdict.remark });
    log.info(fields, "a third party has taken in a hook's request");
  } else Object.assign(result, { error: verdict.error });
  if (verdict.result === "retry") {
    Object.assign(result, { nextAttemptAt: verdict.nextAttemptAt });
    log.info({ ...fields, reason: verdict.error }, "the call of a hook failed and is made again");
  }
  if (verdict.result !== "failed") return writeCallResult(builder.database.kysely, result);
  log.warn({ ...fields, reason: verdict.error }, "a hook has ended KO: its third party could not be called");
  await inTransaction(builder.database, async (tx) => {
    const end = {
      hookId: id,
      status: "KO",
      response: { error: verdict.error, attempts },
      endedBy: systemActor.ref,
      reason: `The third party could not be called: ${verdict.error}`,
      at,
      expired: false,
    } as const;
    await settle(ctx, options.handlers, { tx, row: due, end });
    await writeCallResult(tx, result);
  });
}
