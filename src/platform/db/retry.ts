/** Writes that are sent again while the database is away. The statement has to refuse to be done twice. */
import { isDatabaseAway } from "./failures.ts";

export interface RetryOptions {
  /** After this time the error is thrown. */
  forMs: number;
  /** Between two attempts; a function is asked before each wait. */
  delayMs: number | (() => number);
  mayRepeat?: (error: unknown) => boolean;
  onRetry: (error: Error) => void;
}

export async function retryWhileAway<T>(
  write: () => Promise<T>,
  { forMs, delayMs, mayRepeat = isDatabaseAway, onRetry }: RetryOptions,
): Promise<T> {
  const giveUpAt = performance.now() + forMs;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!mayRepeat(error) || performance.now() > giveUpAt) throw error;
      onRetry(error as Error);
      await new Promise((next) => setTimeout(next, typeof delayMs === "number" ? delayMs : delayMs()));
    }
  }
}
