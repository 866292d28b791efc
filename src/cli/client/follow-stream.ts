/** Follows a stream of events to its last one, over broken connections and restarts of the server. */
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../platform/errors/failure.ts";
import { readEvents, type StreamEvent } from "./event-stream.ts";
import { isPassing, openStream, type Server } from "./http.ts";

/** Attempts in a row without an event before giving up. */
const maxAttempts = 8;
const firstDelayMs = 250;
const maxDelayMs = 4_000;

export interface Followed {
  path: string;
  /** Whether nothing comes after it. */
  isLast: (event: StreamEvent) => boolean;
  /** The error when the stream breaks off again and again. */
  broken: { message: string; solution: string };
}

/** Every event, from the first, once each; returns after the last. */
export async function* followStream(server: Server, followed: Followed): AsyncGenerator<StreamEvent> {
  let lastId: string | undefined;
  let attempts = 0;
  for (;;) {
    try {
      for await (const event of readEvents(await openStream(server, followed.path, lastId))) {
        attempts = 0;
        lastId = event.id ?? lastId;
        yield event;
        if (followed.isLast(event)) return;
      }
    } catch (error) {
      if (server.signal.aborted || (error instanceof Failure && !isPassing(error))) throw error;
      if (attempts >= maxAttempts) throw error instanceof Failure ? error : streamBroke(followed, error);
    }
    if (attempts >= maxAttempts) throw streamBroke(followed);
    await wait(Math.min(maxDelayMs, firstDelayMs * 2 ** attempts), undefined, { signal: server.signal });
    attempts += 1;
  }
}

const streamBroke = ({ broken }: Followed, cause?: unknown): Failure =>
  new Failure({
    kind: "unavailable",
    code: "CLI_UNREACHABLE",
    message: broken.message,
    solutions: [broken.solution],
    cause,
  });
