/** Wire shapes of the operations on notices. */
import { Type, type Static } from "typebox";
import { noticeKinds } from "../../../platform/config/schema/schema-notices.ts";
import { Nullable } from "../../../platform/http/schema.ts";

export const noticeParams = Type.Object({
  "notice-id": Type.String({ minLength: 1, maxLength: 256 }),
});

const status = Type.Enum(["PENDING", "SENT", "DEAD", "WITHDRAWN"] as const, {
  description:
    "DEAD: given up, and not sent again by itself. WITHDRAWN: nothing of it waited any more before it was sent.",
});
const kind = Type.Enum(noticeKinds, { description: "What it is about." });
const channel = Type.String({
  minLength: 1,
  maxLength: 63,
  description: "`mail`, or the name of a chat.",
});
const time = Type.String({ format: "date-time" });

export const noticeListQuery = Type.Object({
  channel: Type.Optional(channel),
  status: Type.Optional(status),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: "`meta.pagination.next` of the page before." }),
  ),
});

export const notice = Type.Object({
  id: Type.String({ description: "Of the message; its Message-ID contains it." }),
  channel,
  recipient: Type.String({
    description: "A reference of the catalogue, an address, or empty for a chat.",
  }),
  status,
  isTest: Type.Boolean(),
  attempts: Type.Integer(),
  createdAt: time,
  lastAttemptAt: Nullable(time),
  lastError: Nullable(Type.String()),
  nextAttemptAt: Nullable(time),
  endedAt: Nullable(time),
  waiting: Nullable(Type.String({ description: "Why it is not sent yet." })),
  notices: Type.Array(Type.Object({ kind, id: Type.String() }), {
    description: "What it is about, at most 100.",
  }),
});
export type Notice = Static<typeof notice>;

export const noticeList = Type.Object({
  data: Type.Array(notice),
  meta: Type.Object({
    pagination: Type.Object({ limit: Type.Integer(), next: Type.Union([Type.String(), Type.Null()]) }),
  }),
});
export type NoticeList = Static<typeof noticeList>;

export const channelList = Type.Object({
  data: Type.Array(
    Type.Object({
      name: channel,
      pending: Type.Integer({ description: "Messages that wait to be sent." }),
      dead: Type.Integer({ description: "Messages that were given up." }),
      oldestPendingAt: Nullable(time),
    }),
    { description: "Mail first, where a mail server is configured; empty where nothing is sent." },
  ),
});
export type ChannelList = Static<typeof channelList>;

export const testBody = Type.Object({
  channel,
  to: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      description: "For mails: a user or group of the catalogue, or an address; the caller when not given.",
    }),
  ),
});
export type TestBody = Static<typeof testBody>;

export const noticeChoices = Type.Object({
  ref: Type.String({ description: "The caller." }),
  email: Nullable(Type.String({ description: "Where mails go, as the catalogue has it." })),
  choices: Type.Array(
    Type.Object({
      kind,
      wanted: Type.Boolean(),
      sent: Type.Boolean({ description: "Whether this server sends mails about it at all." }),
    }),
  ),
});
export type NoticeChoices = Static<typeof noticeChoices>;

export const choicesBody = Type.Object({
  choices: Type.Array(Type.Object({ kind, wanted: Type.Boolean() }), {
    minItems: 1,
    maxItems: noticeKinds.length,
    description: "Kinds that are not named stay as they are.",
  }),
});
export type ChoicesBody = Static<typeof choicesBody>;
