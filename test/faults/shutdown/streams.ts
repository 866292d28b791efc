import { readEventIds } from "../event-ids.ts";

/** Clients of live streams that come back with the last id they saw, as browsers do. */
export interface Stream {
  token: string;
  ids: number[];
  /** Resolves once the first events are there. */
  opened: Promise<void>;
  /** How the first connection ended: null in order, else why not. */
  ended: Promise<string | null>;
}

export function openStream(base: string, token: string): Stream {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const ids: number[] = [];
  const ended = read(base, { token, ids, onEvent: open }).finally(open);
  return { token, ids, opened, ended };
}

/** Goes on at another instance until the plan has ended. */
export async function resumeStream(base: string, { token, ids }: Stream): Promise<string | null> {
  return read(base, { token, ids, onEvent: () => undefined });
}

async function read(
  base: string,
  { token, ids, onEvent }: { token: string; ids: number[]; onEvent: () => void },
): Promise<string | null> {
  try {
    const last = ids.at(-1);
    const answer = await fetch(`${base}/v1/execution-plans/${token}/events`, {
      headers: {
        accept: "text/event-stream",
        ...(last !== undefined && { "last-event-id": String(last) }),
      },
    });
    if (answer.status === 204) return null;
    if (answer.status !== 200 || !answer.body) return `it was answered ${answer.status}`;
    for await (const id of readEventIds(answer.body)) {
      ids.push(id);
      onEvent();
    }
    return null;
  } catch (error) {
    return `it broke: ${(error as Error).message}`;
  }
}
