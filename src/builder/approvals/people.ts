/** Decides who may see and answer a hook, and says to whom those that wait are reported. */
import type { NoticeKind } from "../../platform/config/schema/schema-notices.ts";
import type { Db } from "../../platform/db/database.ts";
import { isOperator } from "../../platform/auth/policy.ts";
import { groupsOf } from "../catalogue/lookup.ts";
import type { TimePosition } from "../../platform/db/time-position.ts";
import { waitingOf } from "./view.ts";
import type { HookContext } from "./handlers.ts";
import { type HookRow, listAnswerableHooks, listPendingHooks, type PendingHook } from "./store.ts";

/**
 * The references of the caller and of the groups that the catalogue has them in, in lower case like stored
 * owners.
 */
export async function refsOf({ actor, builder }: HookContext): Promise<string[]> {
  const own = actor.ref.toLowerCase();
  if (!own.startsWith("user:")) return [own];
  return [own, ...(await groupsOf(builder.database.db, own))];
}

export async function mayAnswer(ctx: HookContext, row: HookRow): Promise<boolean> {
  if (isOperator(ctx.actor)) return true;
  if (row.kind === "remote") return false;
  const own = await refsOf(ctx);
  return row.owners.some((ref) => own.includes(ref));
}

/**
 * Pending hooks that the caller may answer, the oldest first. Operators may answer every hook, others the
 * notifications about what they own.
 */
export async function listHooksToAnswer(
  ctx: HookContext,
  page: { limit: number; after: TimePosition | null },
): Promise<WaitingHook[]> {
  const owners = isOperator(ctx.actor) ? null : await refsOf(ctx);
  const rows = await listAnswerableHooks(ctx.builder.database.db, { owners, ...page });
  return rows.map((row) => waitingHook(row, ctx.now()));
}

/** A hook as one that waits for the caller. */
export interface WaitingHook {
  kind: "HOOK";
  id: string;
  subject: "ACCESS_REQUEST" | "DEPLOYMENT_APPROVAL" | "DATA_REMOVAL_APPROVAL" | "HOOK";
  title: string;
  reason: string;
  since: Date;
  expiresAt: Date;
  atDeadline: string;
  environment: string | null;
  deploymentUnitId: string | null;
  requester: string;
  whoMayAct: { refs: readonly string[]; operators: true; rule: string | null };
  link: { hookId: string; accessRequestId?: string; planId?: string };
  path: string;
}

function waitingHook(hook: PendingHook, now: Date): WaitingHook {
  const { id, name, kind, owners, actionName, requester, fields, createdAt, expiresAt } = hook;
  const accessRequestId = textOf(fields["accessRequestId"]);
  const planId = textOf(fields["planId"]);
  const end = actionName === "accessRequest" ? "access is not changed" : "the plan ends without having begun";
  return {
    kind: "HOOK",
    id,
    subject: kindOf(hook),
    title: `${requester} asks for ${actionName} (${name}).`,
    reason: [titleOf(hook), waitingOf(hook, now) ?? ""].join(" ").trim(),
    since: createdAt,
    expiresAt,
    atDeadline: `It ends as EXPIRED: ${end}.`,
    environment: textOf(fields["environment"]),
    deploymentUnitId: textOf(fields["deploymentUnitId"]),
    requester,
    // A remote hook waits for a third party; operators may answer in its place.
    whoMayAct: {
      refs: kind === "notification" ? owners : [],
      operators: true,
      rule: textOf(fields["rule"]),
    },
    link: {
      hookId: id,
      ...(accessRequestId !== null && { accessRequestId }),
      ...(planId !== null && { planId }),
    },
    path: `/api/builder/hooks/${id}`,
  };
}

interface HookNotice {
  kind: NoticeKind;
  id: string;
  title: string;
  environment: string | null;
  since: Date;
  expiresAt: Date;
  path: string;
  deciders: () => Promise<readonly string[]>;
  notTo: string | null;
  operatorsDecide: boolean;
  visibleTo: readonly string[];
}

const kinds = ["ACCESS_REQUEST", "DEPLOYMENT_APPROVAL", "DATA_REMOVAL_APPROVAL", "HOOK"] as const;

export const hookNotices = (db: Db): { kinds: typeof kinds; list(limit: number): Promise<HookNotice[]> } => ({
  kinds,
  async list(limit) {
    const rows = await listPendingHooks(db, limit);
    return rows.map(noticeOf);
  },
});

function noticeOf(hook: PendingHook): HookNotice {
  const { id, kind, owners, requester, fields, createdAt, expiresAt } = hook;
  return {
    kind: kindOf(hook),
    id,
    title: titleOf(hook),
    environment: textOf(fields["environment"]),
    since: createdAt,
    expiresAt,
    path: `/api/builder/hooks/${id}`,
    // A remote hook waits for a third party; operators may answer in its place.
    deciders: async () => (kind === "notification" ? owners : []),
    notTo: hook.actionName === "deployment" ? requester : null,
    operatorsDecide: true,
    visibleTo: [requester.toLowerCase(), ...owners],
  };
}

function kindOf({ kind, actionName, fields }: PendingHook): WaitingHook["subject"] {
  if (kind === "remote") return "HOOK";
  if (actionName === "accessRequest") return "ACCESS_REQUEST";
  return fields["removeData"] === true ? "DATA_REMOVAL_APPROVAL" : "DEPLOYMENT_APPROVAL";
}

function titleOf({ kind, name, actionName, requester, fields }: PendingHook): string {
  const unit = textOf(fields["deploymentUnitId"]) ?? "a unit";
  const reason = textOf(fields["reason"]);
  const removal = fields["removeData"] === true ? "to remove the data of" : "to deploy";
  const what = actionName === "accessRequest" ? `for access to ${unit}` : `${removal} ${unit}`;
  const asked = `${requester} asks ${what}${reason === null ? "." : `: ${reason}`}`;
  return kind === "remote" ? `The third party of the hook ${name} has not answered. ${asked}` : asked;
}

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null;
