/** Pure: what of a refused value may go back to the caller. An answer may end in a log, so no secret is in it. */
import type { InputProblem } from "../platform/http/operation.ts";
import { hiddenSecret, maskCredentials, mayBeSecretName, mayHold } from "../platform/lib/secret-names.ts";

const longestText = 500;
/** A credential that begins within what is shown ends within this. */
const longestRead = 5_000;
const longestJson = 2_000;

/** Undefined when nothing was given, or nothing of it may be shown. */
export function safeInput({ path, value }: Pick<InputProblem, "path" | "value">): unknown {
  if (path.some(mayBeSecretName)) return undefined;
  // A whole body that is a text may be anything, a body in quotes for one.
  if (path.length === 0 && typeof value === "string") return undefined;
  const shown = withoutSecrets(value, 0);
  if (typeof shown !== "object" || shown === null) return shown;
  return JSON.stringify(shown).length > longestJson ? undefined : shown;
}

const deepest = 8;

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value === "string") {
    const shown = maskCredentials(value.slice(0, longestRead));
    return shown.length > longestText ? `${shown.slice(0, longestText).toWellFormed()}…` : shown;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === deepest) return hiddenSecret;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      mayBeSecretName(name) && mayHold(item) ? hiddenSecret : withoutSecrets(item, depth + 1),
    ]),
  );
}
