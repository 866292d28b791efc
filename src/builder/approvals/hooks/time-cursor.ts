import { readPageCursor } from "../../../platform/lib/page-cursor.ts";
import { builderFailure } from "../../errors.ts";

/** `after` of a list that is ordered by time and then by id. */
export function readTimeCursor(text: string): { createdAt: string; id: string } {
  const [createdAt = "", id = ""] = readPageCursor(text, 2) ?? [];
  const isTime =
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(createdAt) && !Number.isNaN(Date.parse(createdAt));
  if (isTime && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return { createdAt, id };
  const message = "The cursor is none that a list has answered.";
  throw builderFailure("BUILDER_INVALID_CURSOR", { message, problems: [{ where: "after", message }] });
}
