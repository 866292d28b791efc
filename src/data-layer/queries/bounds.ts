/** What one query may take: its time, and how much it reads and answers. */
import { dataLayerFailure } from "../errors.ts";
import type { QueryBounds } from "../graph/reader-store.ts";

export interface BoundsOptions {
  timeoutMs: number;
  /** Longest answer, in characters. */
  maxLength: number;
}

export interface OpenBounds extends QueryBounds {
  close(): void;
}

/** Ends with the request, too: nobody waits for the answer of a caller who has gone. */
export function openBounds(request: AbortSignal, { timeoutMs, maxLength }: BoundsOptions): OpenBounds {
  const end = new AbortController();
  const unavailable = (message: string) => (): void =>
    end.abort(dataLayerFailure("GRAPHQL_UNAVAILABLE", { message, retryAfterSeconds: 1 }));
  const timer = setTimeout(unavailable(`The query took longer than ${timeoutMs} ms.`), timeoutMs);
  const onGone = unavailable("The caller has gone.");
  request.addEventListener("abort", onGone, { once: true });
  if (request.aborted) onGone();
  let left = maxLength;
  const exceed = (): void =>
    end.abort(
      dataLayerFailure("GRAPHQL_SIZE", {
        message: `The answer has more than ${maxLength} characters, or more had to be read for it.`,
      }),
    );
  return {
    signal: end.signal,
    maxLength,
    exceed,
    read(length) {
      left -= length;
      if (left < 0) exceed();
    },
    close() {
      clearTimeout(timer);
      request.removeEventListener("abort", onGone);
    },
  };
}
