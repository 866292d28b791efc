/**
 * Has outgoing events made from settled stored events, creates deliveries to the webhooks, and sends those that
 * are due. All state is in the database, so any worker continues where another died; unfinished deliveries
 * are sent again with the same id.
 */
import type { WebhookSettings } from "../../../platform/config/schema/schema-watching.ts";
import { inTransaction, type Database } from "../../../platform/db/database.ts";
import { eventsChannel } from "../../../platform/events/events.ts";
import { claimByGroup } from "../../../platform/jobs/claim-by-group.ts";
import { unsentAfter, type RowFailure } from "../../../platform/jobs/failed-rows.ts";
import { startRowWorker, type RowQuery, type RowWorker } from "../../../platform/jobs/row-worker.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import { followSettled } from "../../../platform/events/follow-settled.ts";
import {
  claimDeliveries,
  endAttempt,
  enqueueDeliveries,
  webhooksChannel,
  type ClaimedDelivery,
} from "./delivery-store.ts";
import type { WebhookTarget } from "../../context.ts";
import { signatureHeaders } from "./signature.ts";
import { createMaker } from "./make-outgoing.ts";
import { beginPosition } from "./source-store.ts";
import { verdictOn, type Attempt } from "./verdict.ts";

export interface OutgoingDeps {
  database: Database;
  outbound: Outbound;
  log: Logger;
  now: () => Date;
  /** The worker whose lease shows that this process is alive. */
  workerId: string;
  /** The CloudEvents `source`. */
  source: string;
  webhooks: readonly WebhookSettings[];
  /** The present signing secrets of a webhook, called for each message: a reload may change them. */
  secretsOf: (webhook: string) => readonly string[];
  rootProvisioning: boolean;
}

const enqueuePage = 1_000;
/** Longest wait between two rounds: retries become due by the clock. */
const idleMs = 1_000;
/** Wake-ups within this time are handled as one. */
const gatherMs = 30;
const maxResponseBytes = 1024 * 1024;

export async function startOutgoing(deps: OutgoingDeps): Promise<RowWorker> {
  const { database, log, webhooks } = deps;
  const readSettled = followSettled(database.db);
  const make = createMaker(deps);
  /** True when there may be more. */
  const enqueueFor = (webhook: WebhookSettings): Promise<boolean> => {
    const page = { at: deps.now(), limit: enqueuePage };
    return inTransaction(database, (tx) => enqueueDeliveries(tx, targetOf(webhook), page));
  };
  await beginPosition(database.db);
  for (const webhook of webhooks) await enqueueFor(webhook);
  return startRowWorker<Due>({
    log,
    name: "outgoing events",
    idleMs,
    gatherMs,
    parallel: webhooks.reduce((sum, { parallel }) => sum + parallel, 0),
    async beforeClaims() {
      const { settled, againMs } = await readSettled();
      let hasMore = await make(settled);
      for (const webhook of webhooks) if (await enqueueFor(webhook)) hasMore = true;
      return hasMore || (againMs ?? false);
    },
    claim: (query) => claimDue(deps, query),
    async work(due, signal) {
      await deliver(deps, { ...due, signal });
      return null;
    },
    describe: ({ webhook, delivery }) => ({ webhook: webhook.name, deliveryId: delivery.id }),
    onFailure: (due, failure) => storeFault(deps, due, failure),
    listener: database.listener,
    channels: [eventsChannel, webhooksChannel],
  });
}

interface Due {
  webhook: WebhookSettings;
  delivery: ClaimedDelivery;
}

/** Due deliveries of each webhook, up to its own limit. */
const claimDue = (
  { database, webhooks, workerId, now }: OutgoingDeps,
  query: Pick<RowQuery<Due>, "underWay" | "pausing">,
): Promise<Due[]> =>
  claimByGroup<Due>(
    query,
    webhooks.map((webhook) => ({
      parallel: webhook.parallel,
      has: (due) => due.webhook.name === webhook.name,
      async claim({ underWay: own, limit }) {
        const underWay = own.map(({ delivery }) => delivery.id);
        const claim = { webhook: webhook.name, workerId, underWay, at: now(), limit };
        return (await claimDeliveries(database.db, claim)).map((delivery) => ({ webhook, delivery }));
      },
    })),
  );

export const targetOf = ({ name, url, events, environments }: WebhookSettings): WebhookTarget => ({
  name,
  url,
  events: events ?? null,
  environments: environments ?? null,
});

interface Sending extends Due {
  signal: AbortSignal;
}

async function deliver(deps: OutgoingDeps, { webhook, delivery, signal }: Sending): Promise<void> {
  const at = deps.now();
  const answer = await call(deps, { webhook, delivery, signal }, at);
  // Aborted by our own shutdown: the next worker sends it again.
  if (signal.aborted && answer.status === null) return;
  const { attempts } = delivery;
  const verdict = verdictOn({ ...answer, attempts, at: deps.now() }, webhook.retryDelaysMs);
  const statuses = { delivered: "DELIVERED", retry: "PENDING", dead: "DEAD", gone: "DEAD" } as const;
  await inTransaction(deps.database, (tx) =>
    endAttempt(tx, {
      id: delivery.id,
      webhook: webhook.name,
      workerId: deps.workerId,
      attempts,
      status: statuses[verdict.result],
      httpStatus: answer.status,
      error: verdict.error,
      nextAttemptAt: verdict.nextAttemptAt,
      at: deps.now(),
      isGone: verdict.result === "gone",
    }),
  );
  if (verdict.result === "delivered") return;
  const fields = { webhook: webhook.name, eventId: delivery.eventId, attempts, reason: verdict.error };
  if (verdict.result === "retry") deps.log.info(fields, "an event was not delivered and is sent again");
  else deps.log.warn(fields, "an event was given up; it can be replayed");
}

/** Stores that sending, or storing its result, failed in the server itself. */
async function storeFault(
  { database, workerId, now }: OutgoingDeps,
  { webhook, delivery: { id, attempts } }: Due,
  failure: RowFailure,
): Promise<number | null> {
  const at = now();
  const end = { id, webhook: webhook.name, workerId, attempts, httpStatus: null, at, isGone: false };
  await inTransaction(database, (tx) => endAttempt(tx, { ...end, ...unsentAfter(failure, at) }));
  return failure.isLast ? null : failure.pauseMs;
}

type CallAnswer = Pick<Attempt, "status" | "fault" | "retryAfter">;

async function call(
  { outbound, secretsOf }: OutgoingDeps,
  { webhook, delivery, signal }: Sending,
  at: Date,
): Promise<CallAnswer> {
  const { eventId: id, body } = delivery;
  try {
    const { status, headers } = await outbound.request({
      method: "POST",
      url: webhook.url,
      headers: {
        "content-type": "application/cloudevents+json; charset=utf-8",
        "user-agent": "plinth-webhooks",
        ...signatureHeaders({ id, at, body }, secretsOf(webhook.name)),
      },
      body,
      timeoutMs: webhook.timeoutMs,
      maxResponseBytes,
      signal,
    });
    return { status, fault: null, retryAfter: headers["retry-after"] };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { status: null, fault: error.message, retryAfter: undefined };
  }
}
