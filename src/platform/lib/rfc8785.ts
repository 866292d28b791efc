/** Pure: JSON text by RFC 8785, which is the same bytes for equal values in every program. */
import { isRecord } from "./is-record.ts";

/** Of a value that JSON.parse could have returned; a property that is undefined is left out. */
export function rfc8785(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => rfc8785(item ?? null)).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  // By UTF-16 code units, as `<` compares; `Object.fromEntries` would put keys that are numbers first.
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort((a, b) => (a < b ? -1 : 1));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${rfc8785(value[key])}`).join(",")}}`;
}
