/** Pure. Elapsed time by a wall clock: when the clock is set back, counting goes on from where it was. */

/** Milliseconds since `since`, which another process may have written whose clock is ahead. The result never decreases. */
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
