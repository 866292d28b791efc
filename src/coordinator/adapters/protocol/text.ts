import { isNestedDeeper, withoutUnstorable } from "../../../platform/lib/safe-json.ts";

/** Longest text taken from an adapter: a problem, a plain text error, a log message. */
const maxTextChars = 2_048;
/** Longest `result`; adapters put documents into it. */
export const maxResultChars = 1_000_000;
/** Deeper JSON is refused, because hashing and serialising it are recursive. */
const maxJsonDepth = 200;

export type ParsedJson = { ok: true; value: unknown } | { ok: false; why: string };

/**
 * The body as text that a database can store: without byte order mark and NUL, and with our secrets masked,
 * in case the adapter echoes our headers.
 */
export function bodyText(body: Buffer, secrets: readonly string[]): string {
  let text = body.toString("utf8");
  if (text.startsWith("\uFEFF")) text = text.slice(1);
  if (text.includes("\0")) text = text.replaceAll("\0", "");
  for (const secret of secrets) {
    if (secret !== "" && text.includes(secret)) text = text.replaceAll(secret, "***");
  }
  return text;
}

type Reviver = (key: string, value: unknown) => unknown;

/** Parses untrusted JSON: never throws, limits the depth, makes every string storable. */
export function parseJson(text: string, reviver?: Reviver): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text, reviver);
  } catch {
    return { ok: false, why: "is not JSON" };
  }
  if (isNestedDeeper(text, maxJsonDepth))
    return { ok: false, why: `is nested deeper than ${maxJsonDepth} levels` };
  // Only escapes can contain NUL or half of a surrogate pair, which the database cannot store.
  return { ok: true, value: text.includes("\\u") ? withoutUnstorable(value) : value };
}

/** For `parseJson`: numbers as the texts that were sent, because a large one would lose digits. */
export const numberTexts = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === "number" ? (context?.source ?? String(value)) : value;

/** Truncates to the limit, without half a surrogate pair at the end, and marks it with an ellipsis. */
export function shorten(text: string, maxChars: number = maxTextChars): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}

/** A non-blank string, trimmed; undefined for anything else. */
export function nonBlank(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" ? undefined : text;
}
