/** Starts runs: finds what the same request has started, takes decisions that are said, and chooses session and agent. */
import { createHash } from "node:crypto";
import type { Static } from "typebox";
import { isForeignKeyViolation } from "../../platform/db/failures.ts";
import { internalFailure } from "../../platform/http/errors.ts";
import { isUuid, newId } from "../../platform/lib/ids.ts";
import { originOf } from "../../platform/lib/request-lines.ts";
import { storable } from "../../platform/lib/safe-json.ts";
import type { AssistantContext } from "../context.ts";
import { assistantFailure } from "../error-codes.ts";
import { bodyProblem, invalidBody } from "../body-problems.ts";
import { unknownSession } from "./session-service.ts";
import { findSession } from "./session-store.ts";
import { answerWaitingSessions } from "./approvals/answer-waiting.ts";
import type { Continuation } from "./approvals/continuation.ts";
import { decideBySession, findContinued } from "./approvals/take-decision.ts";
import { pageText } from "./loop/prompt.ts";
import { findRunOfRequest, insertRun } from "./run-store.ts";
import type { GivenMessage } from "./loop/run-state.ts";
import type { taskBody } from "./schema.ts";

export type TaskRequest = Static<typeof taskBody>;

export interface StartedRun {
  runId: string;
  sessionId: string;
  requestId: string;
  /** The first event, when this request has started the run. */
  firstEvent?: string;
  /** Where its reader goes on, when this request has decided an approval. */
  continued?: Continuation;
}

export interface StartOptions {
  /** The id of the session that is created when there is none. */
  newSessionId?: string | null;
  /** Whether the run is cancelled when its client disconnects. */
  stopsWithClient?: boolean;
  /** Earlier messages that the model gets before the one of the request. */
  given?: readonly GivenMessage[];
}

/**
 * Starts a run, or finds the one that the same request has started. A message that is exactly a decision continues the run of
 * the session that waits; any other one to such a session is answered with what it waits for. All input errors are thrown here.
 */
export async function startTask(
  ctx: AssistantContext,
  request: TaskRequest,
  { newSessionId = null, stopsWithClient = false, given = [] }: StartOptions = {},
): Promise<StartedRun> {
  const { database, runs } = ctx.assistant;
  const requestId = request.request_id || newId();
  const requestHash = hashOf(request);
  const started = request.request_id ? await findStartedRun(ctx, requestId, request) : null;
  if (started !== null) return started;
  if ((await runs.readModel()) === null) throw modelNotConfigured();
  const session = await findTaskSession(ctx, { given: request.session_id ?? null, newSessionId });
  const said = {
    sessionId: session?.id ?? "",
    message: request.message,
    requestId: request.request_id ?? null,
  };
  const continued = session === null ? null : await decideBySession(ctx, said);
  if (continued !== null) return continued;
  const agentId = await chooseAgent(ctx, request.agent_id ?? null, session?.agentId ?? null);
  const id = newId();
  const sessionId = session?.id ?? newSessionId ?? newId();
  const run = {
    id,
    sessionId,
    isNewSession: session === null,
    actor: ctx.actor,
    requestId,
    requestHash,
    agentId,
    message: storable(request.message),
    pageContext: pageTextOf(request.page_context),
    given: given.map(({ role, content }) => ({ role, content: storable(content) })),
    stopsWithClient,
    traceparent: ctx.traceparent,
    origin: originOf(ctx),
    at: ctx.now(),
  };
  const first = JSON.stringify({ type: "RUN_STARTED", threadId: sessionId, runId: id });
  const isInserted = await insertRun(database.db, run, first).catch((error: unknown) => {
    if (isForeignKeyViolation(error)) throw unknownSession();
    throw error;
  });
  if (isInserted) {
    if (session !== null) await answerWaitingSessions(database, { at: ctx.now(), runId: id });
    return { runId: id, sessionId, requestId, firstEvent: first };
  }
  // The same request came twice at the same time, and the other one was first.
  const other = await findStartedRun(ctx, requestId, request);
  if (other === null) throw internalFailure(new Error("a run under a request id has gone"));
  return other;
}

/** The parts of a page as the model reads them; null where nothing is known of it. */
function pageTextOf(given: TaskRequest["page_context"]): string | null {
  if (given === null || given === undefined) return null;
  return storable(typeof given === "string" ? given : pageText(given));
}

const hashOf = ({ message, session_id, agent_id, page_context }: TaskRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([message, session_id ?? null, agent_id ?? null, page_context ?? null]))
    .digest("hex");

async function findStartedRun(
  ctx: AssistantContext,
  requestId: string,
  request: TaskRequest,
): Promise<StartedRun | null> {
  const usedForOther = (): Error => bodyRefusal("request_id", "was used for another request", requestId);
  const run = await findRunOfRequest(ctx.assistant.database.db, ctx.actor.ref, requestId);
  if (run === null) {
    const { message, session_id: sessionId = null } = request;
    const continued = await findContinued(ctx, { requestId, message, sessionId });
    if (continued === "other") throw usedForOther();
    return continued;
  }
  if (run.requestHash !== hashOf(request)) throw usedForOther();
  return { runId: run.id, sessionId: run.sessionId, requestId };
}

const bodyRefusal = (field: string, message: string, value: unknown): Error =>
  invalidBody([bodyProblem([field], message, value)]);

const modelNotConfigured = (): Error =>
  assistantFailure("model_not_configured", {
    message: "No model is configured. An administrator sets one with POST /api/assistant/v2/llm/config.",
  });

interface WantedSession {
  given: string | null;
  /** The id of the session that is created when it does not exist. */
  newSessionId: string | null;
}

async function findTaskSession(ctx: AssistantContext, { given, newSessionId }: WantedSession) {
  const id = given ?? newSessionId;
  if (id === null) return null;
  const db = ctx.assistant.database.db;
  const session = isUuid(id) ? await findSession(db, ctx.actor.ref, id) : null;
  if (session === null && given !== null) throw unknownSession();
  return session;
}

/** The requested agent, else that of the session, else the default, else the orchestrator. */
async function chooseAgent(
  ctx: AssistantContext,
  requested: string | null,
  ofSession: string | null,
): Promise<string> {
  const { runs } = ctx.assistant;
  if (requested !== null) {
    const agent = isUuid(requested) ? await runs.loadAgent(requested) : null;
    if (agent === null) throw bodyRefusal("agent_id", "is no agent", requested);
    if (!agent.enabled) throw bodyRefusal("agent_id", "is an agent that is disabled", requested);
    return agent.id;
  }
  const own = ofSession === null ? null : await runs.loadAgent(ofSession);
  if (own?.enabled === true) return own.id;
  const root = await runs.findRoot();
  if (root === null) throw bodyRefusal("agent_id", "is needed: there is no default agent", null);
  return root.default ?? root.orchestrator;
}
