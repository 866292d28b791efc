/** Interprets the HTTP answers of adapters; pure. */
import { isRecord } from "../../../platform/lib/is-record.ts";
import { readRetryAfter } from "../../../platform/outbound/retry.ts";
import type {
  Fault,
  FaultReason,
  PollAnswer,
  PollValidationAnswer,
  Refused,
  StartAnswer,
  StartValidationAnswer,
  TerminateAnswer,
  Notified,
  TokenUnknown,
  Unsupported,
  ValidateAnswer,
} from "./answers.ts";
import { complaintText, parseComplaint } from "./parse-refusal.ts";
import type { Parsed, StatusReport } from "./parse-status.ts";
import { parseStatus, parseToken, statusOf } from "./parse-status.ts";
import { parseVerdict, verdictOf, verdictOfReport } from "./parse-validation.ts";
import { parseJson } from "./text.ts";

/** An HTTP answer with its body as text; `nowMs` serves a Retry-After that is a date. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  nowMs: number;
}

/** The endpoint of a call: its name in messages (without token and host), and which answers it may give. */
export interface Endpoint {
  /** For example `POST /v1/provision`. */
  label: string;
  role: "start" | "poll" | "terminate" | "validate" | "start-validation" | "poll-validation" | "notice";
  /** Whether an adapter may lack it. */
  optional: boolean;
}

const maxRetryAfterMs = 3_600_000;
const unavailableStatuses = new Set([408, 425, 502, 503, 504]);

export function interpretStart(endpoint: Endpoint, answer: HttpAnswer): StartAnswer {
  if (!isSuccess(answer)) return startFailed(endpoint, answer);
  if (answer.status === 202) {
    const token = parseToken(answer.text);
    return token.ok ? { type: "accepted", token: token.value } : noToken(endpoint, answer, token.why);
  }
  const report = parseStatus(answer.text);
  if (report.ok) return ofReport(report.value);
  const token = tokenMember(answer.text);
  return token === null ? malformed(endpoint, answer, report.why) : { type: "accepted", token };
}

export function interpretPoll(endpoint: Endpoint, answer: HttpAnswer): PollAnswer {
  if (!isSuccess(answer)) return tokenFailed(endpoint, answer);
  // Some adapters answer 202, with or without a status, while they work.
  if (answer.status === 202 && answer.text.trim() === "") return { type: "running", logs: [] };
  const report = parseStatus(answer.text);
  return report.ok ? ofReport(report.value) : malformed(endpoint, answer, report.why);
}

export function interpretTerminate(endpoint: Endpoint, answer: HttpAnswer): TerminateAnswer {
  if (!isSuccess(answer)) return startFailed(endpoint, answer);
  const blank = answer.text.trim() === "";
  if (answer.status === 202) {
    const report = parseStatus(answer.text);
    return report.ok ? ofReport(report.value) : { type: "terminating", logs: [] };
  }
  if (blank) return { type: "done", status: "TERMINATED", info: null, logs: [] };
  const report = parseStatus(answer.text);
  return report.ok ? ofReport(report.value) : malformed(endpoint, answer, report.why);
}

export function interpretValidate(endpoint: Endpoint, answer: HttpAnswer): ValidateAnswer {
  if (!isSuccess(answer)) return failed(endpoint, answer);
  const verdict = parseVerdict(answer.text);
  return verdict.ok ? verdict.value : malformed(endpoint, answer, verdict.why);
}

export function interpretStartValidation(endpoint: Endpoint, answer: HttpAnswer): StartValidationAnswer {
  if (!isSuccess(answer)) return startFailed(endpoint, answer);
  if (answer.status === 202) {
    const token = parseToken(answer.text);
    return token.ok ? { type: "accepted", token: token.value } : noToken(endpoint, answer, token.why);
  }
  const json = parseJson(answer.text);
  if (!json.ok) return malformed(endpoint, answer, answer.text.trim() === "" ? "is empty" : json.why);
  const verdict = verdictOf(json.value);
  return verdict.ok ? verdict.value : ofValidationReport(endpoint, answer, statusOf(json.value));
}

export function interpretPollValidation(endpoint: Endpoint, answer: HttpAnswer): PollValidationAnswer {
  if (!isSuccess(answer)) return tokenFailed(endpoint, answer);
  if (answer.status === 202 && answer.text.trim() === "") return { type: "running", logs: [] };
  return ofValidationReport(endpoint, answer, parseStatus(answer.text));
}

/** Every 2xx is a success; its body is ignored. */
export const interpretNotice = (endpoint: Endpoint, answer: HttpAnswer): Notified | Refused | Fault =>
  isSuccess(answer) ? { type: "notified" } : failed(endpoint, answer);

/** A fault of the network or of our own outbound policy. */
export function transportFault(endpoint: Endpoint, found: Omit<Fault, "type">): Fault {
  return { type: "fault", ...found, message: `${endpoint.label}: ${found.message}` };
}

const isSuccess = (answer: HttpAnswer) => answer.status >= 200 && answer.status < 300;

function ofReport(report: StatusReport) {
  const { status, logs, info, updates, result } = report;
  const common = result === undefined ? { logs } : { logs, result };
  if (status === "RUNNING" || status === "TERMINATING") {
    return { type: status === "RUNNING" ? "running" : "terminating", ...common } as const;
  }
  const done = { type: "done", status, info, ...common } as const;
  return updates === undefined ? done : { ...done, updates };
}

function ofValidationReport(endpoint: Endpoint, answer: HttpAnswer, report: Parsed<StatusReport>) {
  if (!report.ok) return malformed(endpoint, answer, report.why);
  const progress = ofReport(report.value);
  if (progress.type !== "done") return progress;
  const verdict = verdictOfReport(report.value);
  return verdict.ok ? verdict.value : malformed(endpoint, answer, verdict.why);
}

/** Some adapters answer 200 with `{token}` where 202 was meant. */
function tokenMember(text: string): string | null {
  const json = parseJson(text);
  if (!json.ok || !isRecord(json.value) || json.value["token"] === undefined) return null;
  const token = parseToken(text);
  return token.ok ? token.value : null;
}

/** As `failed`, for a path with a token: 404 and 410 mean that the token is unknown. */
function tokenFailed(endpoint: Endpoint, answer: HttpAnswer): Refused | TokenUnknown | Fault {
  if (answer.status === 404 || answer.status === 410) {
    const message = `${endpoint.label}: the adapter no longer knows the token (${answer.status}).`;
    return { type: "token-unknown", message };
  }
  return failed(endpoint, answer);
}

/** As `failed`, for paths that an adapter may lack. */
function startFailed(endpoint: Endpoint, answer: HttpAnswer): Refused | Unsupported | Fault {
  const { status } = answer;
  if (!endpoint.optional || (status !== 404 && status !== 405 && status !== 501))
    return failed(endpoint, answer);
  return {
    type: "unsupported",
    status,
    message: `${endpoint.label}: the adapter does not support it (${status}).`,
  };
}

const peerOf = ({ role }: Endpoint): string => (role === "notice" ? "the service" : "the adapter");
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function failed(endpoint: Endpoint, answer: HttpAnswer): Refused | Fault {
  const { status } = answer;
  if (status === 429) {
    return statusFault(endpoint, answer, {
      reason: "rate_limited",
      said: `${peerOf(endpoint)} asks for fewer calls (429)`,
    });
  }
  if (unavailableStatuses.has(status)) {
    return statusFault(endpoint, answer, {
      reason: "unavailable",
      said: `${peerOf(endpoint)} cannot answer now (${status})`,
    });
  }
  if (status >= 400 && status < 500) return refused(endpoint, answer);
  if (status >= 500) {
    return statusFault(endpoint, answer, {
      reason: "server_error",
      said: `${peerOf(endpoint)} failed with ${status}`,
    });
  }
  const reason = status >= 300 ? "redirect" : "malformed";
  const what = status >= 300 ? "a redirect" : "an unusable status";
  return statusFault(endpoint, answer, {
    reason,
    said: `${peerOf(endpoint)} answered with ${what} (${status})`,
  });
}

function refused(endpoint: Endpoint, answer: HttpAnswer): Refused {
  const complaint = parseComplaint(answer.text);
  const { status } = answer;
  if (complaint.problems.length === 0) {
    complaint.problems.push(
      status === 401 || status === 403
        ? `${upper(peerOf(endpoint))} does not accept the credentials of the coordinator.`
        : `${upper(peerOf(endpoint))} answered ${status} without saying why.`,
    );
  }
  const message = `${endpoint.label}: ${peerOf(endpoint)} refused with ${status}: ${complaintText(complaint)}`;
  return { type: "refused", status, ...complaint, message };
}

function statusFault(
  endpoint: Endpoint,
  answer: HttpAnswer,
  found: { reason: FaultReason; said: string },
): Fault {
  const complaint = found.reason === "redirect" ? "" : complaintText(parseComplaint(answer.text));
  const fault: Fault = {
    type: "fault",
    reason: found.reason,
    status: answer.status,
    requestSent: true,
    retryable: retryable(endpoint, found.reason, answer.status),
    message: `${endpoint.label}: ${found.said}${complaint === "" ? "." : `: ${complaint}`}`,
  };
  const waitMs = readRetryAfter(answer.headers["retry-after"], answer.nowMs);
  return waitMs === null ? fault : { ...fault, retryAfterMs: Math.min(waitMs, maxRetryAfterMs) };
}

/**
 * A start or termination is repeated only when the adapter cannot have acted on it; polls and validations are
 * without effect. A malformed answer would be malformed again, except for polls, whose answer changes over
 * time.
 */
function retryable(endpoint: Endpoint, reason: FaultReason, status: number): boolean {
  if (reason === "rate_limited" || reason === "unavailable") return true;
  if (reason === "redirect" || status === 501 || status === 505) return false;
  const isPoll = endpoint.role === "poll" || endpoint.role === "poll-validation";
  if (reason === "malformed" || reason === "no_token") return isPoll;
  return endpoint.role !== "start" && endpoint.role !== "terminate";
}

const malformed = (endpoint: Endpoint, answer: HttpAnswer, why: string): Fault =>
  shapeFault(endpoint, answer, { reason: "malformed", why });

const noToken = (endpoint: Endpoint, answer: HttpAnswer, why: string): Fault =>
  shapeFault(endpoint, answer, { reason: "no_token", why });

function shapeFault(
  endpoint: Endpoint,
  answer: HttpAnswer,
  found: { reason: FaultReason; why: string },
): Fault {
  const { status } = answer;
  const message = `${endpoint.label}: the body of the adapter's ${status} ${found.why}.`;
  const repeat = retryable(endpoint, found.reason, status);
  return { type: "fault", reason: found.reason, status, requestSent: true, retryable: repeat, message };
}
