/** Hooks as callers see them. Nothing in them allows anyone to answer a remote hook. */
import type { HookDetails, HookRecord } from "./schema.ts";
import type { HookRow, SingleHookRow } from "./store.ts";

export const hookRecordOf = (row: HookRow): HookRecord => ({
  hookId: row.id,
  hookName: row.name,
  actionId: row.actionId,
  actionName: row.actionName,
  creationAt: row.createdAt.toISOString(),
  updateAt: row.updatedAt.toISOString(),
  status: row.status,
});

export const hookDetailsOf = (row: HookRow | SingleHookRow, now: Date): HookDetails => ({
  ...hookRecordOf(row),
  kind: row.kind,
  requester: row.requester,
  owners: row.owners,
  about: row.about,
  expiresAt: row.expiresAt.toISOString(),
  attempts: row.attempts,
  sentAt: row.sentAt?.toISOString() ?? null,
  sentInfo: row.sentInfo,
  lastError: row.lastError,
  response: row.response,
  endedBy: row.endedBy,
  reason: row.reason,
  waiting: waitingOf(row, now),
  ...("deployment" in row &&
    row.deployment !== null && { deployment: { ...row.deployment, approvers: row.owners } }),
});

/** Why the hook is still pending; null when it is not. */
export function waitingOf(row: HookRow, now: Date): string | null {
  if (row.status !== "pending") return null;
  const until = `until ${row.expiresAt.toISOString()}`;
  if (row.expiresAt <= now) return "Its time is over; it ends as soon as a worker looks.";
  if (row.kind === "notification") return `Waits for the owner of the resource or an operator, ${until}.`;
  if (row.sentAt !== null) return `Waits for the answer of the third party, ${until}.`;
  if (row.isUnderWay) return `Call ${row.attempts} of the third party is under way.`;
  if (row.nextAttemptAt !== null && row.nextAttemptAt > now)
    return `Call ${row.attempts} failed: ${row.lastError ?? ""} The next one is at ${row.nextAttemptAt.toISOString()}.`;
  return "The third party is called as soon as a worker is free.";
}
