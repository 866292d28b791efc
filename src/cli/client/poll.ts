/** Asks a server again and again until something has happened there. */
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../platform/errors/failure.ts";
import { isPassing, type Server } from "./http.ts";

export interface Pace {
  pauseMs: number;
  /** So many failed reads in a row are tolerated, where a later read may succeed; the next one is thrown. */
  maxFailures: number;
}

const usual: Pace = { pauseMs: 500, maxFailures: 8 };
const maxPauseMs = 4_000;

/** The first answer for which `isDone` holds; survives a restart of the server. `onAnswer` sees every answer. */
export async function pollUntil<T>(
  server: Server,
  {
    read,
    isDone,
    onAnswer,
  }: { read: () => Promise<T>; isDone: (answer: T) => boolean; onAnswer?: (answer: T) => void },
  { pauseMs, maxFailures }: Pace = usual,
): Promise<T> {
  for (let failures = 0; ;) {
    try {
      const answer = await read();
      failures = 0;
      onAnswer?.(answer);
      if (isDone(answer)) return answer;
    } catch (error) {
      failures += 1;
      if (server.signal.aborted || !(error instanceof Failure) || !isPassing(error)) throw error;
      if (failures > maxFailures) throw error;
    }
    await wait(Math.min(maxPauseMs, pauseMs * 2 ** failures), undefined, { signal: server.signal });
  }
}
