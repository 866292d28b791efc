/** Pure. How long something has gone on by a clock that may be set: a step back does not count, so nothing waits for it to be made up. */

/** Milliseconds since `since`, which may be of another process whose clock is ahead. Never less than it was. */
export function createElapsed(now: () => number, since: number): () => number {
  let seen = now();
  let from = Math.min(since, seen);
  return () => {
    const at = now();
    if (at < seen) from -= seen - at;
    seen = at;
    return at - from;
  };
}
