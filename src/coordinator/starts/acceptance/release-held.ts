/** Lets plans begin whose environment is open by now, and ends those that have waited for too long. */
import { inTransaction, type Db } from "../../../platform/db/database.ts";
import { appendEvents } from "../../../platform/events/events.ts";
import {
  findHeldTooLong,
  lockHeld,
  readHeldEnvironments,
  releasePlans,
  renewHolds,
} from "../../windows/hold-store.ts";
import { logEvent, planStream } from "../../execution/plan-events.ts";
import type { LogLine } from "../../execution/types.ts";
import { requestTermination } from "../../plans/termination-store.ts";
import { holdOf } from "../../windows/gate.ts";
import { readWindows } from "../../windows/store.ts";
import { closedAt } from "../../windows/window.ts";
import type { QueuedStartDeps } from "./queued-start.ts";

export type ReleaseDeps = Pick<QueuedStartDeps, "database" | "settings" | "now">;

/** Plans that one round releases in an environment, so that an opening does not hold a transaction for long. */
const maxAtOnce = 100;

/** Returns the ids of plans that a worker may take now. */
export async function releaseHeld(deps: ReleaseDeps): Promise<string[]> {
  const { database, now } = deps;
  const environments = await readHeldEnvironments(database.db);
  if (environments.length === 0) return [];
  const ready: string[] = [];
  for (const environment of environments)
    ready.push(...(await inTransaction(database, (tx) => releaseIn(tx, environment, now()))));
  await endOverdue(deps);
  return ready;
}

async function releaseIn(tx: Db, environment: string, at: Date): Promise<string[]> {
  const { windows = [] } = (await readWindows(tx, environment)) ?? {};
  const closed = closedAt(windows, at);
  if (closed) {
    await renewHolds(tx, environment, holdOf(closed, at));
    return [];
  }
  const released = await releasePlans(tx, { environment, at, limit: maxAtOnce });
  const message = `Operations may begin in ${environment}.`;
  for (const { id } of released)
    await appendEvents(tx, planStream(id), [logEvent(lineOf(at, "INFO", message))]);
  return released.filter(({ isApproved }) => isApproved).map(({ id }) => id);
}

async function endOverdue({ database, now, settings }: ReleaseDeps): Promise<void> {
  const at = now();
  const overdue = await findHeldTooLong(database.db, new Date(at.getTime() - settings.longestHoldMs));
  for (const planId of overdue)
    await inTransaction(database, async (tx) => {
      // Another process may have released or ended it by now. The lock comes before events get their ids.
      if (!(await lockHeld(tx, planId))) return;
      const message = "The plan has waited for its environment to open for as long as a plan may.";
      await appendEvents(tx, planStream(planId), [logEvent(lineOf(at, "ERROR", message))]);
      await requestTermination(tx, planId, { mode: "safe", at });
    });
}

const lineOf = (at: Date, severity: LogLine["severity"], message: string): LogLine => ({
  at,
  severity,
  taskId: null,
  phase: "WINDOW",
  message,
});
