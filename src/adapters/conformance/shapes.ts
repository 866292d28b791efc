/** Pure: reads responses, with every deviation of their shape from the protocol. */
import type { JsonObject } from "../kit/protocol.ts";
import { adviceOnFault } from "./advice.ts";
import { collector, type Deviation, type Say } from "./deviation.ts";
import type { Exchange } from "./exchange.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export interface Read<T> {
  value?: T;
  deviations: Deviation[];
}

export interface StatusReport {
  status: string;
  result: string;
  info: unknown;
  updates: unknown;
  logs: unknown[];
}

export const finalStatuses = ["COMPLETED", "FAILED", "TERMINATED"];
const statuses = ["RUNNING", ...finalStatuses, "TERMINATING"];
const levels = ["DEBUG", "INFO", "WARNING", "ERROR"];

/** A fault of the connection, or nothing. */
export function readFault(exchange: Exchange): Deviation[] {
  if (exchange.fault === undefined) return [];
  return [
    {
      severity: "fail",
      what: `${labelOf(exchange)}: ${exchange.fault}.`,
      protocol: "Every call gets a complete HTTP answer within the caller's time limit.",
      fix: adviceOnFault(exchange),
      exchange,
    },
  ];
}

export const labelOf = ({ method, path }: Exchange): string => `${method} ${path}`;

/** The JSON of an answer of 2xx; undefined when it is none. */
function readJson(exchange: Exchange, say: Say): unknown {
  const { text, contentType, contentEncoding } = exchange.answer ?? {
    text: "",
    contentType: "",
    contentEncoding: "",
  };
  const label = labelOf(exchange);
  if (contentEncoding !== "" && contentEncoding !== "identity") {
    say(
      "fail",
      `${label}: the body is packed with ${contentEncoding}.`,
      "Callers ask for no compression (`accept-encoding: identity`).",
      "Send the body as it is, and check what a proxy in front of the adapter does.",
    );
    return undefined;
  }
  if (!/\bjson\b/i.test(contentType)) {
    say(
      "warn",
      `${label}: the content type is ${contentType === "" ? "missing" : `"${contentType}"`}.`,
      "Bodies are JSON and say so.",
      "Send `content-type: application/json`.",
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    say(
      "fail",
      `${label}: the body is ${text.trim() === "" ? "empty" : "not JSON"}.`,
      "The answer is a JSON object.",
      "Send the object of the protocol; the guide for adapter authors shows each.",
    );
    return undefined;
  }
}

function readObject(exchange: Exchange, say: Say): JsonObject | undefined {
  const value = readJson(exchange, say);
  if (value === undefined || isRecord(value)) return value;
  say(
    "fail",
    `${labelOf(exchange)}: the body is ${Array.isArray(value) ? "a list" : "no object"}.`,
    "The answer is a JSON object.",
    "Send the object itself.",
  );
  return undefined;
}

/** A provisioning status, or with `reverse` the status of a reverse provisioning. */
export function readStatus(exchange: Exchange, reverse = false): Read<StatusReport> {
  const { deviations, say } = collector(exchange);
  const body = readObject(exchange, say);
  if (body === undefined) return { deviations };
  const status = readWord(exchange, body["status"], say);
  if (status === undefined) return { deviations };
  const { result, info, logs, updates } = body;
  const label = labelOf(exchange);
  if (reverse) {
    if (status === "COMPLETED" && !isRecord(updates)) {
      say(
        "fail",
        `${label}: COMPLETED has no object \`updates\`.`,
        "`updates` holds what was found, keyed by the fields of the entity.",
        "Send `updates: {}` when nothing was found.",
      );
    }
  } else {
    if (result !== undefined && result !== null && typeof result !== "string") {
      say(
        "fail",
        `${label}: \`result\` is not a string.`,
        "`result` is one line of text for people.",
        "Send text.",
      );
    }
    readInfo(label, info, say);
  }
  readLogs(label, logs, say);
  return {
    value: {
      status,
      result: typeof result === "string" ? result : "",
      info,
      updates,
      logs: Array.isArray(logs) ? logs : [],
    },
    deviations,
  };
}

function readWord(exchange: Exchange, word: unknown, say: Say): string | undefined {
  const known = typeof word === "string" ? statuses.find((each) => each === word.toUpperCase()) : undefined;
  const protocol = `\`status\` is one of ${statuses.join(", ")}.`;
  if (known === undefined) {
    const what = `${labelOf(exchange)}: \`status\` is ${JSON.stringify(word) ?? "missing"}.`;
    say("fail", what, protocol, "Send one of these words.");
  } else if (known !== word) {
    const what = `${labelOf(exchange)}: \`status\` is ${JSON.stringify(word)}.`;
    say("warn", what, protocol, "Write it in capitals.");
  }
  return known;
}

function readInfo(label: string, info: unknown, say: Say): void {
  if (info === undefined || info === null) return;
  const protocol = "`info` is null or `{publicInfo: {…}, privateInfo: {…}, aclInfo?: […]}`.";
  if (!isRecord(info)) {
    say("fail", `${label}: \`info\` is not an object.`, protocol, "Send an object, or null for none.");
    return;
  }
  for (const name of ["publicInfo", "privateInfo"]) {
    const part = info[name];
    if (part === undefined || part === null || isRecord(part)) continue;
    say("fail", `${label}: \`info.${name}\` is not an object.`, protocol, "Send an object, `{}` for none.");
  }
  const { aclInfo } = info;
  if (aclInfo !== undefined && aclInfo !== null && !Array.isArray(aclInfo)) {
    say("fail", `${label}: \`info.aclInfo\` is not a list.`, protocol, "Send a list or leave it out.");
  }
}

function readLogs(label: string, logs: unknown, say: Say): void {
  if (logs === undefined || logs === null) return;
  const protocol = "`logs` is a list of `{timestamp, level, message, phase?}`.";
  if (!Array.isArray(logs)) {
    say("fail", `${label}: \`logs\` is not a list.`, protocol, "Send a list, `[]` for none.");
    return;
  }
  const wrong = logs.findIndex((entry) => !isRecord(entry) || typeof entry["message"] !== "string");
  if (wrong >= 0) {
    say("fail", `${label}: \`logs[${wrong}]\` has no message.`, protocol, "Give every entry a message.");
  }
  const entries = logs.filter(isRecord);
  const level = entries.find((entry) => !levels.includes(String(entry["level"])));
  if (level) {
    const what = `${label}: a log entry has the level ${JSON.stringify(level["level"]) ?? "undefined"}.`;
    say("warn", what, `Levels are ${levels.join(", ")}.`, "Use one of these.");
  }
  const late = entries.find(
    ({ timestamp }) => typeof timestamp !== "string" || Number.isNaN(Date.parse(timestamp)),
  );
  if (late) {
    const what = `${label}: a log entry has no readable timestamp.`;
    say("warn", what, protocol, "Send ISO 8601 with a zone, such as 2026-01-31T12:00:00Z.");
  }
}

/** The token of a 202. */
export function readToken(exchange: Exchange): Read<string> {
  const { deviations, say } = collector(exchange);
  const text = exchange.answer?.text.trim() ?? "";
  const protocol = "202 carries the token: raw text or a JSON string that can stand in a path.";
  const label = labelOf(exchange);
  const value = bodyValue(text);
  const token = isRecord(value) ? value["token"] : value;
  if (typeof token === "number") {
    say("warn", `${label}: the token is a number.`, protocol, "Send it as a string.");
    return { value: String(token), deviations };
  }
  // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
  if (typeof token !== "string" || !/^(?!\.{1,2}$)[^<\u0000-\u001f\u007f]{1,1024}$/.test(token)) {
    say(
      "fail",
      `${label}: 202 came without a usable token.`,
      protocol,
      "Send a token of 1 to 1,024 characters.",
    );
    return { deviations };
  }
  if (isRecord(value)) {
    say("warn", `${label}: the token is wrapped in an object.`, protocol, "Send the token alone.");
  }
  return { value: token, deviations };
}

/** JSON, or the text itself. */
export function bodyValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export interface Verdict {
  valid: boolean;
  errors: string[];
}

export function readVerdict(exchange: Exchange): Read<Verdict> {
  const { deviations, say } = collector(exchange);
  const body = readObject(exchange, say);
  const value = body === undefined ? undefined : verdictOf(body);
  if (body !== undefined && value === undefined) {
    const what = `${labelOf(exchange)}: \`valid\` is ${JSON.stringify(body["valid"]) ?? "missing"}.`;
    say(
      "fail",
      what,
      "The answer is `{valid: true}` or `{valid: false, error: {errors: […]}}`.",
      "Send a boolean.",
    );
  }
  if (value && !value.valid && value.errors.length === 0) {
    say(
      "warn",
      `${labelOf(exchange)}: the descriptor is not valid, but no error says why.`,
      "`error.errors` lists every problem.",
      "Say for each problem where it is and what would be right.",
    );
  }
  return { ...(value ? { value } : {}), deviations };
}

export function verdictOf(body: unknown): Verdict | undefined {
  if (!isRecord(body) || typeof body["valid"] !== "boolean") return undefined;
  const error = isRecord(body["error"]) ? body["error"] : {};
  const errors = Array.isArray(error["errors"]) ? error["errors"] : [];
  return { valid: body["valid"], errors: errors.filter((each) => typeof each === "string") };
}
