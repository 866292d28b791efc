import { Type } from "typebox";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { BuilderExtra } from "../context.ts";
import type { ReadPlanDiff } from "../ports.ts";
import type { ActionHandlers } from "./handlers.ts";
import {
  hookAnswerBody,
  hookDetails,
  hookList,
  hookListQuery,
  hookRecord,
  hookUpdateBody,
} from "./schema.ts";
import { answerByRequestId, answerHook, getHook, getHooks, unknownHook } from "./service.ts";

const tags = ["Hooks"];
/** Limit of the information that a third party may send about a request. */
const bodyLimitBytes = 256 * 1024;

const byHookId = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 256, description: "`hookId` of a record; not the request id." }),
});

/** A longer text is an unknown id like any other, as far as the router accepts it. */
const byRequestId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 2048 }) });

export function addHookRoutes(
  app: AreaApp<BuilderExtra>,
  handlers: ActionHandlers,
  readPlanDiff: ReadPlanDiff,
): void {
  route(app, {
    id: "updateHook",
    method: "PUT",
    path: "/hooks/{id}",
    summary: "Update the status of a hook",
    description:
      "The answer of a third party. `id` is the request id that ends the respondToUrl: whoever has it may answer, once; no other credentials are looked at.",
    tags,
    rule: "updateHook",
    params: byRequestId,
    invalidPath: unknownHook,
    body: hookUpdateBody,
    bodyLimitBytes,
    response: { 200: hookRecord },
    errors: [404, 409],
    handler: (ctx, { params, body }) => answerByRequestId(ctx, handlers, { requestId: params.id, ...body }),
  });
  route(app, {
    id: "listHooks",
    method: "GET",
    path: "/hooks",
    summary: "List hooks",
    description:
      "The latest first. Operators see all, others those of what they own or have asked for. No entry contains the request id with which a remote hook is answered.",
    tags,
    rule: "listHooks",
    query: hookListQuery,
    response: { 200: hookList },
    handler: (ctx, { query }) =>
      getHooks(ctx, { status: query.status, limit: query.limit, after: query.after }),
  });
  route(app, {
    id: "getHook",
    method: "GET",
    path: "/hooks/{id}",
    summary: "Get a hook",
    tags,
    rule: "getHook",
    params: byHookId,
    response: { 200: hookDetails },
    errors: [404],
    handler: (ctx, { params }) => getHook(ctx, params.id, readPlanDiff),
  });
  route(app, {
    id: "answerHook",
    method: "POST",
    path: "/hooks/{id}/answer",
    summary: "Answer a hook",
    description:
      "The answer of a person: of the owner of the resource to a notification, of an operator to any hook.",
    tags,
    rule: "answerHook",
    params: byHookId,
    body: hookAnswerBody,
    response: { 200: hookDetails },
    errors: [404, 409],
    handler: (ctx, { params, body }) => answerHook(ctx, handlers, { hookId: params.id, ...body }),
  });
}
