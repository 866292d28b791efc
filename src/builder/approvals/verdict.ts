/** Pure: classifies the response of a third party and decides what follows. */
import { isRecord } from "../../platform/lib/is-record.ts";
import { isNestedDeeper } from "../../platform/lib/safe-json.ts";
import { nextAttemptAt } from "../../platform/outbound/retry.ts";

export interface SentCall {
  /** Number of calls made, including this one. */
  attempts: number;
  at: Date;
  /** The status of the response, or null when there was none. */
  status: number | null;
  body: Buffer | null;
  /** Why there was no response. */
  fault: string | null;
}

export type Verdict =
  | { result: "accepted"; info: Record<string, unknown> | null; remark: string | null }
  | { result: "retry"; error: string; nextAttemptAt: Date }
  | { result: "failed"; error: string };

/**
 * Only 202 means that the third party has accepted the request; any other page may come from something else.
 */
export function verdictOn(call: SentCall, retryDelaysMs: readonly number[]): Verdict {
  if (call.status === 202) return { result: "accepted", ...readInfo(call.body) };
  const error = call.status === null ? (call.fault ?? "There was no answer.") : refusalOf(call.status);
  const next = nextAttemptAt(call, retryDelaysMs);
  return next === null ? { result: "failed", error } : { result: "retry", error, nextAttemptAt: next };
}

/** What follows when the call, or storing its result, failed in the server itself. */
export function verdictOnFault(
  { pauseMs, isLast }: { pauseMs: number; isLast: boolean },
  at: Date,
): Exclude<Verdict, { result: "accepted" }> {
  const error = "The server could not make the call or store its result, for a reason that is in its log.";
  if (isLast) return { result: "failed", error };
  return { result: "retry", error, nextAttemptAt: new Date(at.getTime() + pauseMs) };
}

const refusalOf = (status: number): string =>
  status >= 300 && status < 400
    ? `The third party answered with a redirect (${status}); none is followed.`
    : `The third party answered ${status}, not 202.`;

/** Deeper information is left out: recursive code and the database could not handle it. */
const maxInfoDepth = 200;

/** A request counts as accepted even when the response body cannot be read: the answer arrives separately. */
function readInfo(body: Buffer | null): { info: Record<string, unknown> | null; remark: string | null } {
  const text = body?.toString("utf8") ?? "";
  if (text.trim() === "") return { info: null, remark: null };
  if (isNestedDeeper(text, maxInfoDepth))
    return { info: null, remark: `Its 202 had a body that is nested deeper than ${maxInfoDepth} levels.` };
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return { info: null, remark: "Its 202 had a body that is not an object." };
    const info = value["hookInfo"];
    if (info === undefined) return { info: null, remark: null };
    if (!isRecord(info)) return { info: null, remark: "Its 202 had a hookInfo that is not an object." };
    // A value that PostgreSQL cannot store in JSON must not fail the hook.
    if (JSON.stringify(info).includes("\\u0000"))
      return { info: null, remark: "Its 202 had a hookInfo with a NUL character, which can't be kept." };
    return { info, remark: null };
  } catch {
    return { info: null, remark: "Its 202 had a body that is not JSON." };
  }
}

/** Field names that ticket systems use for it, the most explicit first. */
const names = ["reason", "message", "comment", "comments", "note", "description", "error"];
const longest = 2_000;

/** The first text under one of these names, in any case; null when the answer contains none. */
export function reasonIn(hookInfo: object | undefined): string | null {
  const entries = Object.entries(hookInfo ?? {}).map(([name, value]): [string, unknown] => [
    name.toLowerCase(),
    value,
  ]);
  for (const name of names) {
    const found = entries.find(
      ([key, value]) => key === name && typeof value === "string" && value.trim() !== "",
    );
    if (found !== undefined) return String(found[1]).trim().slice(0, longest);
  }
  return null;
}
