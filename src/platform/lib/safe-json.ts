import { isRecord } from "./is-record.ts";

/** JSON text that PostgreSQL accepts: without NUL characters and unpaired surrogates. */
export function safeJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!isUnstorable(text)) return text;
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "string" ? storable(item) : item));
}

/** The same value with texts and keys that PostgreSQL accepts; NUL characters are left out. */
export function withoutUnstorable(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "");
  if (Array.isArray(value)) return value.map(withoutUnstorable);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [withoutUnstorable(key), withoutUnstorable(item)]));
}

/** Whether a JSON text may have what PostgreSQL cannot store. */
export const isUnstorable = (json: string): boolean => suspicious.test(json);

const suspicious = /\\u(?:0000|d[89a-f])/i;

/** The text without characters that PostgreSQL cannot store. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");

/**
 * Whether lists and objects of a JSON text lie deeper in each other than so many levels: recursive code that handles such a
 * value runs out of stack. Counts brackets outside strings; a text of fewer characters cannot exceed the limit.
 */
export function isNestedDeeper(text: string, levels: number): boolean {
  if (text.length <= levels) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > levels) return true;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return false;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [
  ...Buffer.from(String.raw`"\{}[]`),
];
