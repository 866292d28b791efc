import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import type { PageContext } from "../context/page-context.ts";
import { readStart, type StartedRun } from "./read-start.ts";

export interface Question {
  message: string;
  sessionId: string | null;
  agentId: string | null;
  context: PageContext | null;
  /** The same question under the same id is asked once, however often it is sent. */
  requestId: string;
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
  return readStart(stream);
};
