/** Pure: what of a refused value may go back to the caller. An answer may end in a log, so no secret is in it. */
import type { InputProblem } from "../platform/http/operation.ts";

/** Properties whose values are, or may hold, secrets. */
const secretName = /key|secret|token|password|authori[sz]ation|credential|header|cookie|payload/i;

const longestText = 500;
const longestJson = 2_000;

/** Undefined when nothing was given, or nothing of it may be shown. */
export function safeInput({ path, value }: Pick<InputProblem, "path" | "value">): unknown {
  if (path.some((name) => secretName.test(name))) return undefined;
  // A whole body that is a text may be anything, a body in quotes for one.
  if (path.length === 0 && typeof value === "string") return undefined;
  const shown = withoutSecrets(value, 0);
  if (typeof shown !== "object" || shown === null) return shown;
  return JSON.stringify(shown).length > longestJson ? undefined : shown;
}

const mask = "***";
const deepest = 8;

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value === "string") {
    return value.length > longestText ? `${value.slice(0, longestText).toWellFormed()}…` : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === deepest) return mask;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      secretName.test(name) ? mask : withoutSecrets(item, depth + 1),
    ]),
  );
}
