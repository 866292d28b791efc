/** Pure. The subject and the text of a mail: plain text, so that nothing in it is read as markup. */
import { listUrl, restOf, sampleText, shownLines, summaryOf, type NoticeContent } from "./content.ts";

export interface MailText {
  subject: string;
  text: string;
}

export function mailText(content: NoticeContent): MailText {
  const subject = `[Plinth] ${summaryOf(content)}`;
  const paragraphs = [summaryOf(content) + (content.isTest ? "" : ".")];
  if (content.isTest) paragraphs.push(sampleText);
  for (const { heading, title, url } of shownLines(content))
    paragraphs.push(
      [`* ${heading}`, ...[title, url].flatMap((each) => (each === null ? [] : [`  ${each}`]))].join("\n"),
    );
  const rest = restOf(content);
  if (rest !== null) paragraphs.push(rest);
  const all = listUrl(content);
  paragraphs.push(
    `What waits for you: plinth list waiting${all === null ? "" : `\n${all}`}`,
    "This mail was sent by a program; nobody reads answers to it.\nChoose what you are told about: plinth notices choose",
  );
  return { subject, text: `${paragraphs.join("\n\n")}\n` };
}
