/**
 * Tells people what waits for them: looks for it, makes messages of what is new, and sends those that are due. All state is in
 * the database, so any worker continues where another died; a message that was under way then is sent again with the same id.
 */
import { inTransaction } from "../../../platform/db/database.ts";
import { claimByGroup } from "../../../platform/jobs/claim-by-group.ts";
import { unsentAfter, type RowFailure } from "../../../platform/jobs/failed-rows.ts";
import { startRowWorker, type RowQuery, type RowWorker } from "../../../platform/jobs/row-worker.ts";
import { mailChannel } from "./collecting/recipients.ts";
import { beginLook } from "./collecting/store.ts";
import { look, type LookDeps } from "./collecting/look.ts";
import { followSettled } from "../../../platform/events/follow-settled.ts";
import {
  claimMessages,
  composeMessages,
  endMessageAttempt,
  lockComposing,
  noticesChannel,
  type ClaimedMessage,
} from "./sending/message-store.ts";
import { sendMessage, type SendDeps, type SendResult } from "./sending/send.ts";
import { verdictOnSent, type SendVerdict } from "./sending/verdict.ts";

export interface NoticeDeps extends LookDeps, Pick<SendDeps, "outbound" | "serverUrl"> {
  /** The worker whose lease shows that this process is alive. */
  workerId: string;
  /** Counts what was sent and what failed. */
  count: (channel: string, result: "sent" | "failed" | "dead") => void;
}

/** A channel, with how its messages are sent. */
interface Channel {
  name: string;
  parallel: number;
  digestMs: number;
  retryDelaysMs: readonly number[];
}

/** Longest wait between two rounds: retries become due by the clock. */
const idleMs = 1_000;
/** All processes together look once in this time. */
const lookEveryMs = 5_000;
const minuteMs = 60_000;

export function startNotices(deps: NoticeDeps): Promise<RowWorker> {
  const { ctx } = deps;
  const { database } = ctx.coordinator;
  const channels = channelsOf(deps);
  const readSettled = followSettled(database.db);
  return startRowWorker<ClaimedMessage>({
    log: ctx.log,
    name: "notices",
    idleMs,
    parallel: channels.reduce((sum, { parallel }) => sum + parallel, 0),
    async beforeClaims() {
      const begun = await beginLook(database.db, { at: ctx.now(), everyMs: lookEveryMs });
      if (begun) {
        const { settled } = await readSettled();
        await look(deps, begun, settled);
      }
      await compose(deps, channels);
      return false;
    },
    claim: (query) => claimDue(deps, channels, query),
    work: (message, signal) => deliver(deps, { message, channels, signal }),
    describe: ({ id, channel }) => ({ messageId: id, channel }),
    onFailure: (message, failure) => storeFault(deps, message, failure),
    listener: database.listener,
    channels: [noticesChannel],
  });
}

/** Due messages of each channel, up to its own limit. */
const claimDue = (
  { ctx, workerId }: NoticeDeps,
  channels: readonly Channel[],
  query: Pick<RowQuery<ClaimedMessage>, "underWay" | "pausing">,
): Promise<ClaimedMessage[]> =>
  claimByGroup<ClaimedMessage>(
    query,
    channels.map(({ name, parallel }) => ({
      parallel,
      has: ({ channel }) => channel === name,
      claim({ underWay: own, limit }) {
        const underWay = own.map(({ id }) => id);
        const claim = { channel: name, workerId, underWay, at: ctx.now(), limit };
        return claimMessages(ctx.coordinator.database.db, claim);
      },
    })),
  );

function channelsOf({ settings }: NoticeDeps): Channel[] {
  const { mail, chats } = settings;
  const mails = mail === undefined ? [] : [{ ...mail, name: mailChannel }];
  // A chat shows messages in the order in which they come.
  const others = chats.map((chat) => ({ ...chat, parallel: 1 }));
  return [...mails, ...others].map(({ name, parallel, digestMinutes, retryDelaysMs }) => ({
    name,
    parallel,
    digestMs: digestMinutes * minuteMs,
    retryDelaysMs,
  }));
}

async function compose({ ctx }: NoticeDeps, channels: readonly Channel[]): Promise<void> {
  await inTransaction(ctx.coordinator.database, async (tx) => {
    if (!(await lockComposing(tx))) return;
    for (const { name, digestMs } of channels)
      await composeMessages(tx, { channel: name, digestMs, at: ctx.now() });
  });
}

interface Delivery {
  message: ClaimedMessage;
  channels: readonly Channel[];
  signal: AbortSignal;
}

/** Returns when the message is due again, if it is. */
async function deliver(deps: NoticeDeps, { message, channels, signal }: Delivery): Promise<number | null> {
  const { ctx, workerId } = deps;
  const { db } = ctx.coordinator.database;
  const sent = await sendMessage({ ...deps, db, now: ctx.now }, message, signal);
  // Cut off by our own shutdown: the next worker sends it again.
  if (signal.aborted && sent.result === "failed") return null;
  const { id, channel, attempts } = message;
  const at = ctx.now();
  const delays = channels.find(({ name }) => name === channel)?.retryDelaysMs ?? [];
  const verdict = verdictOf(sent, { attempts, at, delays });
  await endMessageAttempt(db, { id, workerId, attempts, ...verdict, at });
  report(deps, message, verdict);
  return verdict.nextAttemptAt === null ? null : verdict.nextAttemptAt.getTime() - at.getTime();
}

/** Stores that sending, or storing its result, failed in the server itself. */
async function storeFault(
  deps: NoticeDeps,
  message: ClaimedMessage,
  failure: RowFailure,
): Promise<number | null> {
  const { ctx, workerId } = deps;
  const { id, attempts } = message;
  const at = ctx.now();
  const verdict = unsentAfter(failure, at);
  await endMessageAttempt(ctx.coordinator.database.db, { id, workerId, attempts, ...verdict, at });
  report(deps, message, verdict);
  return failure.isLast ? null : failure.pauseMs;
}

type Verdict = Omit<SendVerdict, "status"> & { status: SendVerdict["status"] | "WITHDRAWN" };

function verdictOf(
  sent: SendResult,
  { attempts, at, delays }: { attempts: number; at: Date; delays: readonly number[] },
): Verdict {
  if (sent.result === "withdrawn") return { status: "WITHDRAWN", error: null, nextAttemptAt: null };
  return verdictOnSent({ ...sent, result: sent.result }, { attempts, at }, delays);
}

function report({ ctx, count }: NoticeDeps, message: ClaimedMessage, { status, error }: Verdict): void {
  const { id, channel, recipient, attempts } = message;
  const fields = { messageId: id, channel, recipient, attempts, reason: error };
  if (status === "SENT") count(channel, "sent");
  if (status === "PENDING") {
    count(channel, "failed");
    ctx.log.info(fields, "a notice was not sent and is sent again");
  }
  if (status === "DEAD") {
    count(channel, "dead");
    ctx.log.warn(fields, "a notice was given up; it can be sent again");
  }
}
