/** Pure: from the bytes of a JSON body to a value, with every reason why it is none. */
import { isUtf8 } from "node:buffer";
import type { InputProblem } from "../operation.ts";
import { inputProblem } from "./problems.ts";

/** Deeper bodies are refused, because recursive code that handles them would run out of stack. */
export const maxJsonDepth = 128;

export interface ParsedJson {
  value?: unknown;
  problems: InputProblem[];
}

const none = Object.freeze<InputProblem[]>([]) as InputProblem[];

/** Never throws. `problems` is empty exactly when `value` is the parsed body. */
export const parseJson = (bytes: Buffer): ParsedJson => {
  if (!isUtf8(bytes)) {
    return refused("json", "is not UTF-8 text", "Encode the JSON text as UTF-8.");
  }
  const raw = bytes.toString("utf8");
  const text = raw.codePointAt(0) === 0xfe_ff ? raw.slice(1) : raw;
  if (text.trim() === "") {
    return refused("empty", "is empty", "Send a JSON body.");
  }
  if (isTooDeep(text)) {
    return refused("depth", `is nested deeper than ${maxJsonDepth} levels`, "Flatten the body.");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refused("json", `is not valid JSON${positionOf(error, text)}`, "Send a well-formed JSON body.");
  }
  const problems = suspicious.test(text) ? findForbidden(value) : none;
  return problems.length > 0 ? { problems } : { value, problems: none };
};

const refused = (keyword: string, message: string, solution: string): ParsedJson => ({
  problems: [inputProblem("body", [], { keyword, message, solution })],
});

/**
 * Cheap test on the text for what needs a walk over the value: keys that could poison a prototype, the NUL character
 * (no PostgreSQL text or jsonb holds it) and escaped surrogates, which may be unpaired (jsonb refuses those).
 */
const suspicious = /__proto__|"constructor"|\\u(?:0000|00[4-7]|[dD][89a-fA-F])/;

const findForbidden = (root: unknown): InputProblem[] => {
  const problems: InputProblem[] = [];
  const stack: { value: unknown; path: string[] }[] = [{ value: root, path: [] }];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node.value === "string") {
      problems.push(...textProblems(node.value, node.path));
    } else if (typeof node.value === "object" && node.value !== null) {
      const { path } = node;
      const children = Object.entries(node.value).map(([key, value]) => ({ key, value: value as unknown }));
      for (const { key, value } of children.toReversed()) {
        stack.push({ value, path: [...path, key] });
      }
      for (const { key, value } of children) {
        problems.push(...keyProblems(key, value, path));
      }
    }
  }
  return problems;
};

const keyProblems = (key: string, value: unknown, path: string[]): InputProblem[] => {
  const poisons =
    key === "__proto__" ||
    (key === "constructor" &&
      typeof value === "object" &&
      value !== null &&
      Object.hasOwn(value, "prototype"));
  return poisons
    ? [
        inputProblem("body", [...path, key], {
          keyword: "forbidden",
          message: "is not an allowed property name",
        }),
      ]
    : textProblems(key, path);
};

const textProblems = (text: string, path: string[]): InputProblem[] => {
  if (text.includes("\u0000")) {
    return [inputProblem("body", path, { keyword: "text", message: "must not contain the NUL character" })];
  }
  return text.isWellFormed()
    ? none
    : [inputProblem("body", path, { keyword: "text", message: "must not contain an unpaired surrogate" })];
};

/** Counts brackets outside strings; a text of fewer characters than the limit cannot exceed it. */
const isTooDeep = (text: string): boolean => {
  if (text.length <= maxJsonDepth) {
    return false;
  }
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) {
        at += 1;
      } else if (code === quote) {
        inString = false;
      }
    } else if (code === quote) {
      inString = true;
    } else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > maxJsonDepth) {
        return true;
      }
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
    }
  }
  return false;
};

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [
  ...Buffer.from(String.raw`"\{}[]`),
];

/** The engine's message may quote the input, so only the position is taken from it. */
const positionOf = (error: unknown, text: string): string => {
  const found = /at position (\d+)/.exec(error instanceof Error ? error.message : "");
  if (found === null) {
    return "";
  }
  const before = text.slice(0, Number(found[1])).split("\n");
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
};
