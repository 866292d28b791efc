/** Ends the deliveries to webhooks that no process has in its configuration any more; nobody would send them, or prune them. */
import type { Database } from "../../../platform/db/database.ts";
import { startRounds } from "../../../platform/jobs/rounds.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { endRemoved } from "./webhook-store.ts";

interface EndRemovedDeps {
  database: Database;
  log: Logger;
  now: () => Date;
  webhooks: readonly { name: string }[];
}

const lookEveryMs = 60_000;
/** So long must no process have had it: while processes are exchanged, some know a webhook and others do not. */
const removedForMs = 24 * 3_600_000;
const maxAtOnce = 5_000;

export const startEndingRemoved = (deps: EndRemovedDeps): { close(): Promise<void> } =>
  startRounds({
    round: () => endRemovedWebhooks(deps),
    idleMs: lookEveryMs,
    log: deps.log,
    what: "deliveries to webhooks that are removed",
  });

export async function endRemovedWebhooks(deps: EndRemovedDeps): Promise<"idle" | void> {
  const { database, log, webhooks } = deps;
  const configured = webhooks.map(({ name }) => name);
  let count = 0;
  for (let ended = maxAtOnce; ended === maxAtOnce; count += ended) {
    const at = deps.now();
    const before = new Date(at.getTime() - removedForMs);
    ended = await endRemoved(database.db, { configured, before, at, limit: maxAtOnce });
  }
  if (count === 0) return "idle";
  log.warn({ count }, "deliveries were given up: their webhook is not in the configuration any more");
}
