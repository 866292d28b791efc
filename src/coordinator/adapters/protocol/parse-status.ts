import { isRecord } from "../../../platform/lib/is-record.ts";
import type { AdapterInfo, AdapterLog, JsonObject } from "./answers.ts";
import { ownWarning, parseLogs } from "./parse-logs.ts";
import { maxResultChars, nonBlank, numberTexts, parseJson, shorten } from "./text.ts";

const statuses = ["RUNNING", "COMPLETED", "FAILED", "TERMINATING", "TERMINATED"] as const;

type AdapterStatus = (typeof statuses)[number];

/** A provisioning status as an adapter reports it, whichever operation it is about. */
export interface StatusReport {
  status: AdapterStatus;
  result?: string;
  info: AdapterInfo | null;
  updates?: unknown;
  logs: AdapterLog[];
}

/** `why` completes the sentence "the body …". */
export type Parsed<T> = { ok: true; value: T } | { ok: false; why: string };

/**
 * Reads a provisioning status. Only `status` is required (case-insensitive); other fields of a wrong type are
 * left out with a warning among the logs, because the reported work is done all the same.
 */
export function parseStatus(text: string): Parsed<StatusReport> {
  if (text.trim() === "") return { ok: false, why: "is empty" };
  const json = parseJson(text);
  return json.ok ? statusOf(json.value) : json;
}

/** The same for JSON that is parsed already. */
export function statusOf(value: unknown): Parsed<StatusReport> {
  if (!isRecord(value)) return { ok: false, why: "is not a JSON object" };
  const text = nonBlank(value["status"]);
  const status = statuses.find((each) => each === text?.toUpperCase());
  if (status === undefined) return { ok: false, why: whyNoStatus(value["status"]) };
  const warnings: AdapterLog[] = [];
  const report: StatusReport = { status, info: infoOf(value["info"], warnings), logs: [] };
  const result = resultOf(value["result"]);
  if (result !== undefined) report.result = result;
  if (value["updates"] !== undefined && value["updates"] !== null) report.updates = value["updates"];
  const logs = value["logs"];
  if (logs !== undefined && logs !== null && !Array.isArray(logs) && typeof logs !== "string") {
    warnings.push(ownWarning("The adapter's `logs` is not a list; it was left out."));
  }
  report.logs = [...parseLogs(logs), ...warnings];
  return { ok: true, value: report };
}

/** Longest token; it has to fit into a path. */
const maxTokenChars = 1_024;

/**
 * The token of a 202: raw text, a JSON string, a JSON number or an object with `token`; a number is taken as it was written.
 * A token that a path cannot carry (a dot segment) and an HTML or XML document are refused.
 */
export function parseToken(text: string): Parsed<string> {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: false, why: "is empty" };
  const json = parseJson(trimmed, numberTexts);
  const value = json.ok ? json.value : trimmed;
  const member = isRecord(value) ? value["token"] : value;
  if (isRecord(value) && member === undefined) return { ok: false, why: "is an object without a token" };
  const token = nonBlank(member);
  if (token === undefined) return { ok: false, why: "holds no token" };
  if (token.length > maxTokenChars)
    return { ok: false, why: `holds a token longer than ${maxTokenChars} characters` };
  // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
  if (token === "." || token === ".." || token.startsWith("<") || /[\u0000-\u001f\u007f]/.test(token)) {
    return { ok: false, why: "holds a token that cannot stand in a path" };
  }
  return { ok: true, value: token.toWellFormed() };
}

function whyNoStatus(value: unknown): string {
  if (value === undefined || value === null) return "has no status";
  if (typeof value !== "string") return "has a status that is not a string";
  return `has the unknown status "${shorten(value, 40)}"`;
}

function resultOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value === "" ? undefined : shorten(value, maxResultChars);
  return shorten(JSON.stringify(value), maxResultChars);
}

function infoOf(value: unknown, warnings: AdapterLog[]): AdapterInfo | null {
  if (value === undefined || value === null) return null;
  if (!isRecord(value)) {
    warnings.push(ownWarning("The adapter's `info` is not an object; it was left out."));
    return null;
  }
  const part = (name: "publicInfo" | "privateInfo"): JsonObject => {
    const member = value[name];
    if (isRecord(member)) return member;
    if (member !== undefined && member !== null) {
      warnings.push(ownWarning(`The adapter's \`info.${name}\` is not an object; it was left out.`));
    }
    return {};
  };
  const info: AdapterInfo = { publicInfo: part("publicInfo"), privateInfo: part("privateInfo") };
  const aclInfo = value["aclInfo"];
  if (Array.isArray(aclInfo)) info.aclInfo = aclInfo;
  else if (aclInfo !== undefined && aclInfo !== null) {
    warnings.push(ownWarning("The adapter's `info.aclInfo` is not a list; it was left out."));
  }
  return info;
}
