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
  const queue: Buffer[] = [];
  let queuedBytes = 0;
  let received = 0;
  let controller: Dispatcher.DispatchController | null = null;
  let isPaused = false;
  let state: "open" | "ended" | "failed" = "open";
  let failure: OutboundError | null = null;
  let wake: () => void = () => {};

  const release = (): void => {
    clearTimeout(wholeTimer);
    clearTimeout(idleTimer);
    limits.signal?.removeEventListener("abort", onAbort);
    wake();
  };
  const fail = (error: unknown): void => {
    if (state !== "open") return;
    state = "failed";
    failure = toOutboundError({ error, origin, requestSent: controller !== null });
    head.reject(failure);
    controller?.abort(failure);
    release();
  };
  const onAbort = (): void =>
    fail(new OutboundError("aborted", controller !== null, `The call to ${origin} was cancelled.`));
  const onTimeout = (what: string) => (): void =>
    fail(new OutboundError("timeout", controller !== null, `${origin} ${what}.`));
  const wholeTimer = setTimeout(
    onTimeout(`did not answer completely within ${limits.timeoutMs} ms`),
    limits.timeoutMs,
  );
  const onIdle = onTimeout(`was silent for ${limits.idleMs} ms`);
  let idleTimer = setTimeout(onIdle, limits.idleMs);

  const resume = (): void => {
    isPaused = false;
    if (state === "open") idleTimer = setTimeout(onIdle, limits.idleMs);
    controller?.resume();
  };

  async function* read(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const [chunk] = queue;
        if (chunk !== undefined) {
          // Everything that has arrived since the last read is one chunk.
          const arrived = queue.length === 1 ? chunk : Buffer.concat(queue, queuedBytes);
          queue.length = 0;
          queuedBytes = 0;
          if (isPaused) resume();
          yield arrived;
        } else if (failure !== null) throw failure;
        else if (state === "ended") return;
        else await new Promise<void>((done) => (wake = done));
      }
    } finally {
      onAbort();
    }
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      if (state === "open") controller = started;
      else started.abort(new Error("given up while waiting for a connection"));
    },
    onResponseStart(_controller, status, raw) {
      if (status < 200) return;
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(raw)) {
        if (value !== undefined) headers[name] = String(value);
      }
      if (!isIdentity(headers["content-encoding"])) {
        return fail(
          new OutboundError(
            "reset",
            true,
            `${origin} answered with a content encoding that was not asked for.`,
          ),
        );
      }
      idleTimer.refresh();
      head.resolve({ status, headers, body: { [Symbol.asyncIterator]: read }, cancel: onAbort });
    },
    onResponseData(_controller, chunk) {
      received += chunk.length;
      if (received > limits.maxResponseBytes) return fail(tooLarge(origin, limits.maxResponseBytes));
      idleTimer.refresh();
      queue.push(chunk);
      queuedBytes += chunk.length;
      if (queuedBytes >= pauseAtBytes && !isPaused) {
        isPaused = true;
        // Not the peer's silence: it is paused until the reader has caught up.
        clearTimeout(idleTimer);
        controller?.pause();
      }
      wake();
    },
    onResponseEnd() {
      if (state !== "open") return;
      state = "ended";
      release();
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
