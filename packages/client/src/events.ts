/** Server-Sent Events over fetch: unlike the browser's EventSource they carry a token. */
import { PlinthError } from "./errors.ts";

export interface StreamEvent {
  /** Empty where the stream gives none. */
  id: string;
  /** `message` where the stream names none. */
  event: string;
  data: string;
}

export interface FollowOptions {
  signal?: AbortSignal;
  /** Continues after this event. */
  lastEventId?: string;
  /** Limit of a silence; the server sends a comment every 15 seconds. */
  idleMs?: number;
  /** Gives up after this many connections in a row that deliver neither an event nor two heartbeat comments. */
  attempts?: number;
  /** Pause before the second attempt; it doubles with each. */
  retryMs?: number;
}

/** Opens the stream; called again after each break. */
export type OpenStream = (headers: Headers, signal: AbortSignal) => Promise<Response>;

const defaults = { idleMs: 60_000, attempts: 10, retryMs: 250 };
const maxPauseMs = 10_000;
/** A connection that has delivered this many heartbeat comments was alive for a while, although no event came. */
const aliveComments = 2;

export async function* followStream(open: OpenStream, options: FollowOptions): AsyncGenerator<StreamEvent> {
  const { idleMs, attempts, retryMs } = { ...defaults, ...options };
  const { signal } = options;
  let lastId = options.lastEventId;
  let received = 0;
  for (let failed = 0; ;) {
    let comments = 0;
    const onComment = (): void => {
      comments += 1;
      if (comments >= aliveComments) failed = 0;
    };
    const connection = new AbortController();
    const both = signal === undefined ? connection.signal : AbortSignal.any([signal, connection.signal]);
    let broken: unknown = new Error("The stream ended before its last event.");
    try {
      const headers = new Headers({ accept: "text/event-stream" });
      if (lastId !== undefined) headers.set("last-event-id", lastId);
      const response = await withinIdle(open(headers, both), idleMs, connection);
      if (response.status === 204) return;
      if (!response.ok) await refuse(response);
      for await (const event of readEvents(response, { idleMs, connection, onComment })) {
        failed = 0;
        received += 1;
        if (event.id !== "") lastId = event.id;
        yield event;
      }
      // A stream whose events have no ids cannot be continued, so its end is final. Without any event that is not known yet.
      if (received > 0 && lastId === undefined) return;
    } catch (error) {
      if (signal?.aborted === true || (error instanceof PlinthError && !isPassing(error))) throw error;
      broken = error;
    } finally {
      connection.abort();
    }
    failed += 1;
    if (failed >= attempts) throw broken;
    await pause(Math.min(retryMs * 2 ** (failed - 1), maxPauseMs), signal);
  }
}

const isPassing = ({ status }: PlinthError): boolean => status === 429 || status >= 500;

const refuse = async (response: Response): Promise<never> => {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  throw new PlinthError(response.status, body);
};

interface Reading {
  idleMs: number;
  connection: AbortController;
  onComment: () => void;
}

async function* readEvents(
  response: Response,
  { idleMs, connection, onComment }: Reading,
): AsyncGenerator<StreamEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let buffer = "";
  for (;;) {
    const { done, value } = await withinIdle(reader.read(), idleMs, connection);
    // What is left without an empty line after it is a record that was cut off.
    if (done) return;
    const records = (buffer + value.replaceAll("\r", "")).split("\n\n");
    buffer = records.pop() ?? "";
    for (const record of records) {
      const event = eventOf(record);
      if (event !== undefined) yield event;
      else if (record.startsWith(":")) onComment();
    }
  }
}

/** A record without data, such as a comment, is no event. */
const eventOf = (record: string): StreamEvent | undefined => {
  const event = { id: "", event: "message" };
  const data: string[] = [];
  for (const line of record.split("\n")) {
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "data") data.push(value);
    else if (field === "id" || field === "event") event[field] = value;
  }
  return data.length === 0 ? undefined : { ...event, data: data.join("\n") };
};

const withinIdle = async <T>(work: Promise<T>, idleMs: number, connection: AbortController): Promise<T> => {
  const timer = setTimeout(
    () => connection.abort(new Error(`The stream was silent for ${idleMs} ms.`)),
    idleMs,
  );
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
};

const pause = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const timer = setTimeout(end, ms);
  signal?.addEventListener("abort", end);
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener("abort", end);
  signal?.throwIfAborted();
};
