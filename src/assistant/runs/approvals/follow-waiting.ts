/** Streams for clients that don't stay while a run waits for its user: they end with what it waits for. */
import type { Db } from "../../../platform/db/database.ts";
import type { LoggedEvent, RunEvent, RunResult } from "../log/ag-ui.ts";
import { readForStream } from "../log/follow.ts";
import { waitingEvent } from "./waiting.ts";
import { isWaitingSince } from "./waiting-store.ts";

interface Options {
  runId: string;
  sessionId: string;
  /** Whether what it waits for is a text of the answer as well, for protocols without a form for it. */
  isSaid: boolean;
  /** Of a stream: until it is aborted, a look that fails is repeated for a while. */
  signal?: AbortSignal;
}

/** The events until the run ends or waits. Where it has waited before, the stream goes on. */
export async function* untilWaiting(
  db: Db,
  batches: AsyncIterable<LoggedEvent[]> | Iterable<LoggedEvent[]>,
  options: Options,
): AsyncGenerator<LoggedEvent[]> {
  const { runId, signal } = options;
  const isWaiting = ({ seq }: LoggedEvent): Promise<boolean> => {
    const look = () => isWaitingSince(db, runId, seq);
    return signal === undefined ? look() : readForStream(look, signal);
  };
  for await (const events of batches) {
    const last = events.at(-1);
    const result = last === undefined ? null : waitingResult(last);
    if (last === undefined || result === null || !(await isWaiting(last))) {
      yield events;
      continue;
    }
    yield [...events, ...endingOf(result, last.seq, options)];
    return;
  }
}

/** Null for another event. */
function waitingResult({ type, data }: LoggedEvent): RunResult | null {
  if (type !== "CUSTOM") return null;
  const { name, value } = JSON.parse(data) as { name: string; value: RunResult };
  return name === waitingEvent ? value : null;
}

function endingOf(result: RunResult, seq: number, { runId, sessionId, isSaid }: Options): LoggedEvent[] {
  const messageId = `${runId}-waits-${seq}`;
  const said: RunEvent[] = [
    { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId, delta: result.message },
    { type: "TEXT_MESSAGE_END", messageId },
  ];
  const end: RunEvent = { type: "RUN_FINISHED", threadId: sessionId, runId, result };
  return [...(isSaid ? said : []), end].map((event) => ({
    seq,
    type: event.type,
    data: JSON.stringify(event),
  }));
}
