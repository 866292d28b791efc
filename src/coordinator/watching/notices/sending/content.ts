/** Pure. What a message says, before it is put into the form of a mail or of a chat. */
import type { NoticeKind } from "../../../../platform/config/schema/schema-notices.ts";

/** One of the things that a message is about. */
export interface NoticeLine {
  kind: NoticeKind;
  /** Null where the recipient may not see what it is. */
  title: string | null;
  environment: string | null;
  since: Date;
  expiresAt: Date | null;
  /** Path on this server with its details. */
  path: string;
}

export interface NoticeContent {
  /** Of the message; the same each time it is sent. */
  id: string;
  lines: readonly NoticeLine[];
  /** More of them that the message leaves out. */
  moreCount: number;
  /** Without a slash at its end; null where nobody has said it. */
  serverUrl: string | null;
  isTest: boolean;
}

const nouns: Record<NoticeKind, readonly [one: string, many: string]> = {
  ACCESS_REQUEST: ["access request", "access requests"],
  DEPLOYMENT_APPROVAL: ["deployment to approve", "deployments to approve"],
  DATA_REMOVAL_APPROVAL: ["removal of data to approve", "removals of data to approve"],
  HOOK: ["hook that a third party has not answered", "hooks that third parties have not answered"],
  TOOL_APPROVAL: ["tool call of the assistant to approve", "tool calls of the assistant to approve"],
  EXCEPTION: ["exception from a policy to decide about", "exceptions from policies to decide about"],
  RECONCILE: ["repair of drift to decide about", "repairs of drift to decide about"],
  UNKNOWN_OUTCOME: ["unknown outcome to settle", "unknown outcomes to settle"],
  PLAN_FAILED: ["plan that failed", "plans that failed"],
  PLAN_ENDED: ["plan that ended", "plans that ended"],
};

/** What has happened and waits for nobody. */
const passed: ReadonlySet<NoticeKind> = new Set(["PLAN_FAILED", "PLAN_ENDED"]);

const longestSubject = 160;
const longestTitle = 600;

/** Text of others as one line without control, format and other invisible characters. */
export function plainLine(text: string, most: number): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  const points = Array.from(line);
  return points.length <= most ? line : `${points.slice(0, most - 1).join("")}…`;
}

/** One line for all: a subject, or the first line of a chat message. */
export function summaryOf({ lines, moreCount, isTest }: NoticeContent): string {
  if (isTest) return "A sample of the notices of Plinth";
  const [first] = lines;
  if (first !== undefined && lines.length === 1 && moreCount === 0) {
    const noun = capitalized(nouns[first.kind][0]);
    return plainLine(first.title === null ? noun : `${noun}: ${first.title}`, longestSubject);
  }
  const waiting = lines.filter(({ kind }) => !passed.has(kind)).length;
  const total = lines.length + moreCount;
  return waiting === lines.length ? `${total} things wait for a decision` : `${total} notices of Plinth`;
}

export interface ShownLine {
  /** What kind it is, where it belongs and since when it waits. */
  heading: string;
  /** Null where the recipient may not see what it is. */
  title: string | null;
  /** Null where the address of this server is not known, or with the title. */
  url: string | null;
}

/** Those that the recipient may not see are only counted, by kind. */
export function shownLines({ lines, serverUrl }: NoticeContent): ShownLine[] {
  const hidden = new Map<NoticeKind, number>();
  for (const { kind, title } of lines) if (title === null) hidden.set(kind, (hidden.get(kind) ?? 0) + 1);
  const counted = [...hidden].map(([kind, count]) => ({
    heading: count === 1 ? capitalized(nouns[kind][0]) : `${count} ${nouns[kind][1]}`,
    title: null,
    url: null,
  }));
  const shown = lines.flatMap((line) =>
    line.title === null
      ? []
      : [
          {
            heading: headingOf(line),
            title: plainLine(line.title, longestTitle),
            url: serverUrl === null ? null : `${serverUrl}${line.path}`,
          },
        ],
  );
  return [...shown, ...counted];
}

function headingOf({ kind, environment, since, expiresAt }: NoticeLine): string {
  const place = environment === null || environment === "" ? "" : ` in ${environment}`;
  const time = passed.has(kind) ? `, ${minuteOf(since)}` : `, since ${minuteOf(since)}`;
  const end = expiresAt === null ? "" : `, until ${minuteOf(expiresAt)}`;
  return `${capitalized(nouns[kind][0])}${place}${time}${end}`;
}

/** Where all that waits for the reader is listed; null where the address of this server is not known. */
export const listUrl = ({ serverUrl }: NoticeContent): string | null =>
  serverUrl === null ? null : `${serverUrl}/api/coordinator/v1/waiting`;

export const restOf = ({ moreCount }: NoticeContent): string | null =>
  moreCount === 0 ? null : `And ${moreCount} more.`;

export const sampleText = "This is a sample, sent on request. Nothing waits because of it.";

const minuteOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
