/**
 * Pure. Messages in the forms of chats. Texts come from users, so each form puts them where the chat reads no markup, links
 * or mentions in them, or escapes those.
 */
import type { ChatFormat } from "../../../../platform/config/schema/schema-notices.ts";
import {
  listUrl,
  plainLine,
  restOf,
  sampleText,
  shownLines,
  summaryOf,
  type NoticeContent,
} from "./content.ts";

/** The chats refuse messages above some 28 KB; lines that would go beyond it are counted instead. */
const longestBytes = 20_000;

export function chatBody(format: ChatFormat, content: NoticeContent): string {
  let fitting = cut(content, format === "slack" ? mostSlackLines : content.lines.length);
  for (;;) {
    const body = JSON.stringify(makers[format](fitting));
    const half = Math.floor(fitting.lines.length / 2);
    if (Buffer.byteLength(body) <= longestBytes || half === 0) return body;
    fitting = cut(fitting, half);
  }
}

/** What is left out is counted. */
function cut(content: NoticeContent, most: number): NoticeContent {
  const lines = content.lines.slice(0, most);
  return { ...content, lines, moreCount: content.moreCount + content.lines.length - lines.length };
}

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: `plain_text` has no markup and no mentions. */
function slack(content: NoticeContent): object {
  const blocks: object[] = [
    { type: "header", text: { type: "plain_text", text: plainLine(summaryOf(content), 150), emoji: false } },
  ];
  const section = (text: string): void =>
    void blocks.push({ type: "section", text: { type: "plain_text", text, emoji: false } });
  const link = (url: string, label: string): void =>
    void blocks.push({
      type: "context",
      elements: [{ type: "mrkdwn", text: `<${escapedMarkup(url).replaceAll("|", "%7C")}|${label}>` }],
    });
  if (content.isTest) section(sampleText);
  for (const { heading, title, url } of shownLines(content)) {
    section(title === null ? heading : `${heading}\n${title}`);
    if (url !== null) link(url, "Details");
  }
  const rest = restOf(content);
  if (rest !== null) section(rest);
  const all = listUrl(content);
  if (all !== null) link(all, "What waits for you");
  // For notifications of devices, where the blocks are not shown.
  return { text: escapedMarkup(summaryOf(content)), blocks };
}

/** Two blocks for each; a message has at most 50. */
const mostSlackLines = 20;

/** The three characters that Slack and Google Chat read as markup. */
const escapedMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors: text runs are shown as they are. */
function teams(content: NoticeContent): object {
  const run = (text: string, more: object = {}): object => ({
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text, ...more }],
  });
  const body: object[] = [run(summaryOf(content), { weight: "Bolder", size: "Medium" })];
  if (content.isTest) body.push(run(sampleText));
  for (const { heading, title, url } of shownLines(content)) {
    const action = url === null ? {} : { selectAction: { type: "Action.OpenUrl", url } };
    body.push(run(heading, { isSubtle: title !== null, ...action }));
    if (title !== null) body.push(run(title));
  }
  const rest = restOf(content);
  if (rest !== null) body.push(run(rest));
  const all = listUrl(content);
  const actions = all === null ? [] : [{ type: "Action.OpenUrl", title: "What waits for you", url: all }];
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body,
          actions,
        },
      },
    ],
  };
}

/** https://developers.google.com/workspace/chat/quickstart/webhooks: paragraphs of cards are a part of HTML. */
function googleChat(content: NoticeContent): object {
  const paragraph = (text: string): object => ({ textParagraph: { text: escapedHtml(text) } });
  const button = (text: string, url: string): object => ({
    buttonList: { buttons: [{ text, onClick: { openLink: { url } } }] },
  });
  const widgets: object[] = content.isTest ? [paragraph(sampleText)] : [];
  for (const { heading, title, url } of shownLines(content)) {
    widgets.push({
      textParagraph: {
        text: `<b>${escapedHtml(heading)}</b>${title === null ? "" : `<br>${escapedHtml(title)}`}`,
      },
    });
    if (url !== null) widgets.push(button("Details", url));
  }
  const rest = restOf(content);
  if (rest !== null) widgets.push(paragraph(rest));
  const all = listUrl(content);
  if (all !== null) widgets.push(button("What waits for you", all));
  const header = { title: summaryOf(content) };
  return { cardsV2: [{ cardId: content.id, card: { header, sections: [{ widgets }] } }] };
}

const escapedHtml = (text: string): string => escapedMarkup(text).replaceAll('"', "&quot;");

/** https://developers.mattermost.com/integrate/webhooks/incoming: Markdown, in which a mention works anywhere but in code. */
function mattermost(content: NoticeContent): object {
  const lines = [`**${escapedMarkdown(summaryOf(content))}**`];
  if (content.isTest) lines.push(sampleText);
  for (const { heading, title, url } of shownLines(content)) {
    const link = url === null ? "" : ` ([details](${url}))`;
    lines.push(`- ${escapedMarkdown(heading)}${link}${title === null ? "" : `: ${escapedMarkdown(title)}`}`);
  }
  const rest = restOf(content);
  if (rest !== null) lines.push(rest);
  const all = listUrl(content);
  if (all !== null) lines.push(`[What waits for you](${all})`);
  return { text: lines.join("\n") };
}

/** A space without width after a @ makes it no mention, and one within :// no link. */
const escapedMarkdown = (text: string): string =>
  text
    .replaceAll(/[\\`*_{}[\]()#+.!|<>~:$-]/g, String.raw`\$&`)
    .replaceAll("@", "@\u200b")
    .replaceAll(String.raw`\://`, "\\:\u200b//");

/** For programs: what the others have in words, and everything that it was made of. */
function json(content: NoticeContent): object {
  return {
    id: content.id,
    text: summaryOf(content),
    test: content.isTest,
    notices: content.lines.map(({ kind, title, environment, since, expiresAt, path }) =>
      title === null
        ? { kind }
        : {
            kind,
            title,
            environment,
            since: since.toISOString(),
            expiresAt: expiresAt?.toISOString() ?? null,
            url: content.serverUrl === null ? null : `${content.serverUrl}${path}`,
          },
    ),
    more: content.moreCount,
    url: listUrl(content),
  };
}

const makers: Record<ChatFormat, (content: NoticeContent) => object> = {
  slack,
  teams,
  "google-chat": googleChat,
  mattermost,
  json,
};
