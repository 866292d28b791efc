import type { AdapterLog, LogLevel } from "./answers.ts";
import { nonBlank, shorten } from "./text.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

/** Log entries read from one answer; the rest is left out and said so. */
export const maxLogsPerAnswer = 5_000;

const levels: Record<string, LogLevel> = {
  TRACE: "DEBUG",
  DEBUG: "DEBUG",
  INFO: "INFO",
  WARN: "WARNING",
  WARNING: "WARNING",
  ERROR: "ERROR",
  FATAL: "ERROR",
  SEVERE: "ERROR",
  CRITICAL: "ERROR",
};

/** Reads `logs` of an answer; entries that are no log entries are passed over, plain strings become INFO. */
export function parseLogs(value: unknown): AdapterLog[] {
  const list = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list)) return [];
  const logs = list.slice(0, maxLogsPerAnswer).flatMap(parseLog);
  const left = list.length - maxLogsPerAnswer;
  if (left > 0) logs.push(ownWarning(`${left} more log entries of the adapter were left out.`));
  return logs;
}

/** A remark of ours among the adapter's logs, where part of its answer could not be used. */
export const ownWarning = (message: string): AdapterLog => ({ level: "WARNING", message });

/**
 * Those entries of an answer that were not there before, so that each is stored once whether the adapter sends
 * its whole log at every poll or only what is new. Equal entries count as often as one answer holds them.
 * `seen` belongs to one task and is brought up to date.
 */
export function freshLogs(seen: Map<string, number>, logs: AdapterLog[]): AdapterLog[] {
  const inAnswer = new Map<string, number>();
  return logs.filter((log) => {
    const key = JSON.stringify([log.timestamp, log.level, log.phase, log.message]);
    const count = (inAnswer.get(key) ?? 0) + 1;
    inAnswer.set(key, count);
    if (count <= (seen.get(key) ?? 0)) return false;
    seen.set(key, count);
    return true;
  });
}

function parseLog(value: unknown): AdapterLog[] {
  if (typeof value === "string")
    return value.trim() === "" ? [] : [{ level: "INFO", message: shorten(value) }];
  if (!isRecord(value)) return [];
  const message = nonBlank(value["message"]);
  if (message === undefined) return [];
  const level = levels[nonBlank(value["level"])?.toUpperCase() ?? ""] ?? "INFO";
  const log: AdapterLog = { level, message: shorten(message) };
  const timestamp = parseTimestamp(value["timestamp"]);
  const phase = nonBlank(value["phase"]);
  if (timestamp !== undefined) log.timestamp = timestamp;
  if (phase !== undefined) log.phase = shorten(phase, 200);
  return [log];
}

/** ISO text or epoch milliseconds as ISO text in UTC; a time without a zone is taken as UTC. */
function parseTimestamp(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const zoneless =
    typeof value === "string" && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/.test(value.trim());
  const date = new Date(zoneless ? `${value.trim().replace(" ", "T").replace(",", ".")}Z` : value);
  const year = date.getUTCFullYear();
  // NaN fails this too; the other years are those that a database timestamp may not hold.
  return year >= 1 && year <= 9_999 ? date.toISOString() : undefined;
}
