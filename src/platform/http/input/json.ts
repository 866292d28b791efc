/** Pure: from the bytes of a JSON body to a value, with every reason why it is none. */
import { isUtf8 } from "node:buffer";
import { isNestedDeeper } from "../../lib/safe-json.ts";
import type { InputProblem } from "../operation.ts";
import { inputProblem, maxProblems } from "./problems.ts";

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
  if (isNestedDeeper(text, maxJsonDepth)) {
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

/** A list or an object on the way from the body to a value of it, and which of its values that is. */
interface Level {
  values: object;
  /** Of an object. */
  names: readonly string[] | undefined;
  size: number;
  at: number;
}

/**
 * Any body may have to be walked, also of a caller without credentials: so each level of nesting is one object, a path
 * is made for a problem only, and the walk ends at one problem more than an answer lists.
 */
const findForbidden = (root: unknown): InputProblem[] => {
  const problems: InputProblem[] = [];
  const levels: Level[] = [];
  const look = (value: unknown): void => {
    if (typeof value === "string") {
      const message = forbiddenIn(value);
      if (message !== undefined) {
        problems.push(inputProblem("body", levels.map(nameAt), { keyword: "text", message }));
      }
    } else if (typeof value === "object" && value !== null) {
      levels.push(levelOf(value));
    }
  };
  look(root);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    level.at += 1;
    if (problems.length > maxProblems) {
      break;
    }
    if (level.at >= level.size) {
      levels.pop();
      continue;
    }
    const value: unknown = Reflect.get(level.values, level.names?.[level.at] ?? level.at);
    if (level.names !== undefined) {
      const problem = nameProblem(levels, value);
      if (problem !== undefined) {
        problems.push(problem);
      }
    }
    look(value);
  }
  return problems;
};

const levelOf = (values: object): Level => {
  const names = Array.isArray(values) ? undefined : Object.keys(values);
  return { values, names, size: Array.isArray(values) ? values.length : (names?.length ?? 0), at: -1 };
};

const nameAt = ({ names, at }: Level): string => names?.[at] ?? String(at);

/** Of the property that the innermost level is at. */
const nameProblem = (levels: readonly Level[], value: unknown): InputProblem | undefined => {
  const level = levels.at(-1);
  const name = level === undefined ? "" : nameAt(level);
  if (poisons(name, value)) {
    const message = "is not an allowed property name";
    return inputProblem("body", levels.map(nameAt), { keyword: "forbidden", message });
  }
  const message = forbiddenIn(name);
  // The path ends at the object: the name of the property has the character that must not be in a text.
  return message === undefined
    ? undefined
    : inputProblem("body", levels.slice(0, -1).map(nameAt), { keyword: "text", message });
};

const poisons = (name: string, value: unknown): boolean =>
  name === "__proto__" ||
  (name === "constructor" &&
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, "prototype"));

const forbiddenIn = (text: string): string | undefined => {
  if (text.includes("\u0000")) {
    return "must not contain the NUL character";
  }
  return text.isWellFormed() ? undefined : "must not contain an unpaired surrogate";
};

/** The engine's message may quote the input, so only the position is taken from it. */
const positionOf = (error: unknown, text: string): string => {
  const found = /at position (\d+)/.exec(error instanceof Error ? error.message : "");
  if (found === null) {
    return "";
  }
  const before = text.slice(0, Number(found[1])).split("\n");
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
};
