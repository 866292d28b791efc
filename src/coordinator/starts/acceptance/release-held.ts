/** Lets plans begin whose environment is open by now. */
import { inTransaction, type Db } from "../../../platform/db/database.ts";
import { appendEvents } from "../../../platform/events/events.ts";
import { readHeldEnvironments, releasePlans, renewHolds } from "../../windows/hold-store.ts";
import { logEvent, planStream } from "../../execution/plan-events.ts";
import type { LogLine } from "../../execution/types.ts";
import { holdOf } from "../../windows/gate.ts";
import { readWindows } from "../../windows/store.ts";
import { closedAt } from "../../windows/window.ts";
import type { QueuedStartDeps } from "./queued-start.ts";

export type ReleaseDeps = Pick<QueuedStartDeps, "database" | "now">;

/** Plans that one round releases in an environment, so that an opening does not hold a transaction for long. */
const maxAtOnce = 100;

/** Returns the ids of plans that a worker may take now. */
export async function releaseHeld({ database, now }: ReleaseDeps): Promise<string[]> {
  const environments = await readHeldEnvironments(database.db);
  if (environments.length === 0) return [];
  const ready: string[] = [];
  for (const environment of environments)
    ready.push(...(await inTransaction(database, (tx) => releaseIn(tx, environment, now()))));
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
  for (const { id } of released) await appendEvents(tx, planStream(id), [logEvent(lineOf(at, message))]);
  return released.filter(({ isApproved }) => isApproved).map(({ id }) => id);
}

const lineOf = (at: Date, message: string): LogLine => ({
  at,
  severity: "INFO",
  taskId: null,
  phase: "WINDOW",
  message,
});
