/** Settings of notices: mails and chat messages about what waits for people. */
import { Type, type Static } from "typebox";
import { count, entry, environmentName, section, text } from "./schema-parts.ts";

/** What people are told about; docs/guides/notices.md describes each. */
export const noticeKinds = [
  "ACCESS_REQUEST",
  "DEPLOYMENT_APPROVAL",
  "DATA_REMOVAL_APPROVAL",
  "HOOK",
  "TOOL_APPROVAL",
  "EXCEPTION",
  "RECONCILE",
  "UNKNOWN_OUTCOME",
  "PLAN_FAILED",
  "PLAN_ENDED",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const chatFormats = ["slack", "teams", "google-chat", "mattermost", "json"] as const;
export type ChatFormat = (typeof chatFormats)[number];

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const kindList = (description: string) =>
  Type.Array(Type.Enum(noticeKinds), { minItems: 1, maxItems: 20, uniqueItems: true, description });

const environmentList = Type.Optional(
  Type.Array(environmentName("Name of an environment."), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: "Only what belongs to one of these environments; everything when not given.",
  }),
);

/** One mailbox, without a name; what mail servers disagree about is left out. */
export const mailAddressPattern =
  "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?){0,9}$";
const mailAddress = (description: string) =>
  Type.String({
    maxLength: 254,
    pattern: mailAddressPattern,
    "x-expects": "an address such as ada@example.com, without a name",
    description,
  });

const recipient = Type.String({
  maxLength: 254,
  pattern: `^(?:(?:user|group):[A-Za-z0-9._-]+/[A-Za-z0-9._%-]+)$|${mailAddressPattern}`,
  "x-expects": "a reference such as group:default/platform, or an address such as ada@example.com",
  description: "A user or group of the catalogue, or an address.",
});

const retryDelays = Type.Array(Type.Integer({ minimum: 1, maximum: 48 * hour }), {
  maxItems: 30,
  default: [30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour],
  description: "Waits after each failed attempt; after the last one the message is dead.",
});

const mail = entry(
  {
    host: text("Name or address of the mail server.", { maxLength: 253 }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, default: 587, description: "Its port." }),
    security: Type.Enum(["starttls", "tls", "none"] as const, {
      default: "starttls",
      description:
        "`starttls`: the connection is encrypted before anything is said, or nothing is sent. `tls`: it is encrypted from its first byte (usually port 465). `none`: it is not.",
    }),
    ca: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000_000,
        "x-reload": true,
        description:
          "Certificates in PEM form that its certificate may be signed by, besides the usual ones.",
      }),
    ),
    user: Type.Optional(
      text("Who signs in there; without it nobody does.", { maxLength: 320, "x-reload": true }),
    ),
    password: Type.Optional(
      text("Password of that user.", { "x-secret": true, "x-reload": true, "x-empty": "unset" }),
    ),
    from: mailAddress("Address that the mails come from."),
    fromName: text("Name beside that address.", {
      default: "Plinth",
      maxLength: 100,
      pattern: "^[^\\p{C}]*$",
      "x-expects": "a name without control characters",
    }),
    replyTo: Type.Optional(mailAddress("Where answers go.")),
    timeoutMs: count(30 * second, "Time limit of sending one mail.", { maximum: 10 * minute }),
    parallel: count(2, "Mails under way at a time, in this process.", { maximum: 32 }),
    digestMinutes: count(
      15,
      "A recipient gets at most one mail in this time; what comes meanwhile is in the next one. 0: no limit.",
      { minimum: 0, maximum: 1_440 },
    ),
    retryDelaysMs: retryDelays,
    kinds: Type.Array(Type.Enum(noticeKinds), {
      maxItems: 20,
      uniqueItems: true,
      default: [...noticeKinds],
      description: "What mails are sent about. Each person chooses among these.",
    }),
  },
  "The mail server. Without it no mail is sent.",
);
export type MailSettings = Static<typeof mail>;

const chat = entry(
  {
    name: Type.String({
      pattern: "^[a-z0-9][a-z0-9-]{0,62}$",
      "x-expects": "at most 63 lower case letters, digits and hyphens",
      description: "Its name in lists and metrics.",
    }),
    format: Type.Enum(chatFormats, {
      description:
        "Form of its messages: `slack`, `teams` (an adaptive card, for a workflow that posts it), `google-chat`, `mattermost`, or `json` for a program of your own.",
    }),
    webhookUrl: text("Address that takes its messages. It is a secret: whoever knows it can write there.", {
      format: "http-url",
      "x-secret": true,
      "x-reload": true,
      "x-expects": "a plain http or https address without a user name or password in it",
    }),
    kinds: Type.Optional(
      kindList("What it is told about; everything but TOOL_APPROVAL and PLAN_ENDED when not given."),
    ),
    environments: environmentList,
    details: Type.Boolean({
      default: false,
      description:
        "Whether everybody who reads there may see what it is about. Otherwise messages only say how much of which kind waits.",
    }),
    timeoutMs: count(15 * second, "Time limit of a call.", { maximum: 5 * minute }),
    digestMinutes: count(1, "It gets at most one message in this time. 0: no limit.", {
      minimum: 0,
      maximum: 1_440,
    }),
    retryDelaysMs: retryDelays,
  },
  "One chat.",
);
export type ChatSettings = Static<typeof chat>;

const copy = entry(
  {
    to: recipient,
    kinds: Type.Optional(
      kindList("What it gets; everything but TOOL_APPROVAL and PLAN_ENDED when not given."),
    ),
    environments: environmentList,
    details: Type.Boolean({
      default: false,
      description:
        "For an address: whether its readers may see what it is about. A user or group sees what it may see anyway.",
    }),
  },
  "Somebody who gets mails besides those who have to decide.",
);

const delay = (fallback: number, what: string) =>
  count(fallback, `Minutes that ${what} has waited before anybody is told.`, { minimum: 0, maximum: 10_080 });

export const notices = section(
  {
    mail: Type.Optional(mail),
    chats: Type.Array(chat, { maxItems: 50, default: [], description: "Chats that get messages." }),
    operators: Type.Array(recipient, {
      maxItems: 100,
      default: [],
      uniqueItems: true,
      description:
        "Who gets the mails for operators: what only they can decide, and what nobody else is known to decide.",
    }),
    copies: Type.Array(copy, {
      maxItems: 100,
      default: [],
      description: "Who else gets mails.",
    }),
    delayMinutes: section(
      {
        toolApproval: delay(5, "a tool call of the assistant"),
        unknownOutcome: delay(10, "an unknown outcome"),
        hook: delay(60, "a hook that a third party has to answer"),
        others: delay(0, "anything else"),
      },
      "What is decided within this time is not reported.",
    ),
  },
  "Mails and chat messages about what waits for people. None are sent by default.",
);
export type NoticeSettings = Static<typeof notices>;
