/** Decides who may see and answer a hook, and says to whom those that wait are reported. */
import type { NoticeKind } from "../../platform/config/schema/schema-notices.ts";
import type { Db } from "../../platform/db/database.ts";
import { isOperator } from "../../platform/auth/policy.ts";
import { groupsOf } from "../catalogue/lookup.ts";
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
export async function listHooksToAnswer(ctx: HookContext, limit: number): Promise<HookRow[]> {
  const owners = isOperator(ctx.actor) ? null : await refsOf(ctx);
  return listAnswerableHooks(ctx.builder.database.db, { owners, limit });
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

function kindOf({ kind, actionName, fields }: PendingHook): NoticeKind {
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
