/**
 * Actions that need approval. An action starts with the hooks configured for it. It is APPROVED when the last
 * hook answers OK, and ends otherwise with the first hook that answers KO or expires. `settle` ends it under a lock of
 * its row, so that its consequences happen once.
 */
import type { ReadPlanDiff } from "../ports.ts";
import { isOperator } from "../../platform/auth/policy.ts";
import { inTransaction, type Db, type Transaction } from "../../platform/db/database.ts";
import type { Failure } from "../../platform/errors/failure.ts";
import { isUuid, newId, newSecret } from "../../platform/lib/ids.ts";
import { pageOf } from "../../platform/lib/page-cursor.ts";
import { originOf } from "../../platform/lib/request-lines.ts";
import type { HookSettings } from "../../platform/config/schema/schema-hooks.ts";
import { writeAudit, type ActionName } from "../context.ts";
import { readTimeCursor } from "./time-cursor.ts";
import { builderFailure } from "../errors.ts";
import type { ActionHandlers, HookContext } from "./handlers.ts";
import { mayAnswer, refsOf } from "./people.ts";
import { hashOfRequestId, isSigned, maskOfCall, requestIdOf } from "./request-id.ts";
import type { HookAnswer, HookDetails, HookList, HookRecord, HookUpdate } from "./schema.ts";
import {
  endAction,
  endPending,
  hasPendingHooks,
  insertAction,
  listHooks,
  lockAction,
  notifyHookWorkers,
  readHook,
  readHookByHash,
  type HookEnd,
  type HookRow,
  type SingleHookRow,
  type HookStatus,
  type NewHook,
} from "./store.ts";
import { reasonIn } from "./verdict.ts";
import { hookDetailsOf, hookRecordOf } from "./view.ts";

export interface WantedAction {
  name: ActionName;
  owners: readonly string[];
  /** What the hooks are shown about it. */
  fields: object;
  /** Whether the owner decides as well where third parties alone would. */
  asksOwner?: boolean;
}

/**
 * Opens the action. Without configured hooks it is APPROVED at once when the settings allow that, and refused
 * otherwise.
 */
export async function openAction(
  ctx: HookContext,
  tx: Db,
  { name, owners, fields, asksOwner = false }: WantedAction,
): Promise<{ actionId: string; isApproved: boolean }> {
  const { hooks: configured, approveWithoutHooks } = ctx.builder.settings.actionHandlers[name];
  const hooks = asksOwner ? withOwner(configured) : configured;
  if (hooks.length === 0 && !approveWithoutHooks) throw noApprovers(name);
  const at = ctx.now();
  const actionId = newId();
  const isApproved = hooks.length === 0;
  const action = {
    id: actionId,
    name,
    status: isApproved ? ("APPROVED" as const) : ("PENDING" as const),
    requester: ctx.actor.ref,
    owners,
    fields,
    traceparent: ctx.traceparent,
    origin: originOf(ctx),
    at,
  };
  await insertAction(
    tx,
    action,
    hooks.map((hook, index) => newHook(hook, index, at)),
  );
  if (hooks.some(({ kind }) => kind === "remote")) await notifyHookWorkers(tx);
  return { actionId, isApproved };
}

type BoundHook = Pick<HookSettings, "name" | "kind" | "secret" | "expiresAfterMs">;

/** No name of a configured hook has a space. */
const ownersHook = "the owner";

function withOwner(hooks: readonly HookSettings[]): readonly BoundHook[] {
  if (hooks.length === 0 || hooks.some(({ kind }) => kind === "notification")) return hooks;
  const expiresAfterMs = Math.max(...hooks.map((hook) => hook.expiresAfterMs));
  return [...hooks, { name: ownersHook, kind: "notification", expiresAfterMs }];
}

function newHook(hook: BoundHook, position: number, at: Date): NewHook {
  const { name, kind, secret } = hook;
  const id = newId();
  const expiresAt = new Date(at.getTime() + hook.expiresAfterMs);
  const common = { id, position, name, kind, expiresAt };
  if (kind === "notification") return { ...common, requestHash: null, requestSeed: null, isSigned: false };
  const requestSeed = newSecret();
  const requestHash = hashOfRequestId(requestIdOf(requestSeed, { hookId: id, secret }));
  return { ...common, requestHash, requestSeed, isSigned: secret !== undefined };
}

function noApprovers(name: string): Failure {
  const message = `Nobody is configured to decide about ${name}.`;
  return builderFailure("BUILDER_NOBODY_DECIDES", { message });
}

/** The answer of a third party, identified by the request id. */
export async function answerByRequestId(
  ctx: HookContext,
  handlers: ActionHandlers,
  { requestId, status, hookInfo }: HookUpdate & { requestId: string },
): Promise<HookRecord> {
  const hash = hashOfRequestId(requestId);
  const row = hash === null ? null : await readHookByHash(ctx.builder.database.db, hash);
  if (!row || (row.isSigned && !isSigned(requestId, signingOf(ctx, row)))) throw unknownHook();
  const actor = { ref: `hook:${row.actionName}/${row.name}`, roles: [], provider: "hook" };
  const { baseUrl } = ctx.builder.settings;
  const info = maskOfCall(requestId, { baseUrl, settings: hookSettings(ctx, row) }).json(hookInfo);
  const end = { response: info ?? null, reason: reasonIn(info) };
  return hookRecordOf(await answer({ ...ctx, actor }, handlers, { row, status, ...end }));
}

const signingOf = (ctx: HookContext, row: Pick<HookRow, "id" | "actionName" | "name">) => ({
  hookId: row.id,
  secret: hookSettings(ctx, row)?.secret,
});

/** The current configuration of the hook, if it still exists. */
export const hookSettings = (
  { builder }: HookContext,
  { actionName, name }: Pick<HookRow, "actionName" | "name">,
): HookSettings | undefined =>
  builder.settings.actionHandlers[actionName].hooks.find((hook) => hook.name === name);

/** The answer of a user: the owner may answer a notification, an operator any hook. */
export async function answerHook(
  ctx: HookContext,
  handlers: ActionHandlers,
  { hookId, status, reason }: HookAnswer & { hookId: string },
): Promise<HookDetails> {
  const row = await findVisible(ctx, hookId);
  if (!(await mayAnswer(ctx, row))) {
    const who = row.kind === "remote" ? "the third party and operators" : "its owner and operators";
    throw builderFailure("BUILDER_HOOK_NOT_YOURS", { message: `Only ${who} may answer this hook.` });
  }
  if (row.actionName === "deployment" && row.requester === ctx.actor.ref)
    throw builderFailure("BUILDER_HOOK_NOT_YOURS", { message: "Nobody approves what they have requested." });
  const end = { response: null, reason: reason === "" ? null : reason };
  return hookDetailsOf(await answer(ctx, handlers, { row, status, ...end }), ctx.now());
}

type Answer = { row: SingleHookRow } & Pick<HookEnd, "status" | "response" | "reason">;

async function answer(
  ctx: HookContext,
  handlers: ActionHandlers,
  { row, ...end }: Answer,
): Promise<SingleHookRow> {
  const ended = await inTransaction(ctx.builder.database, async (tx) => {
    const hookEnd = { ...end, hookId: row.id, endedBy: ctx.actor.ref, at: ctx.now(), expired: false };
    return (await settle(ctx, handlers, { tx, row, end: hookEnd })) ? readHook(tx, row.id) : null;
  });
  if (ended) return ended;
  // The action may have been deleted meanwhile, and its hooks with it.
  const now = await readHook(ctx.builder.database.db, row.id);
  throw now ? notPending(now) : unknownHook();
}

export interface Settling {
  tx: Transaction;
  row: Pick<HookRow, "id" | "name" | "actionId" | "actionName">;
  end: HookEnd;
}

/** Ends a hook and its action if it decides it. False when the hook or its action has already ended. */
export async function settle(
  ctx: HookContext,
  handlers: ActionHandlers,
  { tx, row, end }: Settling,
): Promise<boolean> {
  const { actionId, actionName } = row;
  if ((await lockAction(tx, actionId)) !== "PENDING") return false;
  if (!(await endPending(tx, end))) return false;
  await writeAudit(tx, ctx, {
    operation: "updateHook",
    subject: `hook:${row.id}`,
    detail: { actionId, actionName, hookName: row.name, status: end.status, expired: end.expired },
  });
  const { at } = end;
  if (end.status === "KO") {
    const reason = refusalOf(row.name, end);
    const status = end.expired ? "EXPIRED" : "REJECTED";
    await endAction(tx, { actionId, status, reason, at });
    await handlers[actionName].refused(ctx, tx, { actionId, status, reason });
  } else if (!(await hasPendingHooks(tx, actionId))) {
    await endAction(tx, { actionId, status: "APPROVED", reason: null, at });
    await handlers[actionName].approved(ctx, tx, actionId);
  }
  return true;
}

function refusalOf(name: string, { expired, reason, endedBy }: HookEnd): string {
  if (expired) return `Nobody answered the hook ${name} in time.`;
  return `The hook ${name} was answered KO by ${endedBy}${reason === null ? "." : `: ${reason}`}`;
}

/** The same error for all unknown ids, so that it does not reveal which ones were close. */
export const unknownHook = (): Failure =>
  builderFailure("BUILDER_HOOK_NOT_FOUND", { message: "There is no hook with that id." });

function notPending({ status, actionStatus, expiresAt }: HookRow): Failure {
  const message =
    status !== "pending"
      ? `The hook is not pending any more: it is ${status}.`
      : actionStatus !== "PENDING"
        ? `The action of the hook has ended: it is ${actionStatus}.`
        : `The hook has expired at ${expiresAt.toISOString()}.`;
  return builderFailure("BUILDER_HOOK_ENDED", { message });
}

async function findVisible(ctx: HookContext, hookId: string): Promise<SingleHookRow> {
  const row = isUuid(hookId) ? await readHook(ctx.builder.database.db, hookId) : null;
  if (!row) throw unknownHook();
  if (isOperator(ctx.actor)) return row;
  if (row.requester === ctx.actor.ref) return row;
  const own = await refsOf(ctx);
  if (row.owners.some((ref) => own.includes(ref))) return row;
  throw unknownHook();
}

/** One that waits for the decision about a deployment has what the plan changes too. */
export async function getHook(
  ctx: HookContext,
  hookId: string,
  readPlanDiff: ReadPlanDiff,
): Promise<HookDetails> {
  const row = await findVisible(ctx, hookId);
  const details = hookDetailsOf(row, ctx.now());
  const { deployment } = details;
  if (deployment === undefined || row.actionStatus !== "PENDING") return details;
  const diff = await readPlanDiff(deployment.planId);
  return diff === null ? details : { ...details, deployment: { ...deployment, diff } };
}

export interface HookListRequest {
  status: HookStatus | undefined;
  limit: number;
  after: string | undefined;
}

export async function getHooks(
  ctx: HookContext,
  { status, limit, after }: HookListRequest,
): Promise<HookList> {
  const rows = await listHooks(ctx.builder.database.db, {
    status,
    visibleTo: isOperator(ctx.actor) ? null : { requester: ctx.actor.ref, owners: await refsOf(ctx) },
    after: after === undefined ? null : readTimeCursor(after),
    limit: limit + 1,
  });
  const { page, next } = pageOf(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
  const now = ctx.now();
  return { data: page.map((row) => hookDetailsOf(row, now)), meta: { pagination: { limit, next } } };
}
