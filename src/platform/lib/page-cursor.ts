/** Pure: the opaque text with which a list goes on after the last row of a page. */

export const pageCursor = (key: readonly string[]): string =>
  Buffer.from(JSON.stringify(key)).toString("base64url");

/** The key in it, or null when it is none of ours. */
export function readPageCursor(text: string, parts: number): string[] | null {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    const fits = Array.isArray(key) && key.length === parts && key.every(isPlainText);
    return fits ? (key as string[]) : null;
  } catch {
    return null;
  }
}

const isPlainText = (part: unknown): boolean =>
  typeof part === "string" && part.isWellFormed() && !part.includes("\0");
