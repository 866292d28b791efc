/**
 * The operations of one adapter process by token and by idempotency key, in memory. Invariant: while a key is
 * known, its operation ran once. A key is dropped when the operation failed for a transient reason (not
 * because of the input), so that a repeat may succeed.
 */
import { createHash } from "node:crypto";

import { Failure } from "../../platform/errors/failure.ts";
import { newId } from "../../platform/lib/ids.ts";
import { kitLimits } from "./limits.ts";
import type { JsonObject, LogEntry, LogLevel } from "./protocol.ts";

export type OperationStatus = "RUNNING" | "COMPLETED" | "FAILED" | "TERMINATING" | "TERMINATED";

export type Action = "provision" | "unprovision" | "updateacl" | "reverse-provisioning" | "validate";

export interface Operation {
  token: string;
  action: Action;
  status: OperationStatus;
  logs: LogEntry[];
  /** Present when COMPLETED: what the status body holds beside status and logs. */
  answer?: JsonObject;
  /** Present when FAILED or TERMINATED. */
  failure?: unknown;
  /** Resolves, never rejects, once the status is final. */
  done: Promise<void>;
  abort: AbortController;
  /** Whether its token was handed out; then its outcome must stay known. */
  polled: boolean;
}

export interface OperationRequest {
  action: Action;
  idempotencyKey: string | undefined;
  /** What was asked; the same key with another fingerprint is refused. */
  body: unknown;
  run: (operation: Operation) => Promise<JsonObject>;
}

export interface Operations {
  start(request: OperationRequest): Operation;
  find(token: string): Operation | undefined;
  running(): Operation[];
}

interface Entry {
  operation: Operation;
  key: string | undefined;
  fingerprint: string;
}

export const isFinal = (status: OperationStatus): boolean => status !== "RUNNING" && status !== "TERMINATING";

export function createOperations(limits: { running: number; finished: number }): Operations {
  const byToken = new Map<string, Entry>();
  const byKey = new Map<string, Entry>();

  const forget = (entry: Entry): void => {
    byToken.delete(entry.operation.token);
    if (entry.key !== undefined && byKey.get(entry.key) === entry) byKey.delete(entry.key);
  };
  const settled = (entry: Entry): void => {
    // Operations are forgotten in the order in which they ended.
    byToken.delete(entry.operation.token);
    byToken.set(entry.operation.token, entry);
    const passing = entry.operation.status !== "COMPLETED" && !isRefusal(entry.operation.failure);
    if (passing && !entry.operation.polled) forget(entry);
    // Maps keep insertion order, so the first final entries are the oldest.
    let surplus =
      [...byToken.values()].filter((each) => isFinal(each.operation.status)).length - limits.finished;
    for (const each of byToken.values()) {
      if (surplus <= 0) break;
      if (!isFinal(each.operation.status)) continue;
      forget(each);
      surplus -= 1;
    }
  };

  return {
    start(request: OperationRequest): Operation {
      const key =
        request.idempotencyKey === undefined ? undefined : `${request.action} ${request.idempotencyKey}`;
      const fingerprint = fingerprintOf(request.body);
      const known = key === undefined ? undefined : byKey.get(key);
      if (known) {
        if (known.fingerprint !== fingerprint) throw reusedKey();
        return known.operation;
      }
      if (countRunning(byToken) >= limits.running) throw tooMany();
      const operation: Operation = {
        token: newId(),
        action: request.action,
        status: "RUNNING",
        logs: [],
        done: Promise.resolve(),
        abort: new AbortController(),
        polled: false,
      };
      const entry: Entry = { operation, key, fingerprint };
      byToken.set(operation.token, entry);
      if (key !== undefined) byKey.set(key, entry);
      operation.done = runToEnd(operation, request.run).then(() => settled(entry));
      return operation;
    },
    find: (token) => byToken.get(token)?.operation,
    running: () =>
      [...byToken.values()].map((entry) => entry.operation).filter((operation) => !isFinal(operation.status)),
  };
}

async function runToEnd(operation: Operation, run: OperationRequest["run"]): Promise<void> {
  try {
    operation.answer = await run(operation);
    operation.status = "COMPLETED";
  } catch (error) {
    operation.failure = error;
    operation.status = operation.abort.signal.aborted ? "TERMINATED" : "FAILED";
  }
}

/** Appends a log entry within the limits; the entry that would pass them says that the rest is left out. */
export function appendLog(
  operation: Operation,
  entry: { level: LogLevel; message: string; phase?: string },
): void {
  if (operation.logs.length > kitLimits.logEntries) return;
  const full = operation.logs.length === kitLimits.logEntries;
  operation.logs.push({
    timestamp: new Date().toISOString(),
    level: full ? "WARNING" : entry.level,
    message: full ? "Further log entries are left out." : entry.message.slice(0, kitLimits.logMessageChars),
    ...(entry.phase === undefined ? {} : { phase: entry.phase }),
  });
}

/** A refusal is about the input: repeating the same call cannot help. */
export const isRefusal = (failure: unknown): boolean =>
  failure instanceof Failure && failure.kind === "invalid";

const fingerprintOf = (body: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(body) ?? "")
    .digest("hex");

const countRunning = (entries: Map<string, Entry>): number =>
  [...entries.values()].filter((entry) => !isFinal(entry.operation.status)).length;

const reusedKey = (): Failure =>
  new Failure({
    kind: "conflict",
    code: "ADAPTER_IDEMPOTENCY_KEY_REUSED",
    message: "The idempotency key was used before with another request.",
    solutions: ["Use a fresh key for a different request."],
  });

const tooMany = (): Failure =>
  new Failure({
    kind: "unavailable",
    code: "ADAPTER_BUSY",
    message: "The adapter runs as many operations as it can; try again later.",
    retryAfterSeconds: 5,
  });
