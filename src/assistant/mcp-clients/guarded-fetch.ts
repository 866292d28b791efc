/** `fetch` for the protocol's toolkit, through the outbound door and under limits. */
import type { FetchLike } from "@modelcontextprotocol/client";
import type { Outbound, OutboundRequest } from "../../platform/outbound/outbound.ts";
import type { OutboundStream } from "../../platform/outbound/stream.ts";

export interface FetchLimits {
  /** Of one exchange that is no stream of events. */
  timeoutMs: number;
  /** Of an answer, and of each event of a stream that stays open. */
  maxBytes: number;
  /** Told of a limit that was exceeded: nothing more is to be expected of this connection. */
  onExceeded: (error: Error) => void;
}

/** Streams over which a server tells news stay open as long as it likes. */
const streamMs = 24 * 60 * 60_000;

export function createGuardedFetch(outbound: Outbound, limits: FetchLimits): FetchLike {
  return async (input, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const method = (init.method ?? "GET") as OutboundRequest["method"];
    const isOpen = method === "GET" || headers["mcp-method"] === "subscriptions/listen";
    const timeoutMs = isOpen ? streamMs : limits.timeoutMs;
    const answer = await outbound.stream({
      method,
      url: String(input),
      headers,
      timeoutMs,
      idleMs: timeoutMs,
      maxResponseBytes: isOpen ? Number.MAX_SAFE_INTEGER : limits.maxBytes,
      ...(typeof init.body === "string" ? { body: init.body } : {}),
      ...(init.signal ? { signal: init.signal } : {}),
    });
    const mayHaveBody = ![101, 204, 205, 304].includes(answer.status);
    if (!mayHaveBody) answer.cancel();
    const body = mayHaveBody ? bodyOf(answer, limits) : null;
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
}

function bodyOf(answer: OutboundStream, limits: FetchLimits): ReadableStream<Uint8Array> {
  const isEvents = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
  const count = eventSize();
  const iterator = answer.body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (done === true) return controller.close();
        if (isEvents && count(value) > limits.maxBytes)
          throw new Error(`An event is longer than ${limits.maxBytes} bytes.`);
        controller.enqueue(new Uint8Array(value));
      } catch (error) {
        controller.error(error);
        answer.cancel();
        limits.onExceeded(error as Error);
      }
    },
    cancel() {
      answer.cancel();
    },
  });
}

const lineFeed = 10;
const carriageReturn = 13;

/** The bytes since the last empty line, which ends an event, after each chunk. */
function eventSize(): (chunk: Uint8Array) => number {
  let size = 0;
  let lineIsEmpty = true;
  return (chunk) => {
    for (const byte of chunk) {
      size += 1;
      if (byte === lineFeed) {
        if (lineIsEmpty) size = 0;
        lineIsEmpty = true;
      } else if (byte !== carriageReturn) lineIsEmpty = false;
    }
    return size;
  };
}
