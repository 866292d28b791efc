/** JSON text that PostgreSQL accepts: without NUL characters and unpaired surrogates. */
export function safeJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!suspicious.test(text)) return text;
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "string" ? storable(item) : item));
}

const suspicious = /\\u(?:0000|d[89a-f])/i;

/** The text without characters that PostgreSQL cannot store. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");
