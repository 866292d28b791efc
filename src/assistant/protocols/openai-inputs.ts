/**
 * Pure: inputs of OpenAI's interfaces that would change the answer and that this platform does not take. They are refused by
 * name; all others, such as `temperature`, are accepted without effect.
 */
import type { InputProblem } from "../../platform/http/operation.ts";
import { bodyProblem } from "../body-problems.ts";
import { unsupportedParameter, unsupportedValue } from "./openai-errors.ts";

type Given = Readonly<Record<string, unknown>>;

/** What a field may be besides null and absent; otherwise the message. */
interface Rule {
  field: string;
  isFine: (value: unknown) => boolean;
  message: string;
  keyword?: string;
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const never = (): boolean => false;
const isFalse = (value: unknown): boolean => value === false;
const isNone = (value: unknown): boolean => value === "none" || value === "auto";
const isZero = (value: unknown): boolean => value === 0;
const typeIsText = (value: unknown): boolean => partOf(value, "type") === "text";

const partOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;

const ownTools =
  "is not supported: the agent calls the tools that the platform gave it, not those of the client";
const textOnly = "is not supported: agents answer with text only";

const shared: Rule[] = [
  { field: "tools", isFine: isEmpty, message: ownTools },
  { field: "tool_choice", isFine: isNone, message: ownTools, keyword: unsupportedValue },
  { field: "modalities", isFine: isTextOnly, message: textOnly, keyword: unsupportedValue },
  { field: "audio", isFine: never, message: textOnly },
  {
    field: "top_logprobs",
    isFine: isZero,
    message: "is not supported: models' probabilities are not passed on",
  },
  { field: "stop", isFine: isEmpty, message: "is not supported: an answer ends where the agent ends it" },
];

const ofChat: Rule[] = [
  ...shared,
  { field: "functions", isFine: isEmpty, message: ownTools },
  { field: "function_call", isFine: isNone, message: ownTools, keyword: unsupportedValue },
  {
    field: "n",
    isFine: (value) => value === 1,
    message: "must be 1: a run has one answer",
    keyword: unsupportedValue,
  },
  {
    field: "response_format",
    isFine: typeIsText,
    message: "must have the type text",
    keyword: unsupportedValue,
  },
  {
    field: "logprobs",
    isFine: isFalse,
    message: "is not supported: models' probabilities are not passed on",
  },
  { field: "web_search_options", isFine: never, message: ownTools },
];

const ofResponses: Rule[] = [
  ...shared,
  {
    field: "text",
    isFine: (value) => partOf(value, "format") === null || typeIsText(partOf(value, "format")),
    message: "must have a format of the type text",
    keyword: unsupportedValue,
  },
  {
    field: "background",
    isFine: isFalse,
    message: "is not supported: stream the answer, or start the run with POST /api/assistant/v2/task",
  },
  {
    field: "conversation",
    isFine: never,
    message: "is not supported: name the response before by previous_response_id",
  },
  { field: "prompt", isFine: never, message: "is not supported: instructions of an agent are its own" },
];

/** Texts of a message, and what earlier answers may hold. */
const textParts: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text", "refusal"]);

/** Items of an input besides messages that answers of this platform have, or that answer them. */
const ownItems: ReadonlySet<unknown> = new Set([
  null,
  "message",
  "reasoning",
  "mcp_approval_request",
  "mcp_approval_response",
  "mcp_call",
  "mcp_list_tools",
]);

export function unsupportedInChat(body: Given): InputProblem[] {
  return [...broken(body, ofChat), ...messageProblems("messages", body["messages"])];
}

export function unsupportedInResponse(body: Given): InputProblem[] {
  const { input } = body;
  const items = Array.isArray(input) ? input : [];
  const problems = items.flatMap((item: unknown, n) => {
    const type = partOf(item, "type");
    if (ownItems.has(type)) return [];
    return [refused(["input", n], { value: type, keyword: unsupportedValue, message: itemMessage(type) })];
  });
  return [...broken(body, ofResponses), ...problems, ...messageProblems("input", input)];
}

const itemMessage = (type: unknown): string =>
  `has the type ${String(type).slice(0, 60)}, which is not supported: messages and answers to approvals are`;

const broken = (body: Given, rules: readonly Rule[]): InputProblem[] =>
  rules.flatMap(({ field, isFine, message, keyword = unsupportedParameter }) => {
    const value = body[field] ?? null;
    return value === null || isFine(value) ? [] : [refused([field], { value, keyword, message })];
  });

function messageProblems(field: string, messages: unknown): InputProblem[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown, n) => {
    const content = partOf(message, "content");
    if (!Array.isArray(content)) return [];
    return content.flatMap((part: unknown, at) => {
      const type = partOf(part, "type");
      if (textParts.has(type)) return [];
      const message_ = `has the type ${String(type).slice(0, 60)}, which is not supported: agents read text only`;
      const place = [field, n, "content", at];
      return [refused(place, { value: type, keyword: unsupportedValue, message: message_ })];
    });
  });
}

const refused = (
  path: (string | number)[],
  { value, keyword, message }: { value: unknown; keyword: string; message: string },
): InputProblem => ({ ...bodyProblem(path, message, value), keyword });

function isTextOnly(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => each === "text");
}
