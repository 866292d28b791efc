/** Follows how far the events can be read. While a transaction holds that back, it looks less and less often. */
import type { Db } from "../db/database.ts";
import { readEventSnapshot } from "./settled-store.ts";
import { advanceWatermark, initialWatermark, type Watermark } from "./watermark.ts";

export interface SettledEvents {
  /** Every event up to that id can be read. */
  settled: number;
  /** In how many milliseconds more may be; null where that is not known to come. */
  againMs: number | null;
}

/** The database lists all its locks for a look, so that under load, with writers at any time, there are few looks. */
const firstPauseMs = 100;
const longestPauseMs = 1_000;

export function followSettled(db: Db): () => Promise<SettledEvents> {
  let watermark: Watermark = initialWatermark;
  let pauseMs = 0;
  let lookAt = 0;
  return async () => {
    if (performance.now() >= lookAt) {
      const before = watermark;
      watermark = advanceWatermark(before, await readEventSnapshot(db));
      pauseMs = watermark === before ? Math.min(2 * pauseMs, longestPauseMs) : firstPauseMs;
      lookAt = watermark.pending === null ? 0 : performance.now() + pauseMs;
    }
    const againMs = watermark.pending === null ? null : Math.max(0, lookAt - performance.now());
    return { settled: watermark.settled, againMs };
  };
}
