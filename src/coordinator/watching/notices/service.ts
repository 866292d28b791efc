/** Lists notices for operators, sends them again, and sends samples. */
import { mailAddressPattern } from "../../../platform/config/schema/schema-notices.ts";
import { inTransaction } from "../../../platform/db/database.ts";
import type { Failure } from "../../../platform/errors/failure.ts";
import { isUuid, newId } from "../../../platform/lib/ids.ts";
import { pageOf } from "../../../platform/lib/page-cursor.ts";
import { writeAudit, type CoordinatorContext } from "../../context.ts";
import { readCreatedAfter } from "../../created-cursor.ts";
import { coordinatorFailure } from "../../errors.ts";
import { chatRecipient, mailChannel } from "./collecting/recipients.ts";
import type { ChannelList, Notice, NoticeList, TestBody } from "./schema.ts";
import {
  insertTest,
  listMessages,
  readChannelNumbers,
  readMessage,
  sendAgain,
  wakeNotices,
  type MessageRow,
  type MessageStatus,
} from "./sending/message-store.ts";

export interface NoticeListRequest {
  channel: string | undefined;
  status: MessageStatus | undefined;
  limit: number;
  after: string | undefined;
}

export async function listNotices(
  ctx: CoordinatorContext,
  { channel, status, limit, after }: NoticeListRequest,
): Promise<NoticeList> {
  const rows = await listMessages(ctx.coordinator.database.db, {
    channel,
    status,
    after: after === undefined ? null : readCreatedAfter(after, isUuid),
    limit: limit + 1,
  });
  const { page, next } = pageOf(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
  const now = ctx.now();
  return { data: page.map((row) => viewOf(row, now)), meta: { pagination: { limit, next } } };
}

export const getNotice = async (ctx: CoordinatorContext, id: string): Promise<Notice> =>
  viewOf(await requireNotice(ctx, id), ctx.now());

async function requireNotice(ctx: CoordinatorContext, id: string): Promise<MessageRow> {
  const row = isUuid(id) ? await readMessage(ctx.coordinator.database.db, id) : null;
  if (row) return row;
  const message = `There is no notice with the id ${id}.`;
  throw coordinatorFailure("COORD_NOTICE_NOT_FOUND", { message, where: "notice-id", input: id });
}

/** Under the same id, so that a mailbox that has it already shows it once. */
export async function sendNoticeAgain(ctx: CoordinatorContext, id: string): Promise<Notice> {
  const row = await requireNotice(ctx, id);
  await inTransaction(ctx.coordinator.database, async (tx) => {
    if (!(await sendAgain(tx, row.id, ctx.now()))) throw isWaiting(id);
    const detail = { channel: row.channel, recipient: row.recipient };
    await writeAudit(tx, ctx, { operation: "sendNoticeAgain", subject: `notice:${row.id}`, detail });
    await wakeNotices(tx);
  });
  return getNotice(ctx, id);
}

function isWaiting(id: string): Failure {
  const message = `The notice ${id} waits to be sent already.`;
  return coordinatorFailure("COORD_NOTICE_PENDING", { message, where: "notice-id", input: id });
}

/** A sample to one recipient, sent like every other notice. */
export async function sendTestNotice(ctx: CoordinatorContext, { channel, to }: TestBody): Promise<Notice> {
  requireChannel(ctx, channel);
  const recipient = channel === mailChannel ? requireRecipient(to ?? ctx.actor.ref) : chatRecipient;
  const id = newId();
  await inTransaction(ctx.coordinator.database, async (tx) => {
    await insertTest(tx, { id, channel, recipient, at: ctx.now() });
    const detail = { channel, recipient };
    await writeAudit(tx, ctx, { operation: "sendTestNotice", subject: `notice:${id}`, detail });
    await wakeNotices(tx);
  });
  return getNotice(ctx, id);
}

const channelsOf = ({ coordinator: { settings } }: CoordinatorContext): string[] => [
  ...(settings.notices.mailKinds === null ? [] : [mailChannel]),
  ...settings.notices.chats,
];

export async function listNoticeChannels(ctx: CoordinatorContext): Promise<ChannelList> {
  const rows = await readChannelNumbers(ctx.coordinator.database.db);
  const byName = new Map(rows.map((row) => [row.channel, row]));
  return {
    data: channelsOf(ctx).map((name) => {
      const found = byName.get(name);
      return {
        name,
        pending: found?.pending ?? 0,
        dead: found?.dead ?? 0,
        oldestPendingAt: found?.oldestPendingAt?.toISOString() ?? null,
      };
    }),
  };
}

function requireChannel(ctx: CoordinatorContext, channel: string): void {
  const names = channelsOf(ctx);
  if (names.includes(channel)) return;
  throw coordinatorFailure("COORD_CHANNEL_NOT_FOUND", {
    message:
      channel === mailChannel
        ? "No mail server is configured."
        : `No chat with the name ${channel} is configured.`,
    where: "/channel",
    solution: names.length === 0 ? undefined : `Use one of: ${names.join(", ")}.`,
    input: channel,
  });
}

const address = new RegExp(mailAddressPattern, "u");
const reference = /^(?:user|group):[^/\s]+\/[^/\s]+$/i;

function requireRecipient(to: string): string {
  if (address.test(to)) return to;
  if (reference.test(to)) return to.toLowerCase();
  const message = `${to} is neither a user or group nor an address.`;
  throw coordinatorFailure("COORD_INVALID_RECIPIENT", { message, where: "/to", input: to });
}

function viewOf(row: MessageRow, now: Date): Notice {
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

function waitingOf({ status, isUnderWay, nextAttemptAt, attempts }: MessageRow, now: Date): string | null {
  if (status !== "PENDING") return null;
  if (isUnderWay) return `Attempt ${attempts} is under way.`;
  if (nextAttemptAt !== null && nextAttemptAt > now)
    return `Attempt ${attempts} failed; the next one is at ${nextAttemptAt.toISOString()}.`;
  return "It is sent as soon as a worker has a place for it.";
}
