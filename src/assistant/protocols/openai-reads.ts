/** What OpenAI's clients read again: a model, which is an agent, and a response, which is a run of the caller. */
import type { StreamRecord } from "../../platform/http/responses/sse.ts";
import type { AssistantContext } from "../context.ts";
import { assistantFailure } from "../error-codes.ts";
import { isUuid } from "../../platform/lib/ids.ts";
import { untilWaiting } from "../runs/approvals/follow-waiting.ts";
import { typeOf, type LoggedEvent } from "../runs/log/ag-ui.ts";
import { encode } from "../runs/log/encode.ts";
import type { EncodeOptions } from "../runs/log/encoder.ts";
import { readAllRunEvents } from "../runs/log/event-store.ts";
import { answerId, answerIn, responseOf, responsesEncoder } from "../runs/log/openai-responses.ts";
import { findResponse, type ResponseRow } from "../runs/run-store.ts";
import { followUntilWaiting } from "../runs/service.ts";

export const modelView = (id: string) => ({ id, object: "model", created: 0, owned_by: "plinth" });

/** An agent by its name or its id. */
export async function findModel(ctx: AssistantContext, name: string): Promise<{ id: string; name: string }> {
  const agents = await ctx.assistant.runs.listAgents();
  const agent = agents.find((each) => each.name === name || each.id === name);
  if (agent !== undefined) return agent;
  throw assistantFailure("ASSISTANT_UNKNOWN_MODEL", {
    message: `The model '${name.slice(0, 255)}' does not exist. Models are agents: GET /api/assistant/v1/models lists them.`,
  });
}

/** A run as one of its answers: of one that decisions have continued, each has an id. */
interface OwnResponse extends ResponseRow {
  /** The event after which the answer begins. */
  after: number;
}

/** The run of a response of the caller; null for any other id. */
export async function findOwnResponse(
  ctx: AssistantContext,
  responseId: string,
): Promise<OwnResponse | null> {
  const { runId, after } = answerIn(responseId) ?? { runId: "", after: 0 };
  if (!isUuid(runId)) return null;
  const run = await findResponse(ctx.assistant.database.db, ctx.actor.ref, runId);
  return run === null ? null : { ...run, after };
}

async function mustFindResponse(ctx: AssistantContext, responseId: string): Promise<OwnResponse> {
  const run = await findOwnResponse(ctx, responseId);
  if (run !== null) return run;
  throw assistantFailure("ASSISTANT_UNKNOWN_RUN", {
    message: `There is no response '${responseId.slice(0, 255)}' of yours.`,
  });
}

/** The events of the response as it was or is being streamed, from the one after a number on. */
export async function streamResponse(
  ctx: AssistantContext,
  responseId: string,
  startingAfter: number,
): Promise<AsyncGenerator<StreamRecord>> {
  const { id, sessionId, requestId, agent, createdAt, after } = await mustFindResponse(ctx, responseId);
  const continued = after === 0 ? {} : { continued: { after, openSteps: [] } };
  const events = followUntilWaiting(ctx, { runId: id, sessionId, requestId, ...continued }, { isSaid: true });
  return recordsAfter(
    encode("responses", events, { model: agent ?? "", at: createdAt, after, isResumable: true }).records,
    startingAfter,
  );
}

async function* recordsAfter(
  records: AsyncIterable<StreamRecord>,
  startingAfter: number,
): AsyncGenerator<StreamRecord> {
  for await (const record of records) {
    if (Number(Reflect.get(record.data as object, "sequence_number")) > startingAfter) yield record;
  }
}

/**
 * The response as it would be answered now. Of a run that has ended or waits for its user it is made from the run's events, as a
 * stream of it is, and from its stored answer once the events are deleted.
 */
export async function readResponse(ctx: AssistantContext, responseId: string): Promise<object> {
  const run = await mustFindResponse(ctx, responseId);
  const options = { model: run.agent ?? "", at: run.createdAt, after: run.after };
  const output = { runId: answerId(run.id, run.after), text: "" };
  const more = { previous_response_id: run.after === 0 ? null : `resp_${run.id}`, store: true };
  if (run.status === "queued")
    return { ...responseOf(output, "in_progress", options), ...more, status: "queued" };
  if (run.status === "running") return { ...responseOf(output, "in_progress", options), ...more };
  const response = lastResponse(await readShownEvents(ctx, run), options);
  const stored = { ...output, text: run.answer ?? "" };
  const status = statusWithoutEvents[run.status] ?? "failed";
  const whole = response ?? responseOf(stored, status, options);
  return { ...whole, ...more, ...(run.status === "cancelled" ? { status: "cancelled", error: null } : {}) };
}

const statusWithoutEvents: Partial<Record<ResponseRow["status"], "completed" | "in_progress">> = {
  completed: "completed",
  waiting: "in_progress",
};

/** The events as a client gets them: those of a run that waits end with what it waits for. */
async function readShownEvents(
  ctx: AssistantContext,
  { id, sessionId, status, after }: OwnResponse,
): Promise<LoggedEvent[]> {
  const { db } = ctx.assistant.database;
  const stored = await readAllRunEvents(db, id);
  const all = stored.map((data, n) => ({ seq: n + 1, type: typeOf(data), data }));
  // The first event says which run it is.
  const events = after === 0 ? all : [...all.slice(0, 1), ...all.slice(after)];
  if (status !== "waiting") return events;
  const shown: LoggedEvent[] = [];
  const options = { runId: id, sessionId, isSaid: true };
  for await (const batch of untilWaiting(db, [events], options)) shown.push(...batch);
  return shown;
}

/** The response of the last record that has one; null when there is none. */
function lastResponse(events: readonly LoggedEvent[], options: EncodeOptions): object | null {
  const encoder = responsesEncoder(options);
  let last: object | null = null;
  for (const event of events) {
    for (const record of encoder(event)) {
      const response: unknown = Reflect.get(record.data as object, "response");
      if (typeof response === "object" && response !== null) last = response;
    }
  }
  return last;
}
