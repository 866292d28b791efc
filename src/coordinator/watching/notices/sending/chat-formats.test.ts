/** Pins of the messages in the shapes that the chats document, and texts that try to be more than text. */
import { describe, expect, it } from "vitest";
import { chatBody } from "./chat-formats.ts";
import type { NoticeContent, NoticeLine } from "./content.ts";

const line: NoticeLine = {
  kind: "ACCESS_REQUEST",
  title: "user:default/eve asks for access to urn:sea:ships: For the report.",
  environment: "production",
  since: new Date("2026-11-23T10:00:00Z"),
  expiresAt: new Date("2026-12-07T10:00:00Z"),
  path: "/api/builder/hooks/h1",
};
const content = (...lines: NoticeLine[]): NoticeContent => ({
  id: "m1",
  lines,
  moreCount: 0,
  serverUrl: "https://plinth.example",
  isTest: false,
});
const made = (format: Parameters<typeof chatBody>[0], wanted = content(line)): any =>
  JSON.parse(chatBody(format, wanted));

const heading = "Access request in production, since 2026-11-23 10:00 UTC, until 2026-12-07 10:00 UTC";
const summary = "Access request: user:default/eve asks for access to urn:sea:ships: For the report.";
const details = "https://plinth.example/api/builder/hooks/h1";
const waiting = "https://plinth.example/api/coordinator/v1/waiting";

describe("each chat gets its own shape", () => {
  it("slack: blocks with plain text", () => {
    expect(made("slack")).toEqual({
      text: summary,
      blocks: [
        { type: "header", text: { type: "plain_text", text: summary, emoji: false } },
        { type: "section", text: { type: "plain_text", text: `${heading}\n${line.title}`, emoji: false } },
        { type: "context", elements: [{ type: "mrkdwn", text: `<${details}|Details>` }] },
        { type: "context", elements: [{ type: "mrkdwn", text: `<${waiting}|What waits for you>` }] },
      ],
    });
  });

  it("teams: an adaptive card in a message", () => {
    const run = (text: string, more: object = {}) => ({
      type: "RichTextBlock",
      inlines: [{ type: "TextRun", text, ...more }],
    });
    expect(made("teams")).toEqual({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              run(summary, { weight: "Bolder", size: "Medium" }),
              run(heading, { isSubtle: true, selectAction: { type: "Action.OpenUrl", url: details } }),
              run(line.title!),
            ],
            actions: [{ type: "Action.OpenUrl", title: "What waits for you", url: waiting }],
          },
        },
      ],
    });
  });

  it("google-chat: a card of the second version", () => {
    const button = (text: string, url: string) => ({
      buttonList: { buttons: [{ text, onClick: { openLink: { url } } }] },
    });
    expect(made("google-chat")).toEqual({
      cardsV2: [
        {
          cardId: "m1",
          card: {
            header: { title: summary },
            sections: [
              {
                widgets: [
                  { textParagraph: { text: `<b>${heading}</b><br>${line.title}` } },
                  button("Details", details),
                  button("What waits for you", waiting),
                ],
              },
            ],
          },
        },
      ],
    });
  });

  it("mattermost: Markdown", () => {
    expect(made("mattermost").text.split("\n")).toEqual([
      expect.stringMatching(/^\*\*Access request.*\*\*$/),
      expect.stringContaining(`([details](${details}))`),
      `[What waits for you](${waiting})`,
    ]);
  });

  it("json: everything that it was made of", () => {
    expect(made("json")).toEqual({
      id: "m1",
      text: summary,
      test: false,
      notices: [
        {
          kind: "ACCESS_REQUEST",
          title: line.title,
          environment: "production",
          since: "2026-11-23T10:00:00.000Z",
          expiresAt: "2026-12-07T10:00:00.000Z",
          url: details,
        },
      ],
      more: 0,
      url: waiting,
    });
  });
});

describe("a text of a user", () => {
  const evil =
    "@channel @all <!channel> <https://evil.example|click> [click](https://evil.example) <users/all> **x** `y`";
  const of = (format: Parameters<typeof chatBody>[0]): string =>
    JSON.stringify(made(format, content({ ...line, title: evil })));

  it("is no markup in slack", () => {
    const { text, blocks } = made("slack", content({ ...line, title: evil }));
    expect(text).not.toMatch(/[<>]/);
    for (const { text: inner } of blocks.slice(0, 2)) expect(inner.type).toBe("plain_text");
    expect(JSON.stringify(blocks.slice(2))).not.toContain("evil");
  });
  it("stands in text runs in teams, which have no markup", () => {
    expect(of("teams")).not.toContain('TextBlock","text');
  });
  it("is escaped in google-chat", () => {
    const { widgets } = made("google-chat", content({ ...line, title: evil })).cardsV2[0].card.sections[0];
    expect(JSON.stringify(widgets)).not.toMatch(/<users|<https|<!/);
  });
  it("is escaped in mattermost, and mentions nobody", () => {
    const { text } = made("mattermost", content({ ...line, title: evil }));
    expect(text).not.toMatch(/@channel|@all|\]\(https:\/\/evil|(?<!\\)`y/);
    expect(text).not.toMatch(/(?<![\\(])https:\/\/evil/);
  });
});

describe("what the reader may not see", () => {
  it.each(["slack", "teams", "google-chat", "mattermost", "json"] as const)(
    "is only counted in %s",
    (format) => {
      const hidden = { ...line, title: null };
      const text = chatBody(format, content(hidden, hidden, { ...hidden, kind: "EXCEPTION" }));
      expect(text).not.toMatch(/eve|ships|hooks\/h1|production/);
      if (format !== "json") expect(text).toContain("2 access requests");
    },
  );
});

it("a long list is cut where a chat would refuse it, and counted", () => {
  const lines = Array.from({ length: 50 }, () => ({ ...line, title: "x".repeat(5_000) }));
  for (const format of ["slack", "teams", "google-chat", "mattermost", "json"] as const) {
    const text = chatBody(format, content(...lines));
    expect(Buffer.byteLength(text)).toBeLessThan(28_000);
    expect(text).toMatch(/And \d+ more|"more":\d\d/);
  }
  const { blocks } = made("slack", content(...lines.map((each) => ({ ...each, title: "short" }))));
  expect(blocks.length).toBeLessThanOrEqual(50);
});
