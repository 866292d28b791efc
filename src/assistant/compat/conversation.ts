/** Pure: a conversation as other clients send it, as a task: the last words of the user, and what was said before as data. */
import type { GivenMessage } from "./schema.ts";

export interface Conversation {
  message: string;
  before: string | null;
}

export function textOf({ content }: GivenMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text = "" }) => text).join("");
}

/** Null when the user says nothing in it. */
export function conversationOf(messages: readonly GivenMessage[]): Conversation | null {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const asked = messages[last];
  if (asked === undefined || textOf(asked) === "") return null;
  const before = messages
    .slice(0, last)
    .map((message) => `${message.role}: ${textOf(message)}`)
    .join("\n\n");
  return { message: textOf(asked), before: before === "" ? null : before };
}
