/** Who is told, and what of it they see. */
import { describe, expect, it } from "vitest";
import type { NoticeKind, NoticeSettings } from "../../../../platform/config/schema/schema-notices.ts";
import { noticeKinds } from "../../../../platform/config/schema/schema-notices.ts";
import type { Contact } from "../../../ports.ts";
import { choiceKey, namesPlans, recipientsOf } from "./recipients.ts";
import { maySee } from "./visibility.ts";

const settings = (more: Partial<NoticeSettings> = {}): NoticeSettings => ({
  mail: {
    host: "localhost",
    port: 25,
    security: "none",
    from: "plinth@example.com",
    fromName: "Plinth",
    timeoutMs: 1_000,
    parallel: 1,
    digestMinutes: 15,
    retryDelaysMs: [],
    kinds: [...noticeKinds],
  },
  chats: [],
  operators: ["group:default/Platform", "ops@example.com"],
  copies: [],
  delayMinutes: { toolApproval: 0, unknownOutcome: 0, hook: 0, others: 0 },
  ...more,
});
const chat = (name: string, more: Partial<NoticeSettings["chats"][0]> = {}): NoticeSettings["chats"][0] => ({
  name,
  format: "json",
  webhookUrl: "https://chat.example",
  details: false,
  timeoutMs: 1_000,
  digestMinutes: 0,
  retryDelaysMs: [],
  ...more,
});

const contact = (ref: string, email: string | null, members: string[] = []): [string, Contact] => [
  ref,
  { ref, email, members },
];
const contacts = new Map([
  contact("user:default/ada", "ada@example.com"),
  contact("user:default/bob", "bob@example.com"),
  contact("user:default/cho", null),
  contact("group:default/masters", null, ["user:default/bob", "user:default/cho"]),
  contact("group:default/harbour", "harbour@example.com", ["user:default/ada"]),
  contact("group:default/platform", null, ["user:default/ada"]),
]);

interface Asked {
  kind?: NoticeKind;
  environment?: string | null;
  notTo?: string;
  deciders?: string[];
  choices?: Map<string, boolean>;
  operatorsDecide?: boolean;
  with?: Partial<NoticeSettings>;
}
const recipientNames = ({
  kind = "RECONCILE",
  environment = "production",
  notTo,
  deciders = [],
  ...more
}: Asked): string[] => {
  const { choices = new Map(), operatorsDecide = true } = more;
  const facts = { settings: settings(more.with), deciders, contacts, choices };
  return recipientsOf({ kind, environment, notTo: notTo ?? null, operatorsDecide }, facts).map(
    ({ channel, recipient }) => (channel === "mail" ? recipient : `#${channel}`),
  );
};

describe("recipients", () => {
  const operators = ["user:default/ada", "ops@example.com"];
  it.each<[string, Asked, string[]]>([
    ["a person", { deciders: ["user:default/ada"] }, ["user:default/ada"]],
    ["a person, once", { deciders: ["user:default/ada", "User:default/Ada"] }, ["user:default/ada"]],
    ["those of a group who have an address", { deciders: ["group:default/masters"] }, ["user:default/bob"]],
    [
      "a group with an address of its own",
      { deciders: ["group:default/harbour"] },
      ["group:default/harbour"],
    ],
    [
      "not who has requested it",
      { deciders: ["user:default/ada", "user:default/bob"], notTo: "user:default/Bob" },
      ["user:default/ada"],
    ],
    ["operators, where nobody decides", {}, operators],
    [
      "operators, where no decider has an address",
      { deciders: ["user:default/cho", "user:default/no"] },
      operators,
    ],
    [
      "operators, where only the requester may",
      { deciders: ["user:default/bob"], notTo: "user:default/bob" },
      operators,
    ],
    ["nobody, where it is not for operators", { operatorsDecide: false }, []],
    [
      "not who does not want it",
      {
        deciders: ["user:default/ada"],
        choices: new Map([[choiceKey("user:default/ada", "RECONCILE"), false]]),
      },
      [],
    ],
    [
      "nobody of a plan's end who has not asked",
      { kind: "PLAN_FAILED", deciders: ["user:default/ada"], operatorsDecide: false },
      [],
    ],
    [
      "who has asked",
      {
        kind: "PLAN_FAILED",
        deciders: ["user:default/ada"],
        operatorsDecide: false,
        choices: new Map([[choiceKey("user:default/ada", "PLAN_FAILED"), true]]),
      },
      ["user:default/ada"],
    ],
    [
      "chats besides",
      {
        deciders: ["user:default/ada"],
        with: {
          chats: [chat("a"), chat("b", { kinds: ["HOOK"] }), chat("c", { environments: ["development"] })],
        },
      },
      ["#a", "user:default/ada"],
    ],
    [
      "no chat about a tool call unless it names it",
      {
        kind: "TOOL_APPROVAL",
        operatorsDecide: false,
        with: { chats: [chat("a"), chat("b", { kinds: ["TOOL_APPROVAL"] })] },
      },
      ["#b"],
    ],
    [
      "copies",
      {
        deciders: ["user:default/ada"],
        with: {
          copies: [
            { to: "a@example.com", details: false },
            { to: "group:default/masters", details: false },
          ],
        },
      },
      ["user:default/ada", "a@example.com", "user:default/bob"],
    ],
    [
      "only chats without a mail server",
      { deciders: ["user:default/ada"], with: { mail: undefined, chats: [chat("a")] } },
      ["#a"],
    ],
  ])("%s", (_, asked, expected) => {
    expect(recipientNames(asked)).toEqual(expected);
  });

  it("no mail about a kind that the server sends none about", () => {
    const mail = { ...settings().mail!, kinds: [] };
    expect(recipientNames({ deciders: ["user:default/ada"], with: { mail } })).toEqual([]);
  });
});

describe("who sees what it is about", () => {
  const of = (recipient: string, more: Partial<Parameters<typeof maySee>[1]> = {}) => ({
    channel: "mail",
    recipient,
    groups: [],
    ...more,
  });
  const hidden = { visibleTo: ["user:default/ada", "group:default/masters"], operatorsSee: true };
  const own = { visibleTo: ["user:default/bob"], operatorsSee: false };
  const open = { visibleTo: null, operatorsSee: true };
  const copies = [
    { to: "audit@example.com", details: true },
    { to: "list@example.com", details: false },
  ];
  const chats = [chat("open", { details: true }), chat("closed")];
  it.each<[string, Parameters<typeof maySee>[0], Parameters<typeof maySee>[1], boolean]>([
    ["an owner", hidden, of("user:default/ada"), true],
    [
      "somebody of an owning group",
      hidden,
      of("user:default/bob", { groups: ["group:default/masters"] }),
      true,
    ],
    ["somebody who has left the group", hidden, of("user:default/bob"), false],
    ["an operator by a group", hidden, of("user:default/dan", { groups: ["group:default/platform"] }), true],
    ["an address that stands for operators", hidden, of("ops@example.com"), true],
    ["an address that may", hidden, of("audit@example.com"), true],
    ["an address that may not", open, of("list@example.com"), false],
    ["anybody of the catalogue, what every reader may see", open, of("user:default/dan"), true],
    ["a chat that may", hidden, of("", { channel: "open" }), true],
    ["a chat that may not", open, of("", { channel: "closed" }), false],
    ["a tool call: its user", own, of("user:default/bob"), true],
    ["a tool call: no operator", own, of("ops@example.com"), false],
    ["a tool call: no chat", own, of("", { channel: "open" }), false],
    ["a tool call: no copy", own, of("audit@example.com"), false],
  ])("%s", (_, visible, seer, expected) => {
    expect(maySee(visible, seer, settings({ copies, chats }))).toBe(expected);
  });
});

it("knows whether plans that end are for anybody", () => {
  expect(namesPlans(settings())).toBe(false);
  expect(namesPlans(settings({ chats: [chat("a")] }))).toBe(true);
  expect(namesPlans(settings({ chats: [chat("a", { kinds: ["HOOK"] })] }))).toBe(false);
});
