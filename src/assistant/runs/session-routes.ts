import { Type } from "typebox";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AssistantExtra } from "../context.ts";
import {
  getMessages,
  getSessions,
  removeSession,
  renameSession,
  searchOwnSessions,
} from "./session-service.ts";
import { Nullable } from "../../platform/http/schema.ts";
import { pagination, visibleText } from "../record-schema.ts";

// Wire shapes of the sessions.

const time = Type.String({ format: "date-time" });

/** Any text: a malformed id is not found, like that of another owner's session. */
const sessionParams = Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 256 }) });

const titleBody = Type.Object({ title: visibleText({ maxLength: 1_000 }) });

const pageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  offset: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
});

const meta = Type.Object({ pagination });

const sessionList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String({ format: "uuid" }),
      title: Type.String(),
      agent_id: Nullable(Type.String({ format: "uuid" })),
      waiting: Nullable(
        Type.Object(
          {
            run_id: Type.String({ format: "uuid" }),
            approval_ids: Type.Array(Type.String({ format: "uuid" })),
          },
          { description: "The run that waits for you to allow or refuse tool calls." },
        ),
      ),
      created_at: time,
      updated_at: time,
    }),
  ),
  meta,
});

const searchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Each word is the beginning of a word of the title or of one message.",
  }),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 20 }),
});

const foundSessions = Type.Object({
  data: Type.Array(
    Type.Object({
      session_id: Type.String({ format: "uuid" }),
      title: Type.String(),
      matches: Type.Enum(["title", "message"], { description: "What has the words." }),
      message_id: Nullable(Type.String({ description: "The last message that has them." })),
      role: Nullable(Type.Enum(["user", "assistant"])),
      excerpt: Type.String({ description: "A part of the message or the title, on one line." }),
      at: time,
    }),
    { description: "Each session once, the one that was used last first." },
  ),
  meta: Type.Object({
    limit: Type.Integer(),
    more: Type.Boolean({ description: "Whether there are more than the list contains." }),
  }),
});

const toolCall = Type.Object({
  id: Type.String(),
  name: Type.String({ description: "As the model knows the tool." }),
  arguments: Type.String({ description: "JSON text of the model; shortened to 2,000 characters." }),
  result: Type.String({ description: "Shortened to 2,000 characters." }),
});

const messageList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      run_id: Type.String({ format: "uuid" }),
      role: Type.Enum(["user", "assistant"]),
      content: Type.String({ description: "Empty when a run ended before it had written anything." }),
      tool_calls: Type.Array(toolCall, {
        description:
          "Of an answer: the calls of the first agent that led to it, in their order. Later questions of the session see " +
          "them, too.",
      }),
      skills: Type.Array(Type.String(), {
        description: "Of an answer: the skills that were loaded at its end. They stay loaded in the session.",
      }),
      created_at: time,
    }),
  ),
  meta,
});

const tags = ["Sessions"];

/** Adds the operations below `/sessions`. */
export function addSessionRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "listSessions",
    method: "GET",
    path: "/sessions",
    summary: "List your sessions",
    description: "The one that was used last comes first.",
    tags,
    rule: "useAssistant",
    query: pageQuery,
    response: { 200: sessionList },
    handler: (ctx, { query }) => getSessions(ctx, query),
  });
  route(app, {
    id: "searchSessions",
    method: "GET",
    path: "/sessions/search",
    summary: "Search your sessions",
    description:
      "Titles and messages of the 1,000 sessions that you used last; of a message the first 20,000 characters.",
    tags,
    rule: "useAssistant",
    query: searchQuery,
    response: { 200: foundSessions },
    handler: (ctx, { query }) => searchOwnSessions(ctx, query),
  });
  route(app, {
    id: "listSessionMessages",
    method: "GET",
    path: "/sessions/{session_id}/messages",
    summary: "List the messages of a session",
    tags,
    rule: "useAssistant",
    params: sessionParams,
    query: pageQuery,
    response: { 200: messageList },
    errors: [404],
    handler: (ctx, { params, query }) => getMessages(ctx, params.session_id, query),
  });
  route(app, {
    id: "patchSessionTitle",
    method: "PATCH",
    path: "/sessions/{session_id}/title",
    summary: "Patch session title",
    description: "Only the owner of a session may. The assistant does not change the title afterwards.",
    tags,
    rule: "useAssistant",
    params: sessionParams,
    body: titleBody,
    response: { 200: Type.Null() },
    errors: [404],
    async handler(ctx, { params, body }) {
      await renameSession(ctx, params.session_id, body.title);
      return null;
    },
  });
  route(app, {
    id: "deleteSession",
    method: "DELETE",
    path: "/sessions/{session_id}",
    summary: "Delete a session",
    description: "With its messages and runs. A run under way is stopped.",
    tags,
    rule: "useAssistant",
    params: sessionParams,
    response: { 204: { description: "It is deleted.", noBody: true } },
    errors: [404],
    async handler(ctx, { params }) {
      await removeSession(ctx, params.session_id);
    },
  });
}
