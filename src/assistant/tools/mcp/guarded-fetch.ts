/** `fetch` for the protocol's toolkit, through the outbound client and under limits. */
import type { FetchLike } from "@modelcontextprotocol/client";
import type { Mask } from "../../../platform/lib/secrets/mask.ts";
import type { Outbound, OutboundRequest } from "../../../platform/outbound/outbound.ts";
import type { SentSecrets } from "../../../platform/outbound/sent-secrets.ts";
import type { OutboundStream } from "../../../platform/outbound/stream.ts";

export interface FetchLimits {
  /** Time limit of one request that is not an event stream. */
  timeoutMs: number;
  /** Limit of a response, and of each event of a stream. */
  maxBytes: number;
  /** Called when a limit was exceeded: the connection is of no more use. */
  onExceeded: (error: Error) => void;
  /** Secrets that were sent to the server are masked in its responses. */
  sent: SentSecrets;
}

/** Streams of notifications stay open as long as the server wants. */
const streamMs = 24 * 60 * 60_000;

export function createGuardedFetch(outbound: Outbound, limits: FetchLimits): FetchLike {
  return async (input, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const method = (init.method ?? "GET") as OutboundRequest["method"];
    const isOpen = method === "GET" || headers["mcp-method"] === "subscriptions/listen";
    const timeoutMs = isOpen ? streamMs : limits.timeoutMs;
    limits.sent.note({ url: String(input), headers });
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
    const mask = limits.sent.mask();
    try {
      const body = mayHaveBody ? bodyOf(answer, limits, mask) : null;
      return new Response(body, { status: answer.status, headers: shownHeaders(answer.headers, mask) });
    } catch (error) {
      // `Response` refuses the status, so nobody will read the body.
      answer.cancel();
      throw error;
    }
  };
}

const sessionHeader = "mcp-session-id";

/** The session id has to be sent back unchanged, so it is not masked. */
const shownHeaders = (headers: Record<string, string>, mask: Mask): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, name === sessionHeader ? value : mask.text(value)]),
  );

function bodyOf(answer: OutboundStream, limits: FetchLimits, mask: Mask): ReadableStream<Uint8Array> {
  const isEvents = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
  const count = eventSize();
  const iterator = answer.body[Symbol.asyncIterator]();
  const hiding = hidesIn(mask);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (done === true) {
          controller.enqueue(hiding.end());
          return controller.close();
        }
        if (isEvents && count(value) > limits.maxBytes)
          throw new Error(`An event is longer than ${limits.maxBytes} bytes.`);
        controller.enqueue(hiding.push(value));
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

/** Bytes are read as Latin-1: secrets are ASCII, and all other bytes come out unchanged. */
function hidesIn(mask: Mask): { push(bytes: Uint8Array): Uint8Array; end(): Uint8Array } {
  if (mask.isEmpty) return { push: (bytes) => new Uint8Array(bytes), end: () => new Uint8Array() };
  const pieces = mask.pieces();
  const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
  return {
    push: (bytes) => bytesOf(pieces.push(Buffer.from(bytes).toString("latin1"))),
    end: () => bytesOf(pieces.end()),
  };
}

const lineFeed = 10;
const carriageReturn = 13;

/** Counts the bytes since the last empty line, which ends an event. */
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
