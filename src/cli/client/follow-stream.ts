/** Follows a stream of events to its last one, over broken connections and restarts of the server. */
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../platform/errors/failure.ts";
import { readEvents, type StreamEvent } from "./event-stream.ts";
import { isPassing, openStream, type Server } from "./http.ts";

/** `attempts`: gives up after this many connections in a row that deliver neither an event nor two heartbeat comments. */
const usual = { attempts: 8, firstDelayMs: 250 };
const maxDelayMs = 4_000;
/** After so many heartbeat comments a connection counts as one that worked, even without an event. */
const aliveComments = 2;

export interface Followed {
  path: string;
  /** Whether nothing comes after it. */
  isLast: (event: StreamEvent) => boolean;
  /** The error when the stream breaks off again and again. */
  broken: { message: string; solution: string };
}

/** Every event, from the first, once each; returns after the last. */
export async function* followStream(
  server: Server,
  followed: Followed,
  pace = usual,
): AsyncGenerator<StreamEvent> {
  let lastId: string | undefined;
  let attempts = 0;
  for (;;) {
    let comments = 0;
    const onComment = (): void => {
      comments += 1;
      if (comments >= aliveComments) attempts = 0;
    };
    try {
      const body = await openStream(server, followed.path, lastId);
      for await (const event of readEvents(body, onComment)) {
        attempts = 0;
        lastId = event.id ?? lastId;
        yield event;
        if (followed.isLast(event)) return;
      }
    } catch (error) {
      if (server.signal.aborted || (error instanceof Failure && !isPassing(error))) throw error;
      if (attempts >= pace.attempts) throw error instanceof Failure ? error : streamBroke(followed, error);
    }
    if (attempts >= pace.attempts) throw streamBroke(followed);
    await wait(Math.min(maxDelayMs, pace.firstDelayMs * 2 ** attempts), undefined, { signal: server.signal });
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
