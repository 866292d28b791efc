import { isRecord } from "../../../platform/lib/is-record.ts";
import type { JsonObject, Validated } from "./answers.ts";
import { complaintOf } from "./parse-refusal.ts";
import { parseLogs } from "./parse-logs.ts";
import type { Parsed, StatusReport } from "./parse-status.ts";
import { parseJson } from "./text.ts";

/** Reads a validation result, `{valid, error?}`. */
export function parseVerdict(text: string): Parsed<Validated> {
  if (text.trim() === "") return { ok: false, why: "is empty" };
  const json = parseJson(text);
  return json.ok ? verdictOf(json.value) : json;
}

/** The same for JSON that is parsed already. */
export function verdictOf(value: unknown): Parsed<Validated> {
  if (!isRecord(value)) return { ok: false, why: "is not a JSON object" };
  const valid = value["valid"];
  if (typeof valid !== "boolean") {
    return { ok: false, why: valid === undefined ? "has no `valid`" : "has a `valid` that is not a boolean" };
  }
  return { ok: true, value: verdict(valid, value) };
}

/**
 * The verdict of a validation that was polled to its end: in `result`, as JSON text, or in `info.publicInfo`.
 * A validation that did not complete and has no verdict counts as not valid.
 */
export function verdictOfReport(report: StatusReport): Parsed<Validated> {
  const fromResult = report.result === undefined ? null : parseJson(report.result);
  const candidates = [fromResult?.ok === true ? fromResult.value : undefined, report.info?.publicInfo];
  for (const candidate of candidates) {
    const found = verdictOf(candidate);
    if (found.ok) return { ok: true, value: { ...found.value, logs: report.logs } };
  }
  if (report.status === "COMPLETED") return { ok: false, why: "has no validation result" };
  const problem = `The adapter's validation ended ${report.status}${report.result === undefined ? "." : `: ${report.result}`}`;
  return {
    ok: true,
    value: { type: "validated", valid: false, problems: [problem], solutions: [], logs: report.logs },
  };
}

function verdict(valid: boolean, value: JsonObject): Validated {
  const logs = parseLogs(value["logs"]);
  if (valid) return { type: "validated", valid, problems: [], solutions: [], logs };
  const { problems, solutions, userMessage } = complaintOf(value["error"] ?? value["errors"]);
  if (problems.length === 0)
    problems.push("The adapter says that the descriptor is not valid and gives no reason.");
  const headline = userMessage === undefined ? {} : { userMessage };
  return { type: "validated", valid, problems, solutions, ...headline, logs };
}
