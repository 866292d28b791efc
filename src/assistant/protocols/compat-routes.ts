import type { FastifyReply } from "fastify";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import { streamEvents } from "../../platform/http/responses/sse.ts";
import type { AssistantExtra } from "../context.ts";
import { streamRun } from "../runs/log/encode.ts";
import { chatCompletion } from "../runs/log/openai-chat.ts";
import { answerId, responseOf, responsesUsage } from "../runs/log/openai-responses.ts";
import type { EncodeOptions } from "../runs/log/encoder.ts";
import { isIncomplete, type LoggedEvent } from "../runs/log/ag-ui.ts";
import { awaitTask, followTask, followUntilWaiting } from "../runs/service.ts";
import { startForClient } from "./client-stop.ts";
import {
  aguiBody,
  anyObject,
  chatBody,
  chatParams,
  modelEntry,
  modelList,
  modelParams,
  responseParams,
  responseQuery,
  responsesBody,
  resumeQuery,
  uiBody,
} from "./compat-schema.ts";
import { openAiErrorSchema } from "./openai-errors.ts";
import { findModel, modelView, readResponse, streamResponse } from "./openai-reads.ts";
import { followChat, startAgui, startChat, startResponse, startUi } from "./compat-service.ts";

const tags = ["Other clients"];
const rule = "useAssistant";
export const compatBase = "/api/assistant";
const base = compatBase;
const stream = { description: "The stream.", contentType: "text/event-stream" };
const harmless =
  "Other fields that OpenAI knows, such as `temperature`, `max_tokens`, `user`, `metadata`, `store` and `seed`, are taken " +
  "without effect.";
const chatInputs =
  "Refused by name are `tools`, `functions`, a `tool_choice` or `function_call` that asks for one, `n` above 1, a `response_format` " +
  "other than text, `logprobs`, `audio`, `modalities` other than text, `stop`, `web_search_options` and parts that are no text. " +
  harmless;
const responseInputs =
  "Refused by name are `tools`, a `tool_choice` that asks for one, a `text.format` other than text, `background`, `conversation`, " +
  "`prompt`, `top_logprobs`, and items and parts that are no text. " +
  harmless;
const streamOrJson = "Streamed when `stream` is true. The model is the name of an agent.";

/** Adds interfaces that clients of other products use unchanged. */
export function addCompatRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "aguiRun",
    method: "POST",
    base,
    path: "/agui",
    summary: "Run as an AG-UI agent",
    tags,
    rule,
    body: aguiBody,
    response: { 200: stream },
    errors: [404, 503],
    async handler(ctx, { body, reply }) {
      const started = await startAgui(ctx, body);
      streamRun(reply, "agui", followTask(ctx, started), { model: "", at: ctx.now() });
    },
  });
  addUiRoutes(app);
  addModelReads(app);
  addResponseRead(app);
  addOpenAiRoutes(app);
}

function addModelReads(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "listModels",
    method: "GET",
    base,
    path: "/v1/models",
    summary: "List the agents as models",
    tags,
    rule,
    errorBody: openAiErrorSchema,
    response: { 200: modelList },
    async handler(ctx) {
      const agents = await ctx.assistant.runs.listAgents();
      const data = agents.map(({ name }) => modelView(name));
      return { object: "list", data };
    },
  });
  route(app, {
    id: "getModel",
    method: "GET",
    base,
    path: "/v1/models/{model}",
    summary: "Get an agent as a model",
    tags,
    rule,
    errorBody: openAiErrorSchema,
    params: modelParams,
    response: { 200: modelEntry },
    errors: [404],
    handler: async (ctx, { params }) => modelView((await findModel(ctx, params.model)).name),
  });
}

function addOpenAiRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "createChatCompletion",
    method: "POST",
    base,
    path: "/v1/chat/completions",
    summary: "Ask an agent as a chat model",
    description: `${streamOrJson} ${chatInputs}`,
    tags,
    rule,
    query: resumeQuery,
    errorBody: openAiErrorSchema,
    body: chatBody,
    response: { 200: anyObject },
    mayStream: true,
    errors: [404, 409, 503],
    async handler(ctx, { body, query, reply }) {
      const started = await startForClient(ctx, reply, () => startChat(ctx, body, query));
      const withUsage = body.stream_options?.include_usage === true;
      const options = { model: body.model, at: ctx.now(), withUsage };
      if (body.stream !== true) return chatCompletion(started.runId, await awaitTask(ctx, started), options);
      const events = followUntilWaiting(ctx, started, { isSaid: true });
      streamRun(reply, "openai", events, options);
      return undefined;
    },
  });
  route(app, {
    id: "createResponse",
    method: "POST",
    base,
    path: "/v1/responses",
    summary: "Ask an agent by the Responses interface",
    description: `${streamOrJson} ${responseInputs}`,
    tags,
    rule,
    query: resumeQuery,
    errorBody: openAiErrorSchema,
    body: responsesBody,
    response: { 200: anyObject },
    mayStream: true,
    errors: [404, 409, 503],
    async handler(ctx, { body, query, reply }) {
      const started = await startForClient(ctx, reply, () => startResponse(ctx, body, query));
      const options = { model: body.model, at: ctx.now(), after: started.continued?.after };
      if (body.stream !== true) {
        const result = await awaitTask(ctx, started);
        const id = answerId(started.runId, options.after);
        const output = { runId: id, text: result.message, approvals: result.approvals };
        const status = isIncomplete(result) ? "incomplete" : "completed";
        return responseOf(output, status, { ...options, usage: responsesUsage(result) });
      }
      const events = followUntilWaiting(ctx, started, { isSaid: true });
      streamRun(reply, "responses", events, options);
      return undefined;
    },
  });
}

function addResponseRead(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "getResponse",
    method: "GET",
    base,
    path: "/v1/responses/{response_id}",
    summary: "Get a response",
    description:
      "Only its owner gets it; also while it is being answered, and when it was cancelled or has failed. With `stream=true` its events " +
      "come from the first one, or after the number `starting_after`, until the answer ends; leaving such a stream cancels nothing.",
    tags,
    rule,
    errorBody: openAiErrorSchema,
    params: responseParams,
    query: responseQuery,
    response: { 200: anyObject },
    mayStream: true,
    errors: [404],
    async handler(ctx, { params, query, reply }) {
      if (!query.stream) return readResponse(ctx, params.response_id);
      streamEvents(reply, await streamResponse(ctx, params.response_id, query.starting_after ?? -1));
      return undefined;
    },
  });
}

/** The requests that `useChat` sends by default. */
function addUiRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "uiChat",
    method: "POST",
    base,
    path: "/chat",
    summary: "Chat as AI SDK UI does",
    tags,
    rule,
    query: resumeQuery,
    body: uiBody,
    response: { 200: stream },
    errors: [404, 409, 503],
    async handler(ctx, { body, query, reply }) {
      let continues = false;
      const started = await startForClient(ctx, reply, async () => {
        const chat = await startUi(ctx, body, query);
        ({ continues } = chat);
        return chat.started;
      });
      const events = followUntilWaiting(ctx, started, { isSaid: false });
      // The client has a message of the run's id, which is not the one that is answered now.
      const { runId, continued } = started;
      const messageId = continued === undefined || continues ? undefined : `${runId}-${continued.after}`;
      streamUi(reply, events, { at: ctx.now(), continues, messageId });
    },
  });
  route(app, {
    id: "resumeUiChat",
    method: "GET",
    base,
    path: "/chat/{chat_id}/stream",
    summary: "Go on with a chat of AI SDK UI",
    description: "The answer that is being written, from its beginning.",
    tags,
    rule,
    params: chatParams,
    response: { 200: stream, 204: { description: "Nothing is being answered.", noBody: true } },
    async handler(ctx, { params, reply }) {
      const events = await followChat(ctx, params.chat_id);
      if (events) streamUi(reply, events, { at: ctx.now() });
      else reply.code(204).send();
    },
  });
}

function streamUi(
  reply: FastifyReply,
  events: AsyncIterable<LoggedEvent[]>,
  options: Pick<EncodeOptions, "at" | "continues" | "messageId">,
): void {
  reply.header("x-vercel-ai-ui-message-stream", "v1");
  streamRun(reply, "ui", events, { model: "", ...options });
}
