/** Pages of lists by the time at which their rows were created. */
import { isCursorTime, readPageCursor } from "../platform/lib/page-cursor.ts";
import { brokenCursor } from "./errors.ts";

export function readCreatedAfter(text: string): { createdAt: string; id: string } {
  const [createdAt = "", id = ""] = readPageCursor(text, 2) ?? [];
  if (isCursorTime(createdAt)) return { createdAt, id };
  throw brokenCursor(text);
}
