/**
 * Runs the hooks in this process: calls third parties and expires overdue hooks. A call that was in progress
 * in a dead worker is repeated with the same request id.
 */
import type { HookSettings } from "../../platform/config/schema/schema-hooks.ts";
import { inTransaction } from "../../platform/db/database.ts";
import { createFailedRows, maxPausing, type FailedRows } from "../../platform/jobs/failed-rows.ts";
import { startRowWorker, type RowWorker } from "../../platform/jobs/row-worker.ts";
import { systemActor } from "../../platform/lib/actor.ts";
import { newId, newTraceparent } from "../../platform/lib/ids.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import type { Mask } from "../../platform/lib/secrets/mask.ts";
import { linesOfOrigin } from "../../platform/lib/request-lines.ts";
import { OutboundError, publicMessage } from "../../platform/outbound/outbound-error.ts";
import {
  activeTraceparent,
  inSpan,
  nearestTraceparent,
  noParent,
  type SpanStart,
} from "../../platform/telemetry/spans.ts";
import type { BuilderDeps } from "../context.ts";
import type { ActionHandlers, HookContext } from "./handlers.ts";
import { hashOfRequestId, maskOfCall, requestIdOf, respondToUrlOf } from "./request-id.ts";
import { hookSettings, settle } from "./service.ts";
import {
  claimCalls,
  findExpired,
  hooksChannel,
  readHook,
  writeCallResult,
  type CallResult,
  type DueCall,
} from "./store.ts";
import { verdictOn, verdictOnFault, type SentCall, type Verdict } from "./verdict.ts";

export interface HookWorkerOptions {
  builder: Pick<BuilderDeps, "database" | "settings" | "outbound">;
  handlers: ActionHandlers;
  log: Logger;
  now: () => Date;
  /** The worker lease of this process. */
  workerId: string;
}

const idleMs = 1_000;
/** Concurrent calls of third parties in this process. */
const parallelCalls = 16;
const maxResponseBytes = 256 * 1024;
const expiredAtATime = 100;

export function startHookWorker(options: HookWorkerOptions): Promise<RowWorker> {
  const { builder, log, now, workerId } = options;
  const notEnded = createFailedRows<string>((hookId) => hookId);
  return startRowWorker<DueCall>({
    log,
    name: "hooks",
    idleMs,
    parallel: parallelCalls,
    claim: ({ underWay, limit }) =>
      claimCalls(builder.database.db, {
        workerId,
        underWay: underWay.map(({ id }) => id),
        at: now(),
        limit,
      }),
    async work(call, signal) {
      const verdict = await callThirdParty(options, call, signal);
      return verdict === null ? null : dueMsOf(verdict, now());
    },
    async onFailure(call, failure) {
      const verdict = verdictOnFault(failure, now());
      await writeVerdict(options, { ctx: contextOfCall(options, call), due: call, verdict });
      return dueMsOf(verdict, now());
    },
    traceparentOf: ({ traceparent }) => traceparent,
    describe: ({ id }) => ({ hookId: id }),
    beforeClaims: () => expire(options, notEnded),
    listener: builder.database.listener,
    channels: [hooksChannel],
  });
}

/** In how many milliseconds the next call is due, if there is one. */
const dueMsOf = (verdict: Verdict, now: Date): number | null =>
  verdict.result === "retry" ? verdict.nextAttemptAt.getTime() - now.getTime() : null;

const contextOfCall = (options: HookWorkerOptions, due: DueCall): HookContext => ({
  ...contextOf(options, nearestTraceparent(due.traceparent)),
  log: linesOfOrigin(due, options.log),
});

const contextOf = (
  { builder, log, now }: HookWorkerOptions,
  traceparent = activeTraceparent() ?? newTraceparent(),
): HookContext => ({
  builder,
  log,
  now,
  actor: systemActor,
  signal: new AbortController().signal,
  requestId: newId(),
  traceparent,
});

const expiryName = "expired hooks";
const expirySpan: SpanStart<"work"> = {
  name: `work ${expiryName}`,
  parent: noParent,
  attributes: () => ({ "plinth.work.name": expiryName }),
};

/** Returns whether there may be more. Hooks that can't be ended are left alone for a pause, and hold up no other. */
async function expire(options: HookWorkerOptions, notEnded: FailedRows<string>): Promise<boolean> {
  const except = notEnded.pausing();
  const limit = Math.min(expiredAtATime, maxPausing - except.length);
  if (limit <= 0) return false;
  const expired = await findExpired(options.builder.database.db, options.now(), { except, limit });
  for (const hookId of expired) {
    try {
      await inSpan("work", expirySpan, () => expireOne(options, hookId));
      notEnded.forget(hookId);
    } catch (error) {
      options.log.warn({ hookId, reason: (error as Error).message }, "an expired hook could not be ended");
      notEnded.count(hookId);
      notEnded.pause(hookId);
    }
  }
  return expired.length === limit;
}

const expireOne = (options: HookWorkerOptions, hookId: string): Promise<void> =>
  inTransaction(options.builder.database, async (tx) => {
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

/** Null when this process has aborted the call: the next worker that claims it repeats it. */
async function callThirdParty(
  options: HookWorkerOptions,
  due: DueCall,
  signal: AbortSignal,
): Promise<Verdict | null> {
  const ctx = contextOfCall(options, due);
  const settings = hookSettings(ctx, due);
  const requestId = requestIdOf(due.requestSeed, {
    hookId: due.id,
    secret: due.isSigned ? settings?.secret : undefined,
  });
  const problem = callProblem(settings, { requestId, due });
  const answer =
    problem === null ? await send(options, { due, settings: settings!, requestId, signal }) : null;
  if (signal.aborted && answer?.status === null) return null;
  const verdict: Verdict =
    answer === null
      ? { result: "failed", error: problem ?? "" }
      : verdictOn({ ...answer, attempts: due.attempts, at: options.now() }, settings!.retryDelaysMs);
  const mask = maskOfCall(requestId, { baseUrl: options.builder.settings.baseUrl, settings });
  await writeVerdict(options, { ctx, due, verdict: hideIn(verdict, mask) });
  return verdict;
}

/** Only what a third party says of a request that it has taken in is its own text. */
const hideIn = (verdict: Verdict, mask: Mask): Verdict =>
  verdict.result === "accepted" ? { ...verdict, info: mask.json(verdict.info) } : verdict;

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
  const respondToUrl = respondToUrlOf(builder.settings.baseUrl, requestId);
  try {
    const { status, body } = await builder.outbound.hooks.request({
      method: "POST",
      url: settings.url ?? "",
      headers: {
        ...settings.headers,
        "content-type": "application/json",
        "x-request-id": requestId,
        traceparent: nearestTraceparent(due.traceparent),
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

/** Stores the verdict. When the third party's answer arrived first, only the information of the response is added. */
async function writeVerdict(
  options: HookWorkerOptions,
  { ctx, due, verdict }: { ctx: HookContext; due: DueCall; verdict: Verdict },
): Promise<void> {
  const { workerId, builder } = options;
  const log = linesOfOrigin(due, options.log);
  const { id, attempts } = due;
  const at = options.now();
  const fields = { hookId: id, hook: due.name, attempts };
  const result: CallResult = { id, workerId, attempts, at, accepted: null, error: null, nextAttemptAt: null };
  if (verdict.result === "accepted") {
    Object.assign(result, { accepted: { info: verdict.info }, error: verdict.remark });
    log.info(fields, "a third party has accepted a hook's request");
  } else Object.assign(result, { error: verdict.error });
  if (verdict.result === "retry") {
    Object.assign(result, { nextAttemptAt: verdict.nextAttemptAt });
    log.info({ ...fields, reason: verdict.error }, "the call of a hook failed and is made again");
  }
  if (verdict.result !== "failed") return writeCallResult(builder.database.db, result);
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
