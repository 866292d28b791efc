import { Type } from "typebox";
import { OneOf } from "../../platform/http/schema.ts";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import { resumeHeaders, resumeQuery, resumeStream } from "../../platform/http/responses/resume-stream.ts";
import type { StreamRecord } from "../../platform/http/responses/sse.ts";
import type { AssistantExtra } from "../context.ts";
import { streamFormats, streamRun } from "./log/encode.ts";
import type { LoggedEvent } from "./log/ag-ui.ts";
import {
  runAnswer,
  runParams,
  runStatusAnswer,
  syncAnswer,
  taskBody,
  usageAnswer,
  usageQuery,
} from "./schema.ts";
import {
  awaitTask,
  cancelRun,
  followTask,
  getRun,
  getUsage,
  resumeRun,
  followUntilWaiting,
} from "./service.ts";
import { startTask } from "./start-run.ts";

const tags = ["Tasks"];
const rule = "useAssistant";
/** The column of the numbers is an integer. */
const maxEventNumber = 2_147_483_647;
const stream = { description: "The stream.", contentType: "text/event-stream" };

/** Adds the tasks and the operations below `/runs`. */
export function addRunRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "task",
    method: "POST",
    path: "/task",
    summary: "Task",
    description:
      "Answers as Server-Sent Events of AG-UI 1.0, each with `event`, `id` and `data`, until `RUN_FINISHED` or " +
      "`RUN_ERROR`. The run goes on when the client leaves; `GET /runs/{run_id}/events` resumes.",
    tags,
    rule,
    query: Type.Object({
      format: OneOf(streamFormats, {
        default: "agui",
        description:
          "`ui` for AI SDK UI, `openai` for Chat Completions and `responses` for Responses clients.",
      }),
    }),
    body: taskBody,
    response: { 200: stream },
    errors: [404, 503],
    async handler(ctx, { body, query, reply }) {
      const started = await startTask(ctx, body);
      if (query.format === "ui") reply.header("x-vercel-ai-ui-message-stream", "v1");
      const events =
        query.format === "agui"
          ? followTask(ctx, started)
          : followUntilWaiting(ctx, started, { isSaid: query.format !== "ui" });
      const isResumable = query.format === "agui";
      streamRun(reply, query.format, events, { model: "plinth", at: ctx.now(), isResumable });
    },
  });
  route(app, {
    id: "taskSync",
    method: "POST",
    path: "/task/sync",
    summary: "Task sync",
    description:
      "The same run as one answer. When the run waits for an approval, the message says what for and how to decide; the next " +
      "message of the session decides when it is exactly `approve` or `refuse[: reason]`. `approve` is not taken when the arguments " +
      "are too long to be shown in the message.",
    tags,
    rule,
    body: taskBody,
    response: { 200: syncAnswer },
    errors: [404, 409, 503],
    async handler(ctx, { body }) {
      return awaitTask(ctx, await startTask(ctx, body));
    },
  });
  addRunReads(app);
  addRunChanges(app);
}

function addRunReads(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "getRun",
    method: "GET",
    path: "/runs/{run_id}",
    summary: "Get a run with its approvals",
    tags,
    rule,
    params: runParams,
    response: { 200: runAnswer },
    errors: [404],
    handler: (ctx, { params }) => getRun(ctx, params.run_id),
  });
  route(app, {
    id: "streamRunEvents",
    method: "GET",
    path: "/runs/{run_id}/events",
    summary: "Stream the events of a run",
    description:
      "From its first event, or after the one that `Last-Event-ID` or `after` names; on any replica.",
    tags,
    rule,
    params: runParams,
    query: resumeQuery(maxEventNumber),
    headers: resumeHeaders,
    response: {
      200: stream,
      204: { description: "The run has ended and the caller has its last event.", noBody: true },
    },
    errors: [404],
    handler: (ctx, { params, raw, reply }) =>
      resumeStream(
        { raw, reply },
        { follow: (after) => resumeRun(ctx, params.run_id, after), records, maxId: maxEventNumber },
      ),
  });
  route(app, {
    id: "getUsage",
    method: "GET",
    path: "/usage",
    summary: "Summarise the use of models",
    tags: ["Usage"],
    rule,
    query: usageQuery,
    response: { 200: usageAnswer },
    handler: (ctx, { query }) => getUsage(ctx, query),
  });
}

function addRunChanges(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "cancelRun",
    method: "POST",
    path: "/runs/{run_id}/cancel",
    summary: "Cancel a run",
    description: "It ends at once; a call of the model under way is aborted.",
    tags,
    rule,
    params: runParams,
    urgent: true,
    response: { 200: runStatusAnswer },
    errors: [404, 409],
    async handler(ctx, { params }) {
      await cancelRun(ctx, params.run_id);
      return { id: params.run_id, status: "cancelled" };
    },
  });
}

async function* records(batches: AsyncIterable<LoggedEvent[]>): AsyncGenerator<StreamRecord> {
  for await (const events of batches)
    for (const { seq, type, data } of events) yield { id: seq, event: type, data };
}
