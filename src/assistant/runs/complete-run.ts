/** Ends a run with its answer. */
import type { Database } from "../../platform/db/database.ts";
import type { RunEvent, RunResult } from "./log/ag-ui.ts";
import type { RunContext } from "./loop/run-context.ts";
import { runLost } from "./close-run.ts";
import type { SessionTitle } from "./loop/run-state.ts";
import { finishRun, readTitle } from "./work-store.ts";

/** The answer of a run that ended without text: names the limit, in the event stream as well. */
export function answerInstead({ run, state, writer }: RunContext, limited: string | null): string {
  const text =
    state.best !== ""
      ? state.best
      : limited === null
        ? "The model gave no answer."
        : `I stopped at a limit of this run (${limited}) before I had an answer.`;
  if (state.best === "") {
    const messageId = `${run.id}-end`;
    writer.push({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" });
    writer.push({ type: "TEXT_MESSAGE_CONTENT", messageId, delta: text });
    writer.push({ type: "TEXT_MESSAGE_END", messageId });
  }
  return text;
}

interface Deps {
  database: Database;
  now: () => Date;
}

interface Completed {
  answer: string;
  /** The title for a session that has none. */
  title: string | null;
  isLimited: boolean;
}

export async function completeRun(
  { database, now }: Deps,
  context: RunContext,
  { answer, title, isLimited }: Completed,
): Promise<void> {
  const { run, writer, uses } = context;
  const { kysely } = database;
  await writer.flush();
  const firstSeq = writer.nextSeq();
  for (let before = run.titled; ;) {
    const after: SessionTitle =
      title !== null && before.by === "nobody" ? { title, by: "assistant" } : before;
    const events = lastEvents(context, { answer, isLimited, title: after.title, isTitled: title !== null });
    const status = "completed" as const;
    const end = { status, answer, errorCode: null, limited: isLimited, at: now(), events, firstSeq };
    if (await finishRun(kysely, run, { end, uses, titled: before, title: after })) {
      uses.length = 0;
      return writer.committed(events);
    }
    // Its owner has named the session in the meantime, or the run is lost.
    const renamed = await readTitle(kysely, { runId: run.id, fence: run.fence });
    if (renamed === null) throw runLost;
    before = renamed;
  }
}

function lastEvents(
  { run, state }: RunContext,
  {
    answer,
    isLimited,
    title,
    isTitled,
  }: { answer: string; isLimited: boolean; title: string; isTitled: boolean },
): string[] {
  const result: RunResult = {
    message: answer,
    title,
    session_id: run.sessionId,
    request_id: run.requestId,
    limited: isLimited,
    usage: state.used,
  };
  const last: RunEvent[] = [
    ...(isTitled ? [{ type: "CUSTOM" as const, name: "title", value: { title } }] : []),
    { type: "RUN_FINISHED", threadId: run.sessionId, runId: run.id, result },
  ];
  return last.map((event) => JSON.stringify(event));
}
