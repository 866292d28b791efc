/** Pure: the opaque cursor of the page after the last row of this one. */

export const pageCursor = (key: readonly string[]): string =>
  Buffer.from(JSON.stringify(key)).toString("base64url");

/** The key in the cursor, or null when we did not issue it. */
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
