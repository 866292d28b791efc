/** Pure: how a tool call is named in a line. */
import { PlinthError } from "plinth-client";
import { wordsOf } from "../../../parts/values/text.ts";
import type { CallBlock } from "../run/run-view.ts";

export const parsed = (text: string): unknown => {
  const start = text.trimStart()[0];
  if (start !== "{" && start !== "[") return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** JSON with line breaks; anything else as it is. */
export const pretty = (text: string): string => {
  const value = parsed(text);
  return value === null ? text : JSON.stringify(value, null, 2);
};

const maxSubtitle = 140;

export const callTitle = ({
  name,
  arguments: text,
  agent,
}: CallBlock): { title: string; subtitle: string } => {
  const given = (parsed(text) ?? {}) as Record<string, unknown>;
  const short = (value: unknown): string => (typeof value === "string" ? value.slice(0, maxSubtitle) : "");
  if (agent !== null || name.startsWith("ask_"))
    return { title: `Agent ${agent ?? wordsOf(name.slice(4))}`, subtitle: short(given["task"]) };
  if (name === "load_skill") return { title: "Skill", subtitle: short(given["name"]) };
  if (name === "find_tools") return { title: "Looks for tools", subtitle: short(given["query"]) };
  const [, server = "", tool = name] = /^(.+?)__(.+)$/.exec(name) ?? [];
  const subtitle = Object.entries(given)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .slice(0, 4)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(", ");
  const from = server === "" || server === "platform" ? "" : `${server}: `;
  return { title: `${from}${wordsOf(tool)}`, subtitle: subtitle.slice(0, maxSubtitle) };
};

const longestReason = 300;

/** Why a call failed and what to do, in the words of whoever refused it. */
export const failureText = (result: string): string => {
  const [, status, body = ""] = /^The platform refused this \((\d{3})[^)]*\): (.*)$/s.exec(result) ?? [];
  const refusal = status === undefined ? null : new PlinthError(Number(status), parsed(body) ?? body);
  const text =
    refusal === null
      ? result.replace(/^Error: /, "")
      : [refusal.message, ...refusal.solutions.map((each) => `What to do: ${each}`)].join(" ");
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
};
