/**
 * Time limit for reading a location. A large location may take long as long as it makes progress: on a busy
 * machine a fixed total would end it just before it completes, and the next attempt as well.
 */

export interface ReadingLimit {
  signal: AbortSignal;
  /** Reports progress. */
  extend: () => void;
  /** The reason why the signal was aborted, as a sentence. */
  reason: () => string;
  end: () => void;
}

/** The total limit, as a multiple of the time allowed without progress. */
export const totalFactor = 10;

export function limitReading(idleMs: number): ReadingLimit {
  const controller = new AbortController();
  const wholeMs = totalFactor * idleMs;
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
      // Restarting a timer that has been cleared would start it again.
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
