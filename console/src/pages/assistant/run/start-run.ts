import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import type { PageContext } from "../context/page-context.ts";

export interface Question {
  message: string;
  sessionId: string | null;
  agentId: string | null;
  context: PageContext | null;
  /** The same question under the same id is asked once, however often it is sent. */
  requestId: string;
}

export interface StartedRun {
  runId: string;
  sessionId: string;
}

/**
 * Asks. The answer's own stream is left after its first event, which names the run: a run goes on when a reader leaves, and each page
 * reads it from `streamRunEvents`, in the same way after a reload.
 */
export const startRun = async (question: Question): Promise<StartedRun> => {
  const { message, sessionId, agentId, context, requestId } = question;
  const stream = await call(
    api.assistant.POST("/api/assistant/v2/task", {
      body: {
        message,
        session_id: sessionId,
        agent_id: agentId,
        page_context: context,
        request_id: requestId,
      },
      parseAs: "stream",
    }),
  );
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      text += value ?? "";
      const started = /^data: (\{"type":"RUN_STARTED".*\})$/m.exec(text)?.[1];
      if (started !== undefined) {
        const { runId, threadId } = JSON.parse(started) as { runId: string; threadId: string };
        return { runId, sessionId: threadId };
      }
      if (done) throw new Error("The answer ended before it had begun. Ask again.");
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
};
