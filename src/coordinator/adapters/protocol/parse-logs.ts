import { isRecord } from "../../../platform/lib/is-record.ts";
import type { AdapterLog, LogLevel } from "./answers.ts";
import { nonBlank, shorten } from "./text.ts";

/** Log entries read from one answer; a warning counts those that are left out. */
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

/** Reads `logs` of an answer; malformed entries are skipped, plain strings become INFO. */
export function parseLogs(value: unknown): AdapterLog[] {
  const list = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list)) return [];
  const logs = list.slice(0, maxLogsPerAnswer).flatMap(parseLog);
  const left = list.length - maxLogsPerAnswer;
  if (left > 0) logs.push(ownWarning(`${left} more log entries of the adapter were left out.`));
  return logs;
}

/** A warning of the coordinator among the adapter's logs, where part of its answer could not be used. */
export const ownWarning = (message: string): AdapterLog => ({ level: "WARNING", message });

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
