/** Lists and replays deliveries to webhooks, for operators. */
import { inTransaction } from "../../../platform/db/database.ts";
import type { Failure, Problem } from "../../../platform/errors/failure.ts";
import { pageOf, readPageCursor } from "../../../platform/lib/page-cursor.ts";
import { writeAudit, type CoordinatorContext, type WebhookTarget } from "../../context.ts";
import { brokenCursor, coordinatorFailure } from "../../errors.ts";
import {
  listDeliveries,
  readDelivery,
  readWebhookNumbers,
  replayEvents,
  wakeWebhooks,
  type DeliveryRow,
  type Replay,
} from "./delivery-store.ts";
import type { Delivery, DeliveryList, ReplayBody, WebhookList } from "./schema.ts";

export interface DeliveryListRequest {
  webhook: string | undefined;
  status: string | undefined;
  limit: number;
  after: string | undefined;
}

export async function listWebhookDeliveries(
  ctx: CoordinatorContext,
  { webhook, status, limit, after }: DeliveryListRequest,
): Promise<DeliveryList> {
  const before = after === undefined ? null : readBefore(after);
  const query = { webhook, status, before, limit: limit + 1 };
  const rows = await listDeliveries(ctx.coordinator.database.db, query);
  const { page, next } = pageOf(rows, limit, ({ id }) => [String(id)]);
  const now = ctx.now();
  return { data: page.map((row) => deliveryView(row, now)), meta: { pagination: { limit, next } } };
}

function readBefore(text: string): number {
  const [id = ""] = readPageCursor(text, 1) ?? [];
  if (!/^\d{1,15}$/.test(id)) throw brokenCursor(text);
  return Number(id);
}

function deliveryView(row: DeliveryRow, now: Date): Delivery {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  const { isUnderWay: _, ...rest } = row;
  return {
    ...rest,
    createdAt: row.createdAt.toISOString(),
    lastAttemptAt: time(row.lastAttemptAt),
    nextAttemptAt: time(row.nextAttemptAt),
    endedAt: time(row.endedAt),
    waiting: waitingOf(row, now),
  };
}

function waitingOf({ status, isUnderWay, nextAttemptAt, attempts }: DeliveryRow, now: Date): string | null {
  if (status !== "PENDING") return null;
  if (isUnderWay) return `Attempt ${attempts} is under way.`;
  if (nextAttemptAt === null)
    return "An earlier event of the same subject has to be delivered or dead first.";
  if (nextAttemptAt > now)
    return `Attempt ${attempts} failed; the next one is at ${nextAttemptAt.toISOString()}.`;
  return "It is sent as soon as a worker has a place for it.";
}

/** The configured ones; what was once sent to others is in the list of deliveries alone. */
export async function listWebhooks(ctx: CoordinatorContext): Promise<WebhookList> {
  const { webhooks } = ctx.coordinator.settings;
  const rows = await readWebhookNumbers(ctx.coordinator.database.db, webhooks);
  const byName = new Map(rows.map((row) => [row.name, row]));
  return {
    data: webhooks.map(({ name, url, events, environments }) => {
      const found = byName.get(name);
      return {
        name,
        // Not the whole address: receivers put keys into paths.
        host: new URL(url).host,
        events: events && [...events],
        environments: environments && [...environments],
        pending: found?.pending ?? 0,
        dead: found?.dead ?? 0,
        oldestPendingAt: found?.oldestPendingAt?.toISOString() ?? null,
        stoppedAt: found?.stoppedAt?.toISOString() ?? null,
      };
    }),
  };
}

/** Limit of one replay; a larger one is probably a mistake. */
const maxReplayed = 10_000;

/** Sends one event, or those of a period, to a webhook again, with the same ids. */
export async function replayDeliveries(
  ctx: CoordinatorContext,
  body: ReplayBody,
): Promise<{ replayed: number }> {
  const target = requireWebhook(ctx, body.webhook);
  const times = readTimes(body);
  return inTransaction(ctx.coordinator.database, async (tx) => {
    const at = ctx.now();
    const replay: Replay = {
      at,
      seq: null,
      ...times,
      includeDelivered: body.includeDelivered,
      limit: maxReplayed,
    };
    if (body.deliveryId !== undefined) {
      const found = await readDelivery(tx, body.webhook, body.deliveryId);
      if (!found) throw unknownDelivery(body.deliveryId);
      Object.assign(replay, { seq: found.seq, includeDelivered: true });
    }
    const replayed = await replayEvents(tx, target, replay);
    if (replayed > maxReplayed) throw tooMany();
    if (replayed === 0 && body.deliveryId !== undefined) throw isWaiting(body.deliveryId);
    await writeAudit(tx, ctx, {
      operation: "replayWebhookDeliveries",
      subject: `webhook:${body.webhook}`,
      detail: { ...body, replayed },
    });
    await wakeWebhooks(tx);
    return { replayed };
  });
}

function requireWebhook(ctx: CoordinatorContext, name: string): WebhookTarget {
  const { webhooks } = ctx.coordinator.settings;
  const found = webhooks.find((webhook) => webhook.name === name);
  if (found) return found;
  const message = `No webhook with the name ${name} is configured.`;
  const names = webhooks.map((webhook) => webhook.name).join(", ");
  throw coordinatorFailure("COORD_WEBHOOK_NOT_FOUND", {
    message,
    where: "/webhook",
    solution: names === "" ? undefined : `Use one of: ${names}.`,
    input: name,
  });
}

function readTimes(body: ReplayBody): { from: Date | null; to: Date | null } {
  const problems: Problem[] = [];
  const read = (name: "from" | "to"): Date | null => {
    const text = body[name];
    if (text === undefined) return null;
    const at = new Date(text);
    if (at.getTime() >= Date.UTC(1970) && at.getTime() < Date.UTC(10_000)) return at;
    problems.push({ where: `/${name}`, message: "The time is not between the years 1970 and 9999." });
    return null;
  };
  const [from, to] = [read("from"), read("to")];
  const isOne = body.deliveryId !== undefined;
  if (isOne && (body.from !== undefined || body.to !== undefined))
    problems.push({ where: "/deliveryId", message: "Give either deliveryId or a time, not both." });
  if (!isOne && body.from === undefined)
    problems.push({ where: "/from", message: "Give deliveryId, or from when on." });
  if (from && to && from >= to)
    problems.push({ where: "/to", message: "The end is not after the beginning." });
  if (problems.length === 0) return { from, to };
  const message = "It is not clear what is to be sent again.";
  throw coordinatorFailure("COORD_INVALID_REPLAY", { message, problems });
}

const tooMany = (): Failure => {
  const message = `More than ${maxReplayed} events fit; they are not all sent again at once.`;
  const solution = "Choose a shorter time.";
  return coordinatorFailure("COORD_INVALID_REPLAY", { message, where: "/from", solution });
};

function unknownDelivery(id: number): Failure {
  const message = `The webhook has no delivery with the id ${id}.`;
  return coordinatorFailure("COORD_DELIVERY_NOT_FOUND", { message, where: "/deliveryId", input: String(id) });
}

function isWaiting(id: number): Failure {
  const message = `The event of the delivery ${id} waits to be sent already.`;
  return coordinatorFailure("COORD_DELIVERY_PENDING", { message, where: "/deliveryId", input: String(id) });
}
