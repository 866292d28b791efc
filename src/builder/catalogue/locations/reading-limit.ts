/**
 * How long the reading of a location may take. A large one takes as long as it takes while something comes of it: on a busy
 * machine a limit of the whole would end it just before its end, and the next attempt as well.
 */

export interface ReadingLimit {
  signal: AbortSignal;
  /** Something was read. */
  extend: () => void;
  /** Why the signal was aborted, as a sentence. */
  reason: () => string;
  end: () => void;
}

/** All of a reading may take so many times what it may take without any progress. */
export const wholeReading = 10;

export function limitReading(idleMs: number): ReadingLimit {
  const controller = new AbortController();
  const wholeMs = wholeReading * idleMs;
  let isWhole = false;
  let hasEnded = false;
  const idle = setTimeout(() => controller.abort(), idleMs);
  const whole = setTimeout(() => {
    isWhole = true;
    controller.abort();
  }, wholeMs);
  return {
    signal: controller.signal,
    extend() {
      // A timer that has been cleared would begin again.
      if (!hasEnded && !controller.signal.aborted) idle.refresh();
    },
    reason: () =>
      isWhole
        ? `The location was not read within ${wholeMs} ms.`
        : `Nothing came of the location within ${idleMs} ms.`,
    end() {
      hasEnded = true;
      clearTimeout(idle);
      clearTimeout(whole);
    },
  };
}
