/** A response that is read while it arrives, for peers that write it over minutes. */
import type { Dispatcher } from "undici";
import { isIdentity, tooLarge } from "./decode-body.ts";
import { OutboundError, toOutboundError } from "./outbound-error.ts";

export interface StreamLimits {
  /** From the queue to the last byte. */
  timeoutMs: number;
  /** Longest silence, before the first byte and between two. */
  idleMs: number;
  maxResponseBytes: number;
  signal?: AbortSignal | undefined;
}

export interface OutboundStream {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /**
   * The body as it arrives, uncompressed. Throws only OutboundError. Whoever stops reading early ends the call; whoever never
   * begins to read must `cancel`.
   */
  body: AsyncIterable<Buffer>;
  cancel(): void;
}

/** Unread bytes at which reading from the peer pauses. */
const pauseAtBytes = 256 * 1024;

/** Resolves with the head of the answer; one timer for the whole and one for silence end the call. */
export function streamExchange(
  dispatch: (handler: Dispatcher.DispatchHandler) => void,
  origin: string,
  limits: StreamLimits,
): Promise<OutboundStream> {
  const head = Promise.withResolvers<OutboundStream>();
  let received = 0;
  let controller: Dispatcher.DispatchController | null = null;
  let isPaused = false;
  let isOpen = true;

  const end = (failure: OutboundError | null): void => {
    isOpen = false;
    timers.stop();
    limits.signal?.removeEventListener("abort", onAbort);
    chunks.end(failure);
  };
  const fail = (error: unknown): void => {
    if (!isOpen) return;
    // Before the abort, which reports its error here again.
    isOpen = false;
    const failure = toOutboundError({ error, origin, requestSent: controller !== null });
    head.reject(failure);
    controller?.abort(failure);
    end(failure);
  };
  const onAbort = (): void =>
    fail(new OutboundError("aborted", controller !== null, `The call to ${origin} was cancelled.`));
  const timers = startTimers(limits, (what) =>
    fail(new OutboundError("timeout", controller !== null, `${origin} ${what}.`)),
  );
  const resume = (): void => {
    if (!isPaused) return;
    isPaused = false;
    if (isOpen) timers.resumeIdle();
    controller?.resume();
  };
  const chunks = createChunkQueue({ onTaken: resume, onLeft: onAbort });

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      if (isOpen) controller = started;
      else started.abort(new Error("given up while waiting for a connection"));
    },
    onResponseStart(_controller, status, raw) {
      if (status < 200) return;
      const headers = readHeaders(raw);
      if (!isIdentity(headers["content-encoding"])) {
        const message = `${origin} answered with a content encoding that was not asked for.`;
        return fail(new OutboundError("reset", true, message));
      }
      timers.restartIdle();
      head.resolve({ status, headers, body: { [Symbol.asyncIterator]: chunks.read }, cancel: onAbort });
    },
    onResponseData(_controller, chunk) {
      received += chunk.length;
      if (received > limits.maxResponseBytes) return fail(tooLarge(origin, limits.maxResponseBytes));
      timers.restartIdle();
      chunks.push(chunk);
      if (chunks.bytes >= pauseAtBytes && !isPaused) {
        isPaused = true;
        // Not the peer's silence: it is paused until the reader has caught up.
        timers.pauseIdle();
        controller?.pause();
      }
    },
    onResponseEnd() {
      if (isOpen) end(null);
    },
    onResponseError(_controller, error) {
      fail(error);
    },
  };
  if (limits.signal?.aborted === true) onAbort();
  else {
    limits.signal?.addEventListener("abort", onAbort, { once: true });
    try {
      dispatch(handler);
    } catch (error) {
      fail(error);
    }
  }
  return head.promise;
}

function readHeaders(raw: Record<string, string | string[] | undefined>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) headers[name] = String(value);
  }
  return headers;
}

interface Timers {
  restartIdle(): void;
  pauseIdle(): void;
  resumeIdle(): void;
  stop(): void;
}

function startTimers({ timeoutMs, idleMs }: StreamLimits, onTimeout: (what: string) => void): Timers {
  const whole = setTimeout(() => onTimeout(`did not answer completely within ${timeoutMs} ms`), timeoutMs);
  const startIdle = (): NodeJS.Timeout => setTimeout(() => onTimeout(`was silent for ${idleMs} ms`), idleMs);
  let idle = startIdle();
  return {
    restartIdle: () => void idle.refresh(),
    pauseIdle: () => clearTimeout(idle),
    resumeIdle: () => void (idle = startIdle()),
    stop() {
      clearTimeout(whole);
      clearTimeout(idle);
    },
  };
}

interface ChunkQueue {
  /** Unread bytes. */
  readonly bytes: number;
  push: (chunk: Buffer) => void;
  /** Ends the reader once it has read what is queued: with the failure, or without one. */
  end: (failure: OutboundError | null) => void;
  read: () => AsyncGenerator<Buffer>;
}

/** `onTaken` is called when the reader has taken everything, `onLeft` when it reads no further. */
function createChunkQueue({ onTaken, onLeft }: { onTaken: () => void; onLeft: () => void }): ChunkQueue {
  const queue: Buffer[] = [];
  let bytes = 0;
  let ended: { failure: OutboundError | null } | null = null;
  let wake: () => void = () => {};
  return {
    get bytes() {
      return bytes;
    },
    push(chunk) {
      queue.push(chunk);
      bytes += chunk.length;
      wake();
    },
    end(failure) {
      ended = { failure };
      wake();
    },
    async *read() {
      try {
        for (;;) {
          const [chunk] = queue;
          if (chunk !== undefined) {
            // Everything that has arrived since the last read is one chunk.
            const arrived = queue.length === 1 ? chunk : Buffer.concat(queue, bytes);
            queue.length = 0;
            bytes = 0;
            onTaken();
            yield arrived;
          } else if (ended === null) await new Promise<void>((done) => (wake = done));
          else if (ended.failure !== null) throw ended.failure;
          else return;
        }
      } finally {
        onLeft();
      }
    },
  };
}
