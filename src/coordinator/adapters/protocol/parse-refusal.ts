import { isRecord } from "../../../platform/lib/is-record.ts";
import { nonBlank, parseJson, shorten } from "./text.ts";

/** Maximum number of problems, and of solutions, that are read from one answer. */
const maxEntries = 200;
/** Characters of all of them together. */
const maxChars = 64_000;

/** The content of an error body, whichever shape it had. */
export interface Complaint {
  problems: string[];
  solutions: string[];
  userMessage?: string;
  input?: string;
  inputErrorField?: string;
}

/**
 * Reads the body of a 4xx or 5xx: `{errors[]}` with its optional companions, `{detail[]}`, `{error}`, the
 * usual variants of these, or plain text, which is truncated. An empty body gives an empty complaint.
 */
export function parseComplaint(text: string): Complaint {
  const json = parseJson(text);
  if (json.ok) return complaintOf(json.value);
  const plain = nonBlank(text);
  return { problems: plain === undefined ? [] : [shorten(plain)], solutions: [] };
}

/** The same for a value that is part of a larger answer, such as `error` of a validation result. */
export function complaintOf(value: unknown): Complaint {
  if (value === null || value === undefined) return { problems: [], solutions: [] };
  if (!isRecord(value)) return { problems: limited(problemsOf(value)), solutions: [] };
  const more = isRecord(value["moreInfo"]) ? value["moreInfo"] : {};
  const lists = [value["errors"], value["problems"], value["error"], value["detail"], more["problems"]];
  let problems = lists.flatMap(problemsOf);
  if (problems.length === 0) problems = [value["message"], value["title"]].flatMap(problemsOf);
  const nested = isRecord(value["error"]) ? complaintOf(value["error"]) : null;
  const solutions = [value["solutions"], more["solutions"], value["suggestions"], nested?.solutions].flatMap(
    problemsOf,
  );
  const complaint: Complaint = { problems: limited(problems), solutions: limited(solutions) };
  for (const key of ["userMessage", "input", "inputErrorField"] as const) {
    const text = nonBlank(value[key]) ?? nested?.[key];
    if (text !== undefined) complaint[key] = shorten(text);
  }
  if (complaint.problems.length === 0 && complaint.userMessage !== undefined) {
    complaint.problems = [complaint.userMessage];
  }
  return complaint;
}

/** Every problem that a member holds: a text, a list, or an object that carries one. */
function problemsOf(value: unknown): string[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) return value.slice(0, maxEntries + 1).flatMap(problemsOf);
  if (typeof value === "string") return value.trim() === "" ? [] : [shorten(value.trim())];
  if (!isRecord(value)) return [shorten(JSON.stringify(value))];
  if (Array.isArray(value["errors"])) return problemsOf(value["errors"]);
  const text = [value["msg"], value["message"], value["error"], value["description"], value["detail"]]
    .map(nonBlank)
    .find((each) => each !== undefined);
  if (text === undefined) return [shorten(JSON.stringify(value))];
  const where = Array.isArray(value["loc"]) ? value["loc"].filter(isPathPart).join(".") : "";
  return [shorten(where === "" ? text : `${where}: ${text}`)];
}

const isPathPart = (part: unknown) => typeof part === "string" || typeof part === "number";

/** Without duplicates, limited in number and length. */
function limited(texts: string[]): string[] {
  const unique = [...new Set(texts)];
  let chars = 0;
  const beyond = unique.findIndex((text, index) => index >= maxEntries || (chars += text.length) > maxChars);
  if (beyond < 0) return unique;
  return [...unique.slice(0, beyond), `and ${unique.length - beyond} more`];
}

/**
 * All of a complaint as text, a line for each entry: the user message as the headline, the problems, and what
 * to do.
 */
export function complaintText({ userMessage, problems, solutions }: Complaint): string {
  const found =
    userMessage === undefined
      ? problems
      : [userMessage, ...problems.filter((problem) => problem !== userMessage).map((each) => `- ${each}`)];
  return [...found, ...solutions.map((solution) => `What to do: ${solution}`)].join("\n");
}
