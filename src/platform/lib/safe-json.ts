/** JSON text that PostgreSQL takes apart: it has no NUL character and no half of a surrogate pair. */
export function safeJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!suspicious.test(text)) return text;
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "string" ? storable(item) : item));
}

const suspicious = /\\u(?:0000|d[89a-f])/i;

/** A text without what PostgreSQL can't hold. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");
