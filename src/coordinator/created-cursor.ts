/** Pages of lists by the time at which their rows were created. */
import { isCursorTime, readPageCursor } from "../platform/lib/page-cursor.ts";
import { brokenCursor } from "./errors.ts";

/** `isId` says whether an id is of the form that the list's ids have. */
export function readCreatedAfter(
  text: string,
  isId: (id: string) => boolean = () => true,
): { createdAt: string; id: string } {
  const [createdAt = "", id = ""] = readPageCursor(text, 2) ?? [];
  if (isCursorTime(createdAt) && isId(id)) return { createdAt, id };
  throw brokenCursor(text);
}
