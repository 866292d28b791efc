import type { Failure } from "../platform/errors/failure.ts";
import { assistantFailure } from "./error-codes.ts";

export interface Edited {
  kind: "skill" | "agent";
  name: string;
  platformKey: string;
}

/**
 * The next release overwrites shipped records, so users may only extend them. Each change is a field with its present and
 * its requested value; undefined and null mean that the field was not given.
 */
export function refuseEdits(
  record: Edited,
  changes: Record<string, readonly [present: string, wanted: string | null | undefined]>,
): void {
  if (record.platformKey === "") return;
  const edited = Object.entries(changes).flatMap(([field, [present, wanted]]) =>
    (wanted ?? present) === present ? [] : [field],
  );
  if (edited.length > 0) throw shipped(record, `its ${edited.join(", ")} can't be changed`);
}

export function refuseDeletion(record: Edited): void {
  if (record.platformKey !== "") throw shipped(record, "it can't be deleted");
}

const advice = {
  skill: "Copy it under another name and change the copy, or take it out of the agents that have it.",
  agent: "Copy it under another name and change the copy; this one can be disabled.",
};

const shipped = ({ kind, name }: Edited, what: string): Failure =>
  assistantFailure("ASSISTANT_PLATFORM_RECORD", {
    message: `The ${kind} ${name} is shipped with the product: ${what}. ${advice[kind]}`,
  });
