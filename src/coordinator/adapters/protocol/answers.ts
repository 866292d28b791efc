/**
 * The answers that a call to a tech adapter can have. The client never throws for something the peer or the
 * network did: every outcome is one of these, distinguished by `type`.
 */
import type { OutboundReason } from "../../../platform/outbound/outbound-error.ts";

export type AdapterOperation = "provision" | "unprovision" | "updateacl" | "reverse-provisioning";

export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR";

export interface AdapterLog {
  /** ISO 8601 in UTC; absent when the adapter sent none that can be read. */
  timestamp?: string;
  level: LogLevel;
  message: string;
  phase?: string;
}

export type JsonObject = Record<string, unknown>;

/** Information about a provisioned component; parts that the adapter left out are empty objects. */
export interface AdapterInfo {
  publicInfo: JsonObject;
  privateInfo: JsonObject;
  aclInfo?: unknown[];
}

/** The work has ended. */
export interface Done {
  type: "done";
  status: "COMPLETED" | "FAILED" | "TERMINATED";
  result?: string;
  info: AdapterInfo | null;
  /** Reverse provisioning only: what the adapter found, as it sent it. */
  updates?: unknown;
  logs: AdapterLog[];
}

/** The work goes on under this token. */
export interface Accepted {
  type: "accepted";
  token: string;
}

/**
 * The work goes on. As the answer to a start it means an adapter that gave no token: there is nothing to
 * poll, only the identical call can be repeated under its idempotency key.
 */
export interface InProgress {
  type: "running" | "terminating";
  result?: string;
  logs: AdapterLog[];
}

/** The adapter answered 4xx. `problems` has at least one entry; `message` is the whole answer as text. */
export interface Refused {
  type: "refused";
  status: number;
  problems: string[];
  solutions: string[];
  userMessage?: string;
  input?: string;
  inputErrorField?: string;
  message: string;
}

/** 404, 405 or 501 on a path that adapters need not have. */
export interface Unsupported {
  type: "unsupported";
  status: number;
  message: string;
}

/** The adapter no longer knows the token, as after its restart; asking again will not help. */
export interface TokenUnknown {
  type: "token-unknown";
  message: string;
}

export type FaultReason =
  | OutboundReason
  /** A 3xx; redirects are never followed. */
  | "redirect"
  /** 429. */
  | "rate_limited"
  /** 408, 425, 502, 503 or 504: the adapter or a proxy is temporarily unavailable. */
  | "unavailable"
  /** Any other 5xx. */
  | "server_error"
  /** A success whose body does not follow the protocol. */
  | "malformed"
  /** 202 without a usable token. */
  | "no_token";

/** The call has no usable answer. */
export interface Fault {
  type: "fault";
  reason: FaultReason;
  /** HTTP status, when there was an answer at all. */
  status?: number;
  /** False: the adapter cannot have seen the call. True: it may have acted on it. */
  requestSent: boolean;
  /** Whether repeating the identical call, with the same idempotency key, may help. */
  retryable: boolean;
  /** From Retry-After, at most an hour. */
  retryAfterMs?: number;
  message: string;
}

/** No connection could be made, so the peer has not seen the call; a retry may succeed. */
export const isUnconnected = (answer: { type: string }): boolean => {
  if (answer.type !== "fault") return false;
  const { requestSent, retryable } = answer as Fault;
  return !requestSent && retryable;
};

/** The verdict on a descriptor. `problems` has at least one entry when it is not valid. */
export interface Validated {
  type: "validated";
  valid: boolean;
  problems: string[];
  solutions: string[];
  userMessage?: string;
  logs: AdapterLog[];
}

/** An external service accepted a notice. */
export interface Notified {
  type: "notified";
}

export type StartAnswer = Done | Accepted | InProgress | Refused | Unsupported | Fault;
export type PollAnswer = Done | InProgress | Refused | TokenUnknown | Fault;
export type TerminateAnswer = Done | InProgress | Refused | Unsupported | Fault;
export type ValidateAnswer = Validated | Refused | Fault;
export type StartValidationAnswer = Validated | Accepted | InProgress | Refused | Unsupported | Fault;
export type PollValidationAnswer = Validated | InProgress | Refused | TokenUnknown | Fault;
