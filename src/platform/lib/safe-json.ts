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
