/** Reads the streams of runs over HTTP. */
import { tokenOf, type TestRole } from "../../support/server.ts";

export interface Received {
  id: string;
  event: string;
  data: any;
  /** The record as it came. */
  text: string;
}

export interface OpenedStream {
  status: number;
  headers: Headers;
  /** Records as they come; comments are left out. */
  records: AsyncGenerator<Received>;
  /** The body of an answer that is no stream. */
  body: any;
  close(): void;
}

export async function openStream(
  url: string,
  {
    method = "POST",
    body,
    as = "admin",
    headers = {},
  }: {
    method?: string;
    body?: unknown;
    as?: TestRole;
    headers?: Record<string, string>;
  },
): Promise<OpenedStream> {
  const stop = new AbortController();
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${tokenOf(as)}`, ...headers },
    signal: stop.signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const text = isStream ? "" : await response.text();
  return {
    status: response.status,
    headers: response.headers,
    records: recordsOf(isStream ? response.body : null),
    body: text === "" ? null : JSON.parse(text),
    close: () => stop.abort(),
  };
}

async function* recordsOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Received> {
  if (body === null) return;
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    const parts = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      if (part.startsWith(":")) continue;
      const field = (name: string): string =>
        part
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? "";
      const data = field("data");
      yield {
        id: field("id"),
        event: field("event"),
        data: data.startsWith("{") ? JSON.parse(data) : data,
        text: part,
      };
    }
  }
}

export async function allOf(stream: OpenedStream): Promise<Received[]> {
  const all: Received[] = [];
  for await (const record of stream.records) all.push(record);
  return all;
}

/** Reads until a record fits; the stream stays open. */
export async function readUntil(
  stream: OpenedStream,
  fits: (record: Received) => boolean,
): Promise<Received> {
  for (;;) {
    const { value, done } = await stream.records.next();
    if (done === true) throw new Error("The stream ended before.");
    if (fits(value)) return value;
  }
}

/** The events, pieces of text that follow each other as one: how they were cut is a matter of time. */
export function inWholeTexts(records: readonly Received[]): any[] {
  const events: any[] = [];
  for (const { data } of records) {
    const last = events.at(-1);
    const isMore = data.type === "TEXT_MESSAGE_CONTENT" && last?.type === data.type;
    if (isMore) events.splice(-1, 1, { ...last, delta: last.delta + data.delta });
    else events.push(data);
  }
  return events;
}
