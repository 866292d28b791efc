/** Pure: when a call that failed is made again. */

/** A Retry-After header, in seconds or as a date, as ms from `nowMs` on; null when there is none to be read. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? "";
  if (text === "") return null;
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}

/** When the next attempt is due by a list of delays, and no sooner than in `atLeastMs`; null after the last one. */
export function nextAttemptAt(
  { attempts, at, atLeastMs = 0 }: { attempts: number; at: Date; atLeastMs?: number },
  retryDelaysMs: readonly number[],
): Date | null {
  const delayMs = retryDelaysMs[attempts - 1];
  return delayMs === undefined ? null : new Date(at.getTime() + Math.max(delayMs, atLeastMs));
}
