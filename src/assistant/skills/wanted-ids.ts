/** Pure: the ids that a list is narrowed to. */
import { plainUuid } from "../record-schema.ts";

const isUuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Null for all. A text that is no UUID is nobody's id; without any text there is nothing to narrow to. */
export function wantedIds(given: readonly string[] | undefined): string[] | null {
  if (given === undefined || given.length === 0) return null;
  return given.map(plainUuid).filter((id) => isUuid.test(id));
}
