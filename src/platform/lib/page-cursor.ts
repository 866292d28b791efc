/** Pure: pages of lists, and the opaque cursor of the page after the last row of this one. */

export const pageCursor = (key: readonly string[]): string =>
  Buffer.from(JSON.stringify(key)).toString("base64url");

/** The rows of a page, out of a query for one more than `limit`, and the cursor of the next page, if there is one. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly string[],
): { page: Row[]; next: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, next: last === undefined ? null : pageCursor(keyOf(last)) };
}

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

/** Whether a part of a cursor is a time as `toISOString` writes it, and one that the database knows: it has no year 0. */
export const isCursorTime = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) || text.startsWith("0000")) return false;
  const time = new Date(text);
  // Of a day that its month lacks, such as 30 February, the parser makes another one.
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
};

const isPlainText = (part: unknown): boolean =>
  typeof part === "string" && part.isWellFormed() && !part.includes("\0");
