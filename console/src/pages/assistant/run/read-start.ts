export interface StartedRun {
  runId: string;
  sessionId: string;
}

/** The server sends a comment every 15 seconds: a connection without any for so long is dead. */
const longestSilenceMs = 60_000;

/** Reads the stream of an answer until its first event, which names the run, and leaves it. */
export const readStart = async (
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  silenceMs = longestSilenceMs,
): Promise<StartedRun> => {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const leave = (): Promise<void> => reader.cancel().catch(() => undefined);
  try {
    let text = "";
    for (;;) {
      // A stream that is left ends.
      const limit = setTimeout(() => void leave(), silenceMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(limit));
      text += value ?? "";
      const started = /^data: (\{"type":"RUN_STARTED".*\})$/m.exec(text)?.[1];
      if (started !== undefined) {
        const { runId, threadId } = JSON.parse(started) as { runId: string; threadId: string };
        return { runId, sessionId: threadId };
      }
      if (done) throw new Error("The answer ended before it had begun. Ask again.");
    }
  } finally {
    await leave();
  }
};
