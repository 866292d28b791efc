/** Follows an execution plan to its end, over broken connections and restarts of the server. */
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../platform/errors/failure.ts";
import { readEvents } from "./event-stream.ts";
import { openStream, type Server } from "./http.ts";
import { hasEnded, type PlanEvent } from "./wire.ts";

/** Attempts in a row that bring no event before the server is given up. */
const maxAttempts = 8;
const firstDelayMs = 250;
const maxDelayMs = 4_000;

/** Every event of the plan, from its first, once each; returns after the plan's last. */
export async function* followPlan(server: Server, token: string): AsyncGenerator<PlanEvent> {
  let lastId: string | undefined;
  let attempts = 0;
  for (;;) {
    try {
      const path = `/api/coordinator/v1/execution-plans/${encodeURIComponent(token)}/events`;
      for await (const { id, type, data } of readEvents(await openStream(server, path, lastId))) {
        attempts = 0;
        lastId = id ?? lastId;
        const event = parseEvent(type, data);
        if (event) yield event;
        if (event?.type === "plan" && hasEnded(event.data.status)) return;
      }
    } catch (error) {
      if (server.signal.aborted || (error instanceof Failure && !isPassing(error))) throw error;
      if (attempts >= maxAttempts) throw error instanceof Failure ? error : streamBroke(error);
    }
    if (attempts >= maxAttempts) throw streamBroke();
    await wait(Math.min(maxDelayMs, firstDelayMs * 2 ** attempts), undefined, { signal: server.signal });
    attempts += 1;
  }
}

const isPassing = ({ kind, code }: Failure): boolean =>
  kind === "unavailable" || kind === "limit" || code === "CLI_UNREACHABLE";

const known = new Set(["task", "log", "plan"]);

/** Types that a later server adds are left out. */
function parseEvent(type: string, data: string): PlanEvent | null {
  if (!known.has(type)) return null;
  try {
    return { type, data: JSON.parse(data) } as PlanEvent;
  } catch {
    return null;
  }
}

const streamBroke = (cause?: unknown): Failure =>
  new Failure({
    kind: "unavailable",
    code: "CLI_UNREACHABLE",
    message: "The event stream of the plan breaks off again and again; the plan itself goes on.",
    solutions: ["See where it stands with `plinth status --plan <token>`."],
    cause,
  });
