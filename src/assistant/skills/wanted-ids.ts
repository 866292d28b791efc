/** Pure: the ids that a list is narrowed to. */
import { isUuid } from "../../platform/lib/ids.ts";
import { plainUuid } from "../record-schema.ts";

/** Null for all. A text that is no UUID is nobody's id; without any text there is nothing to narrow to. */
export function idFilter(given: readonly string[] | undefined): string[] | null {
  if (given === undefined || given.length === 0) return null;
  return given.map(plainUuid).filter(isUuid);
}
