/** Pure. What follows from an attempt to send a message. */
import { nextAttemptAt } from "../../../../platform/outbound/retry.ts";

export interface Sent {
  /** `refused`: the receiver will never take it. */
  result: "sent" | "failed" | "refused";
  error: string | null;
  /** How long the receiver wants to be left alone. */
  retryAfterMs?: number;
}

export interface SendVerdict {
  status: "SENT" | "PENDING" | "DEAD";
  error: string | null;
  nextAttemptAt: Date | null;
}

/** Limit of what a receiver may ask for. */
const longestRetryAfterMs = 24 * 3_600_000;

export function verdictOnSent(
  { result, error, retryAfterMs = 0 }: Sent,
  { attempts, at }: { attempts: number; at: Date },
  retryDelaysMs: readonly number[],
): SendVerdict {
  if (result === "sent") return { status: "SENT", error: null, nextAttemptAt: null };
  if (result === "refused") return { status: "DEAD", error, nextAttemptAt: null };
  const atLeastMs = Math.min(retryAfterMs, longestRetryAfterMs);
  const next = nextAttemptAt({ attempts, at, atLeastMs }, retryDelaysMs);
  if (next !== null) return { status: "PENDING", error, nextAttemptAt: next };
  return {
    status: "DEAD",
    error: `${error ?? ""} (attempt ${attempts}, the last one)`.trim(),
    nextAttemptAt: null,
  };
}
