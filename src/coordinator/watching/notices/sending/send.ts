/** Sends a claimed message: of what it is about, only what still waits, and in the details only what its recipient may see. */
import type { NoticeSettings } from "../../../../platform/config/schema/schema-notices.ts";
import type { Db } from "../../../../platform/db/database.ts";
import type { Outbound } from "../../../../platform/outbound/outbound.ts";
import type { People } from "../../../ports.ts";
import { isAddress, mailChannel } from "../collecting/recipients.ts";
import { maySee, type Seer } from "../collecting/visibility.ts";
import { postToChat } from "./chat.ts";
import type { NoticeContent, NoticeLine } from "./content.ts";
import { mailText } from "./mail-text.ts";
import { sendMail } from "./mail.ts";
import { readMessageEntries, type ClaimedMessage, type MessageEntry } from "./message-store.ts";
import type { Sent } from "./verdict.ts";

export interface SendDeps {
  db: Db;
  outbound: Outbound;
  settings: NoticeSettings;
  people: People;
  now: () => Date;
  /** Without a slash at its end; null where nobody has said it. */
  serverUrl: string | null;
}

/** Things that one message names; more are counted. */
const mostLines = 50;

/** `withdrawn`: nothing that it is about waits any more. */
export type SendResult = Sent | { result: "withdrawn"; error: null };

export async function sendMessage(
  deps: SendDeps,
  message: ClaimedMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  const content = await contentOf(deps, message);
  if (content === null) return { result: "withdrawn", error: null };
  const { outbound, settings, now } = deps;
  if (message.channel !== mailChannel) {
    const chat = settings.chats.find(({ name }) => name === message.channel);
    if (chat === undefined) return notConfigured;
    return postToChat({ outbound, settings: chat, now }, content, signal);
  }
  const { mail } = settings;
  if (mail === undefined) return notConfigured;
  const to = await addressOf(deps, message.recipient);
  if (to === null)
    return { result: "refused", error: "The catalogue has no e-mail address of the recipient." };
  return sendMail({ outbound, settings: mail }, { id: message.id, to, ...mailText(content) }, signal);
}

const notConfigured: Sent = { result: "refused", error: "Its channel is not configured any more." };

async function contentOf(deps: SendDeps, message: ClaimedMessage): Promise<NoticeContent | null> {
  const { id, isTest } = message;
  const { db, serverUrl, now } = deps;
  if (isTest) return { id, lines: [], moreCount: 0, serverUrl, isTest };
  const { entries, total } = await readMessageEntries(db, id, { at: now(), limit: mostLines });
  if (entries.length === 0) return null;
  const seer = await seerOf(deps, message);
  const lines = entries.map((entry) => lineOf(entry, maySee(entry, seer, deps.settings)));
  return { id, lines, moreCount: total - lines.length, serverUrl, isTest };
}

const lineOf = (entry: MessageEntry, isShown: boolean): NoticeLine => {
  const { kind, title, environment, since, expiresAt, path } = entry;
  return { kind, title: isShown ? title : null, environment, since, expiresAt, path };
};

async function seerOf({ people }: SendDeps, { channel, recipient }: ClaimedMessage): Promise<Seer> {
  const groups = recipient.startsWith("user:") ? await people.groupsOf(recipient) : [];
  return { channel, recipient, groups };
}

/** As the catalogue has it now. */
async function addressOf({ people }: SendDeps, recipient: string): Promise<string | null> {
  if (isAddress(recipient)) return recipient;
  return (await people.contacts([recipient])).get(recipient)?.email ?? null;
}
