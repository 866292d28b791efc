import { isUuid } from "../../platform/lib/ids.ts";
import { isCursorTime, readPageCursor } from "../../platform/lib/page-cursor.ts";
import { builderFailure } from "../errors.ts";

/** `after` of a list that is ordered by time and then by id. */
export function readTimeCursor(text: string): { createdAt: string; id: string } {
  const [createdAt = "", id = ""] = readPageCursor(text, 2) ?? [];
  if (isCursorTime(createdAt) && isUuid(id)) return { createdAt, id };
  const message = "The cursor is none that a list has answered.";
  throw builderFailure("BUILDER_INVALID_CURSOR", { message, where: "after" });
}
